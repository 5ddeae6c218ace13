// One cache and one tree on hosts that number their devices differently, and folders in which something is made all the
// time: what is compared again, and how often a manifest is written.
#include "store_fixture.hpp"

#include <doctest/doctest.h>

#include <cerrno>
#include <functional>
#include <string>
#include <utility>

namespace hosts_test {

using namespace kiln;
using namespace kiln::test;

namespace {

constexpr std::int64_t second = 1'000'000'000;

/// The tree as one host after another sees it.
struct HostFileSystem : FaultFileSystem {
  std::uint64_t device = 1;
  std::uint64_t toolkit = 0;  // each host may have its own
  std::function<void()> when_header_is_read;

 protected:
  int do_status(const std::string& path, FileStatus& status) override {
    const int code = FaultFileSystem::do_status(path, status);
    status.device = device;
    if (path.ends_with("package")) status.inode += toolkit;
    return code;
  }
  int do_status(int descriptor, FileStatus& status) override {
    const int code = FaultFileSystem::do_status(descriptor, status);
    status.device = device;
    return code;
  }
  int do_open(const std::string& path, int flags, unsigned mode) override {
    if (path.ends_with("own.h"))
      if (const auto action = std::exchange(when_header_is_read, {})) action();
    return FaultFileSystem::do_open(path, flags, mode);
  }
};

struct Hosts : StoreFixture {
  Hosts() {
    at(3600 * second);
    folder.write("build/other", "");
    store.put(request, true, found(), code_sections("code"));
  }
  /// The clock stands so long after now.
  void at(std::int64_t ns) { hosts.set_clock(FileSystem::real().now_ns() + ns); }
  Dependencies found() {
    Dependencies found = dependencies();
    FolderDependency build;
    build.path = {-1, (folder / "build").string()};
    FileSystem::real().status(build.path.path, build.status);
    build.headers = {{"own.h", Digest{}}, {"more.h", Digest{}}};
    found.folders.push_back(build);
    for (FileDependency& file : found.files) file.status.device = 1;
    for (FolderDependency& one : found.folders) one.status.device = 1;
    return found;
  }
  struct Cost {
    bool is_hit = false;
    bool reads = false;  // a header
    int writes = 0;      // of the manifest
    int looks = 0;
    friend bool operator==(const Cost&, const Cost&) = default;
  };
  Cost look_up(std::uint64_t device) {
    hosts.device = device;
    hosts.reset_counts();
    hosts.clear_opened();
    Cost cost;
    cost.is_hit = code_of(find_and_count(store, request, true, roots)) == "code";
    for (const std::string& path : hosts.opened()) cost.reads |= path.ends_with(".h");
    cost.writes = hosts.count("rename");
    cost.looks = hosts.count("status");
    return cost;
  }

