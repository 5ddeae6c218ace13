// The N-th file operation fails, for every N: the result is right or a miss, and nothing is left behind.
#include "cache/compile_lock.hpp"
#include "cache/listing.hpp"
#include "cache/open_stores.hpp"
#include "store_fixture.hpp"

#include "base/log.hpp"
#include "environment_guard.hpp"
#include "run_program.hpp"

#include <doctest/doctest.h>

#include <cerrno>

namespace store_faults_test {

using namespace kiln;
using namespace kiln::test;

namespace {

struct Quiet {
  Quiet() {
    set_log_handler([](LogLevel, const std::string&) {});
  }
  ~Quiet() { set_log_handler({}); }
};

void check_put(int error, std::size_t limit) {
  bool failed = true;
  int failures = 0;
  for (int n = 1; failed; ++n) {
    REQUIRE(n < 500);
    CAPTURE(n);
    StoreFixture f;
    f.files.limit_transfers(limit);
    f.files.fail_operation(n, error);
    f.put("code");
    failed = f.files.operation_failed();
    f.files.fail_operation(0, 0);
    CHECK(f.files_of(".tmp").empty());
    const CacheStats stats = folder_stats(f.store.folder());
    CHECK(stats.stores + stats.store_failures == 1);
    failures += static_cast<int>(stats.store_failures);
    if (stats.store_failures == 1) {
      CHECK(f.files_of(".code").empty());
      CHECK(f.files_of(".manifest").empty());
    }
    CHECK(code_of(f.look_up()) == (stats.stores == 1 ? "code" : "(miss)"));
    f.put("code");
    CHECK(code_of(f.look_up()) == "code");
  }
  CHECK(failures > 5);
}

// `refresh`: the states moved, so that contents are read and the manifest is written again.
void check_look_up(int error, std::size_t limit, bool refresh) {
  bool failed = true;
  int misses = 0;
  for (int n = 1; failed; ++n) {
    REQUIRE(n < 500);
    CAPTURE(n);
    StoreFixture f;
    f.put("code");
    if (refresh) {
      f.folder.write("own.h", "own");
      f.folder.write("package/unrelated.h", "");
    }
    f.files.limit_transfers(limit);
    f.files.fail_operation(n, error);
    const std::string found = code_of(f.look_up());
    failed = f.files.operation_failed();
    f.files.fail_operation(0, 0);
    CHECK((found == "code" || found == "(miss)"));
    if (found == "(miss)") ++misses;
    CHECK(f.files_of(".tmp").empty());
    // A fault of the device is no reason to delete anything.
    CHECK(f.files_of(".code").size() == 1);
    CHECK(f.files_of(".manifest").size() == 1);
    CHECK(f.files_of(".headers").size() == 1);
    CHECK(code_of(f.look_up()) == "code");
    const CacheStats stats = folder_stats(f.store.folder());
    CHECK(stats.corrupt == 0);
    CHECK(stats.hits + stats.misses == 2);
  }
  CHECK(misses > (error == ESTALE ? 2 : 5));  // a file that went stale is read once more
}

}  // namespace

TEST_CASE("put") {
  Quiet quiet;
  for (const int error : {EIO, ENOSPC, EACCES})
    for (const std::size_t limit : {std::size_t{0}, std::size_t{100}}) {
      CAPTURE(error);
      CAPTURE(limit);
      check_put(error, limit);
    }
}

TEST_CASE("look_up") {
  Quiet quiet;
  for (const int error : {EIO, ESTALE, EACCES})
    for (const std::size_t limit : {std::size_t{0}, std::size_t{100}})
      for (const bool refresh : {false, true}) {
        CAPTURE(error);
        CAPTURE(limit);
        CAPTURE(refresh);
        check_look_up(error, limit, refresh);
      }
}

// Run by the next test in a process that has its one warning to itself.
TEST_CASE("child: stores that fail" * doctest::skip()) {
  StoreFixture f;
  f.files.fail_always("make_directory", EROFS);
  for (int i = 0; i < 3; ++i) {
    CHECK_FALSE(f.look_up());
    f.put("code");
  }
  StoreFixture other;
  other.folder.write("cache", "a file where the folder should be");
  CHECK_FALSE(other.look_up());
  other.put("code");
  CHECK(folder_stats(f.store.folder()).misses == 3);
  CHECK(folder_stats(f.store.folder()).store_failures == 3);
  CHECK_FALSE(std::filesystem::exists(f.directory()));
}

TEST_CASE("an unwritable folder: everything works, with one warning a process that names the way out") {
  EnvironmentGuard environment({{"KILN_LOG", std::nullopt}});
  const ProgramResult child = run_program(std::filesystem::read_symlink("/proc/self/exe"),
                                          {"--test-case=child: stores that fail", "--no-skip"});
  CAPTURE(child.output);
  CHECK(child.status == 0);
  CHECK(child.output.find("test cases: 1 | 1 passed") != std::string::npos);
  const std::size_t first = child.output.find("kiln: warning: ");
  REQUIRE(first != std::string::npos);
  CHECK(child.output.find("kiln: ", first + 1) == std::string::npos);
  for (const char* part : {"/cache: Read-only file system", "KILN_CACHE_DIR"})
    CHECK(child.output.find(part, first) != std::string::npos);
}

TEST_CASE("a home that is not there is not made, however HOME spells it") {
  const Quiet quiet;
  const ScratchFolder folder;
  const std::string above = (folder / "above").string();
  for (const std::string& home : {above + "/home/", "/" + above + "/home", above + "//home", above + "/./home"}) {
    CAPTURE(home);
    const EnvironmentGuard guard({{"HOME", home}});
    StoreFixture f;
    CacheStore& store = open_store(home + "/.cache/kiln");
    store.put(f.request, false, {}, code_sections("code"));
    CHECK_FALSE(std::filesystem::exists(above));
    std::filesystem::remove_all(above);
  }
}

TEST_CASE("a home that is not there is not made; the folders below one that is are") {
  const Quiet quiet;
  const ScratchFolder folder;
  const std::filesystem::path home = folder / "above/home";
  const EnvironmentGuard guard({{"HOME", home.string()}});
  const auto put = [&] {
    StoreFixture f;
    CacheStore store(FileSystem::real(), (home / ".cache/kiln").string());
    store.put(f.request, false, {}, code_sections("code"));
    { CompileLock(&store).lock(f.request, false, {}); }  // and a compile that failed
    return folder_stats(store.folder());
  };
  CHECK(put().store_failures == 1);
  CHECK_FALSE(std::filesystem::exists(folder / "above"));
  std::filesystem::create_directories(home);
  CHECK(put().stores == 1);
}

}  // namespace store_faults_test
