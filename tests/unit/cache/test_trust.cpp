#include "cache/compile_lock.hpp"
#include "cache/eviction.hpp"
#include "cache/listing.hpp"
#include "store_fixture.hpp"

#include <kiln/error.hpp>
#include <kiln/log.hpp>

#include "environment_guard.hpp"
#include "in_child.hpp"

#include <doctest/doctest.h>

#include <sys/stat.h>

#include <cerrno>
#include <sstream>

namespace trust_test {

using namespace kiln;
using namespace kiln::test;

namespace {

/// A store of its own over the fixture's folder, as another process would have it.
struct OtherProcess {
  explicit OtherProcess(StoreFixture& fixture, Access access = Access::read_write, Trust trust = {})
      : fixture_(fixture), store(fixture.files, fixture.directory().string(), access, std::move(trust)) {}
  std::string look_up() { return code_of(find_and_count(store, fixture_.request, true, fixture_.roots)); }
  StoreFixture& fixture_;
  CacheStore store;
};

/// What is logged while another process looks up twice.
struct Said {
  int warnings = 0, others = 0;
  std::string text;
};
Said said_by_look_ups(StoreFixture& f, Access access, const Trust& trust) {
  OtherProcess other(f, access, trust);
  const std::string file = (f.folder / "said").string();
  CHECK(in_child([&] {
          Said said;
          set_log_handler([&](LogLevel level, const std::string& text) {
            ++(level == LogLevel::warn ? said.warnings : said.others);
            said.text += text;
          });
          const bool right = other.look_up() == "(miss)" && other.look_up() == "(miss)";
          set_log_handler({});
          write_file(file, std::to_string(said.warnings) + " " + std::to_string(said.others) + " " + said.text);
          return right ? 0 : 1;
        }) == 0);
  std::istringstream content(f.folder.read("said"));
  Said said;
  content >> said.warnings >> said.others;
  std::getline(content >> std::ws, said.text, '\0');
  return said;
}

/// Whether the folder is refused with these words, and nothing is served from it or written to it.
void check_refused(StoreFixture& f, const std::string& words) {
  const std::string statistics = f.folder.read("cache/v3/statistics");
  OtherProcess other(f);
  std::vector<std::string> messages;
  const int status = in_child([&] {
    std::string message;
    set_log_handler([&](LogLevel level, const std::string& text) {
      if (level == LogLevel::warn) message += text + "\n";
    });
    bool right = other.look_up() == "(miss)" && other.look_up() == "(miss)";
    other.store.put(f.request, true, f.dependencies(), code_sections("new"));
    right = right && !CompileLock(&other.store).lock(f.request, true, f.roots);
    set_log_handler({});
    const std::size_t found = message.find(words);
    const bool once = found != message.npos && message.find('\n') + 1 == message.size();
    return right && once && message.find("KILN_CACHE_DIR") != message.npos ? 0 : 1;
  });
  CHECK(status == 0);
  CHECK(f.folder.read("cache/v3/statistics") == statistics);
  CHECK(f.files_of(".tmp").empty());
  CHECK_THROWS_WITH_AS(folder_stats(OtherProcess(f).store.folder()), doctest::Contains(words.c_str()), Error);
  CHECK_THROWS_AS(clear_entries(OtherProcess(f).store.folder()), Error);
  CHECK(f.files_of(".code").size() == 1);
}

constexpr mode_t owner_only = 0700;

}  // namespace

TEST_CASE("the folder is looked at with two status calls, the first time only") {
  StoreFixture f;
  f.put("code");
  f.files.reset_counts();
  OtherProcess other(f);
  CHECK(other.look_up() == "code");
  const int first = f.files.total();
  f.files.reset_counts();
  CHECK(other.look_up() == "code");
  CHECK(first == f.files.total() + 2);
}

TEST_CASE("a folder that others can write is not used") {
  StoreFixture f;
  f.put("code");
  for (const mode_t mode : {mode_t{0770}, mode_t{0702}, mode_t{01777}}) {
    CAPTURE(mode);
    ::chmod(f.directory().c_str(), mode);
    check_refused(f, "can be written by other users");
    ::chmod(f.directory().c_str(), owner_only);
    ::chmod((f.directory() / "v3").c_str(), mode);
    check_refused(f, "v3 can be written by other users");
    ::chmod((f.directory() / "v3").c_str(), owner_only);
  }
  ::chmod(f.directory().c_str(), 0755);
  CHECK(OtherProcess(f).look_up() == "code");
}

TEST_CASE("a folder that is a link is not used") {
  StoreFixture f;
  f.put("code");
  std::filesystem::rename(f.directory(), f.folder / "elsewhere");
  std::filesystem::create_directory_symlink(f.folder / "elsewhere", f.directory());
  check_refused(f, "is a symbolic link");
}

TEST_CASE("a folder of another user is not used; to read only, one of an owner that is trusted is") {
  StoreFixture f;
  f.put("code");
  const std::uint32_t owner = FileSystem::real().user();
  f.files.set_user(owner + 1);
  check_refused(f, "belongs to user " + std::to_string(owner));
  CHECK(OtherProcess(f, Access::read_only, Trust{{owner}}).look_up() == "code");
  CHECK(OtherProcess(f, Access::read_only, Trust{{owner + 2}}).look_up() == "(miss)");
}

TEST_CASE("a read-only folder that cannot be used is warned of once, with its way out") {
  StoreFixture f;
  const std::uint32_t owner = FileSystem::real().user();
  const Trust trust{{0}};
  const auto check = [&](const std::string& fault) {
    const Said said = said_by_look_ups(f, Access::read_only, trust);
    CHECK(said.warnings == 1);
    CHECK(said.others == 0);
    CHECK_MESSAGE(said.text.find("the read-only cache folder is not used: " + fault) == 0, said.text);
    CHECK(said.text.find("KILN_CACHE_READ_ONLY_DIRS") != std::string::npos);
    CHECK(said.text.find("KILN_CACHE_DIR") == std::string::npos);
  };
  const std::string root = f.directory().string();
  check(root + " is not there");
  std::filesystem::create_directory(root);
  ::chmod(root.c_str(), owner_only);  // whatever the umask
  check(root + " holds nothing that this version of Kiln reads");
  std::filesystem::remove(root);
  f.put("code");
  ::chmod(root.c_str(), 0770);
  check(root + " can be written by other users (chmod go-w would end that)");
  ::chmod(root.c_str(), owner_only);
  f.files.fail_always("status", EACCES);
  check(root + " cannot be read: Permission denied (chmod -R go+rX " + root + " opens it to others)");
  f.files.fail_always("status", 0);
  f.files.fail_always("open", EACCES);
  check(f.files_of(".manifest").at(0).string() + " cannot be read: Permission denied (chmod -R go+rX " + root);
  f.files.fail_always("open", 0);
  f.files.set_user(owner + 1);
  const Trust other{{owner + 2}};
  const Said said = said_by_look_ups(f, Access::read_only, other);
  CHECK(said.warnings == 1);
  CHECK_MESSAGE(said.text.find("KILN_CACHE_TRUSTED_OWNERS=" + std::to_string(owner) + " or") != std::string::npos,
                said.text);
}

TEST_CASE("an own folder that is not there is no fault, and a read-only one without the entry neither") {
  StoreFixture f;
  CHECK(said_by_look_ups(f, Access::read_write, {}).text.empty());
  f.put("code");
  std::filesystem::remove(f.files_of(".manifest").at(0));
  CHECK(said_by_look_ups(f, Access::read_only, Trust{{0}}).text.empty());
}

TEST_CASE("the fault of a folder, as a person asks for it") {
  StoreFixture f;
  const auto fault = [&](Access access = Access::read_write) { return OtherProcess(f, access).store.folder().fault(); };
  const std::string root = f.directory().string();
  CHECK(fault().empty());
  CHECK(!std::filesystem::exists(root));  // nothing was made
  f.put("code");
  CHECK(fault().empty());
  CHECK(fault(Access::read_only).empty());
  CHECK(f.files_of(".tmp").empty());
  f.files.fail_always("open", EROFS);
  CHECK(fault() == "nothing can be written in " + root + "/v3/tmp: Read-only file system");
  CHECK(fault(Access::read_only).empty());
  f.files.fail_always("open", 0);
  f.files.fail_always("list", EACCES);
  CHECK(fault(Access::read_only) ==
        root + "/v3/entries cannot be read: Permission denied (chmod -R go+rX " + root + " opens it to others)");
  f.files.fail_always("list", 0);
  ::chmod(root.c_str(), 0770);
  CHECK(fault() == root + " can be written by other users (chmod go-w would end that)");
}

TEST_CASE("a folder below a HOME that is not there has a fault") {
  StoreFixture f;
  const std::string home = (f.folder / "nobody").string();
  kiln::test::EnvironmentGuard guard({{"HOME", home}});
  CacheStore store(f.files, home + "/.cache/kiln");
  CHECK(store.folder().fault() == "HOME, " + home + ", is not there, and Kiln does not make it");
  CHECK(!std::filesystem::exists(home));
}

TEST_CASE("an entry that others can write is not served, and the next store replaces it") {
  StoreFixture f;
  f.put("code");
  ::chmod(f.files_of(".code").at(0).c_str(), 0622);
  CHECK(code_of(f.look_up()) == "(miss)");
  const CacheStats stats = folder_stats(f.store.folder());
  CHECK(stats.refused == 1);
  CHECK(stats.refused_untrusted == 1);
  CHECK(stats.corrupt == 0);
  f.put("code");
  CHECK(code_of(f.look_up()) == "code");
}

TEST_CASE("an entry of another user is not served, also where it came after the folder was looked at") {
  StoreFixture f;
  f.put("code");
  OtherProcess other(f);
  CHECK(other.look_up() == "code");
  f.files.set_user(FileSystem::real().user() + 1);
  CHECK(other.look_up() == "(miss)");
  CHECK(f.files_of(".code").size() == 1);
}

TEST_CASE("owners are told by name or number") {
  CHECK(trust_of({}).owners == std::vector<std::uint32_t>{0});
  CHECK(trust_of({"1001", "root", "7"}).owners == std::vector<std::uint32_t>{0, 7, 1001});
  CHECK_THROWS_WITH_AS(trust_of({"nobody of that name"}), doctest::Contains("nobody of that name"), ArgumentError);
  CHECK_THROWS_AS(trust_of({"12x"}), ArgumentError);
  int warnings = 0;
  set_log_handler([&](LogLevel, const std::string& text) { warnings += text.find("\"12x\"") != text.npos; });
  CHECK(trust_of({"7"}, {"12x", "1001"}).owners == std::vector<std::uint32_t>{0, 7, 1001});
  CHECK(trust_of({}, {"12x"}).owners == std::vector<std::uint32_t>{0});
  set_log_handler({});
  CHECK(warnings == 1);
}

}  // namespace trust_test