  HostFileSystem hosts;
  CacheStore store{hosts, directory().string()};
};

constexpr int warm_looks = 2 + 4;  // manifest and entry; a file, two folders, an absent path

}  // namespace

TEST_CASE("64 hosts in turn: each compares contents once") {
  Hosts f;
  for (std::uint64_t host = 1; host <= 64; ++host) {
    CAPTURE(host);
    const Hosts::Cost first = f.look_up(host);
    CHECK(first.is_hit);
    CHECK(first.reads == (host != 1));
    CHECK(first.writes == (host != 1));
  }
  for (const std::uint64_t host : std::initializer_list<std::uint64_t>{64, 1, 17, 33, 2})
    CHECK(f.look_up(host) == Hosts::Cost{true, false, 0, warm_looks});
  f.folder.write("own.h", "OWN");
  for (const std::uint64_t host : std::initializer_list<std::uint64_t>{1, 64}) CHECK_FALSE(f.look_up(host).is_hit);
}

TEST_CASE("more numbers than a manifest keeps: the newest stay") {
  Hosts f;
  const std::uint64_t most = Manifest::max_device_numbers;
  for (std::uint64_t host = 2; host <= most + 10; ++host) f.look_up(host);
  CHECK_FALSE(f.look_up(most + 10).reads);
  CHECK_FALSE(f.look_up(11).reads);
  CHECK(f.look_up(10).reads);
  CHECK(f.look_up(10) == Hosts::Cost{true, false, 0, warm_looks});
}

TEST_CASE("64 hosts, each with a toolkit of its own: each compares once; more than that write once a minute") {
  Hosts f;
  for (const bool first : {true, false})
    for (std::uint64_t host = 0; host < Manifest::max_states; ++host) {
      CAPTURE(host);
      f.hosts.toolkit = host;
      const Hosts::Cost cost = f.look_up(1);
      CHECK(cost.is_hit);
      CHECK(cost.reads == (first && host != 0));
      CHECK(cost.writes == cost.reads);
    }
  f.at(30 * second);
  f.hosts.toolkit = 100;
  for (int i = 0; i < 3; ++i) {
    const Hosts::Cost cost = f.look_up(1);
    CHECK(cost.is_hit);
    CHECK(cost.reads);
    CHECK(cost.writes == 0);
  }
  f.at(90 * second);
  CHECK(f.look_up(1).writes == 1);
  CHECK_FALSE(f.look_up(1).reads);
}

TEST_CASE("two hosts that compare at one time both keep what they found out") {
  Hosts f;
  f.hosts.when_header_is_read = [&] {
    CHECK(f.look_up(3).reads);
    f.hosts.device = 2;
  };
  CHECK(f.look_up(2).is_hit);
  CHECK_FALSE(f.look_up(3).reads);
  CHECK_FALSE(f.look_up(2).reads);
  CHECK_FALSE(f.look_up(1).reads);
}

TEST_CASE("a folder in which things are made all the time: names are looked for, at most one manifest a minute") {
  Hosts f;
  f.look_up(2);
  int writes = 0;
  f.at(30 * second);
  for (std::uint64_t i = 0; i < 10; ++i) {
    f.folder.write("build/object" + std::to_string(i), "");
    const Hosts::Cost cost = f.look_up(1 + i % 2);
    CHECK(cost.is_hit);
    CHECK_FALSE(cost.reads);
    CHECK(cost.looks == warm_looks + 1 + 2);  // the lists of names, and two names
    writes += cost.writes;
  }
  CHECK(writes == 0);
  f.at(90 * second);
  CHECK(f.look_up(1).writes == 1);
  f.at(30 * second);
  for (const std::uint64_t host :
       std::initializer_list<std::uint64_t>{1, 2})  // what the hosts had compared still stands
    CHECK(f.look_up(host) == Hosts::Cost{true, false, 0, warm_looks});
  f.folder.write("build/own.h", "");
  CHECK_FALSE(f.look_up(1).is_hit);
  CHECK_FALSE(f.look_up(2).is_hit);
}

TEST_CASE("the manifest of a folder that changes all the time does not grow") {
  Hosts f;
  const auto size = [&] { return std::filesystem::file_size(f.files_of(".manifest").at(0)); };
  f.look_up(1);
  const auto before = size();
  for (int i = 0; i < 5; ++i) {
    f.folder.write("build/object" + std::to_string(i), "");
    CHECK(f.look_up(1).writes == 1);  // the clock is an hour ahead
  }
  CHECK(size() == before);
}

TEST_CASE("files whose times do not tell: no manifest is written for them") {
  Hosts f;
  f.hosts.fail_always("file_system_type", ENOSYS);
  Dependencies found = f.found();
  for (FileDependency& file : found.files) file.reliable_times = false;
  f.folder.write("own.h", "own of an image");
  found.files[0].digest = digest_of("own of an image");
  FileSystem::real().status(found.files[0].path.path, found.files[0].status);
  found.files[0].status.device = 1;
  f.store.put(f.request, true, found, code_sections("code"));
  f.at(30 * second);
  for (int i = 0; i < 3; ++i) {
    const Hosts::Cost cost = f.look_up(1);
    CHECK(cost.is_hit);
    CHECK(cost.reads);
    CHECK(cost.writes == 0);
  }
}

}  // namespace hosts_test
