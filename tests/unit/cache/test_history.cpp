#include "cache/eviction.hpp"
#include "cache/explain_miss.hpp"
#include "cache/history.hpp"
#include "cache/listing.hpp"

#include "store_fixture.hpp"

#include <doctest/doctest.h>

#include <cerrno>

namespace history_test {

using namespace kiln;
using namespace kiln::test;

namespace {

using Request = History::Request;
using Sentences = std::vector<std::string>;

Request request(const std::string& arch, const std::vector<std::string>& options, const std::string& source = "1") {
  return {{"arch", {arch}, false}, {"option", options, true}, {"source", {"sha256:" + source}, false}};
}

Sentences changes(const Request& before, const Request& now) { return describe_changes(before, now); }

bool same(const std::optional<Request>& a, const Request& b) { return a && describe_changes(*a, b).empty(); }

}  // namespace

TEST_CASE("changes in plain sentences") {
  const Request before = request("sm_80", {"-DN=3", "-DX"});
  CHECK(changes(before, before).empty());
  CHECK(changes(before, request("sm_80", {"-DN=3", "-DX"}, "2")) == Sentences{"the source changed"});
  CHECK(changes(before, request("sm_90", {"-DN=3", "-DX"})) == Sentences{"arch changed from sm_80 to sm_90"});
  CHECK(changes(before, request("", {"-DN=3", "-DX"})) == Sentences{"arch changed from sm_80 to none"});
  CHECK(changes(before, request("sm_80", {"-DN=4", "-DX"})) == Sentences{"option -DN changed from 3 to 4"});
  CHECK(changes(before, request("sm_80", {"-DN=" + std::string(40, '4'), "-DX"})) == Sentences{"option -DN changed"});
  CHECK(changes(before, request("sm_80", {"-DN", "-DX"})) == Sentences{"option -DN is new", "option -DN=3 is gone"});
  CHECK(changes(before, request("sm_80", {"-DN=4", "-DN=5", "-DX"})) ==
        Sentences{"option -DN=4 is new", "option -DN=5 is new", "option -DN=3 is gone"});
  CHECK(changes({{"compiler", {"build-id:" + std::string(40, 'a')}, false}},
                {{"compiler", {"build-id:" + std::string(40, 'b')}, false}}) == Sentences{"the compiler changed"});
}

TEST_CASE("the order of a list is a change of its own") {
  const auto list = [](const std::vector<std::string>& items) { return Request{{"option", items, true}}; };
  CHECK(changes(list({"-a", "-b"}), list({"-b", "-a"})) == Sentences{"the order of the options changed"});
  CHECK(changes(list({"-a", "-b"}), list({"-b", "-c", "-a"})) ==
        Sentences{"option -c is new", "the order of the options changed"});
  CHECK(changes(list({"-a", "-b"}), list({"-a", "-c", "-b"})) == Sentences{"option -c is new"});
  CHECK(changes(list({"-a", "-b", "-a"}), list({"-a", "-b"})) == Sentences{"option -a is gone"});
  CHECK(changes({{"options", {"-a", "-b"}, true}}, {{"options", {"-b"}, true}}) == Sentences{"option -a is gone"});
}

TEST_CASE("texts under a name") {
  const auto headers = [](const std::vector<std::string>& items) { return Request{{"header", items, true}}; };
  CHECK(changes(headers({"util.h (in memory)=sha256:1"}), headers({"util.h (in memory)=sha256:2"})) ==
        Sentences{"header util.h (in memory) changed"});
  CHECK(changes(headers({"a.h=sha256:1", "b.h=sha256:1"}), headers({"b.h=sha256:1", "c.h=sha256:1"})) ==
        Sentences{"header c.h is new", "header a.h is gone"});
}

TEST_CASE("fields that only one of the two has") {
  const Request both = {{"a", {"1"}, false}, {"b", {"2"}, false}, {"list", {"x"}, true}};
  CHECK(changes({both[0]}, both) == Sentences{"the b is new", "list x is new"});
  CHECK(changes(both, {both[0]}) == Sentences{"the b is gone", "list x is gone"});
  // Fields of one label go together in order.
  CHECK(changes({{"a", {"1"}, false}, {"a", {"2"}, false}}, {{"a", {"1"}, false}, {"a", {"3"}, false}}) ==
        Sentences{"a changed from 2 to 3"});
}

TEST_CASE("the nearest request has the most equal fields, then items; the newest of equal ones") {
  History history;
  CHECK_FALSE(history.nearest(request("sm_80", {})));
  const Request far = request("sm_70", {"-a"}, "9");
  const Request near = request("sm_80", {"-a", "-b", "-c"});
  const Request nearer = request("sm_80", {"-a", "-b", "-x"});
  history.add(near);
  history.add(nearer);
  history.add(far);
  CHECK(same(history.nearest(request("sm_80", {"-a", "-b", "-c", "-d"})), near));
  CHECK(same(history.nearest(request("sm_80", {"-a", "-b"})), nearer));
  CHECK(same(history.nearest(request("sm_70", {"-z"}, "9")), far));
}

TEST_CASE("32 requests are kept, equal ones once, large ones not at all") {
  History history;
  CHECK(history.add(request("sm_80", {"-DN=0"})));
  CHECK_FALSE(history.add(request("sm_80", {"-DN=0"})));
  for (int i = 1; i < 32; ++i) history.add(request("sm_80", {"-DN=" + std::to_string(i)}));
  CHECK(history.add(request("sm_80", {"-DN=0"})));  // again the newest
  CHECK(history.add(request("sm_80", {"-DN=32"})));
  const History read = History::decode(history.encode());
  CHECK(same(read.nearest(request("sm_80", {"-DN=0"})), request("sm_80", {"-DN=0"})));
  CHECK(same(read.nearest(request("sm_80", {"-DN=2"})), request("sm_80", {"-DN=2"})));
  CHECK_FALSE(same(read.nearest(request("sm_80", {"-DN=1"})), request("sm_80", {"-DN=1"})));
  CHECK_FALSE(history.add(request("sm_80", {std::string(History::max_request_size, 'x')})));
}

TEST_CASE("a history of any bytes: empty or decoded, never more") {
  History history;
  history.add(request("sm_80", {"-a", "-b"}));
  history.add(request("sm_90", {"-a"}));
  const Sections sections = history.encode();
  const std::string good(*sections.find("requests"));
  for (std::size_t i = 0; i < 2 * good.size(); ++i) {
    std::string bad = i < good.size() ? good.substr(0, i) : good;
    if (i >= good.size()) bad[i - good.size()] = static_cast<char>(~bad[i - good.size()]);
    Sections changed;
    changed.add("requests", bad);
    const History read = History::decode(changed);
    if (i < good.size()) CHECK_FALSE(read.nearest(request("sm_80", {})));
  }
  CHECK_FALSE(History::decode({}).nearest(request("sm_80", {})));
}

TEST_CASE("the store remembers by the source's name, for other processes too") {
  StoreFixture f;
  CHECK(explain_miss(f.store.folder(), "a.cu", request("sm_80", {})).empty());
  CHECK_FALSE(std::filesystem::exists(f.directory()));
  record_request(f.store.folder(), "a.cu", request("sm_80", {"-DN=3"}));
  CacheStore other(f.files, f.directory().string());
  CHECK(explain_miss(other.folder(), "a.cu", request("sm_80", {"-DN=3", "-DM"})) == Sentences{"option -DM is new"});
  CHECK(explain_miss(other.folder(), "b.cu", request("sm_80", {})).empty());
  CHECK(explain_miss(other.folder(), "a.cu", request("sm_80", {"-DN=3"})).at(0).find("as before") != std::string::npos);
  f.files.reset_counts();
  record_request(f.store.folder(), "a.cu", request("sm_80", {"-DN=3"}));
  CHECK(f.files.count("rename") == 0);  // nothing new
  CHECK(folder_stats(f.store.folder()).entries == 0);
  clear_entries(f.store.folder());
  CHECK(f.files_of(".history").empty());
}

TEST_CASE("a history that cannot be read or written explains nothing, and fails nobody") {
  bool failed = true;
  for (int n = 1; failed; ++n) {
    REQUIRE(n < 100);
    StoreFixture f;
    f.files.fail_operation(n, EIO);
    record_request(f.store.folder(), "a.cu", request("sm_80", {}));
    explain_miss(f.store.folder(), "a.cu", request("sm_90", {}));
    failed = f.files.operation_failed();
    f.files.fail_operation(0, 0);
    CHECK(f.files_of(".tmp").empty());
    record_request(f.store.folder(), "a.cu", request("sm_80", {}));
    CHECK(explain_miss(f.store.folder(), "a.cu", request("sm_90", {})) ==
          Sentences{"arch changed from sm_80 to sm_90"});
  }
}

}  // namespace history_test
