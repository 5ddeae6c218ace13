#include "cache/eviction.hpp"
#include "cache/location.hpp"
#include "cache/open_stores.hpp"

#include "environment_guard.hpp"
#include "scratch_folder.hpp"

#include <kiln/cache.hpp>
#include <kiln/error.hpp>
#include <kiln/log.hpp>

#include <doctest/doctest.h>

#include <filesystem>

namespace location_test {

using namespace kiln;
using kiln::test::EnvironmentGuard;

namespace {

EnvironmentGuard& clear_all(EnvironmentGuard& guard) {
  for (const char* name :
       {"KILN_CACHE_DIR", "PYCUDA_CACHE_DIR", "XDG_CACHE_HOME", "HOME", "KILN_DISABLE_CACHE", "PYCUDA_DISABLE_CACHE"})
    guard.unset(name);
  return guard;
}

}  // namespace

TEST_CASE("the order of the places") {
  EnvironmentGuard guard;
  clear_all(guard);
  CHECK(cache_location({}) == std::nullopt);
  guard.set("HOME", "/home/one");
  CHECK(cache_location({}) == "/home/one/.cache/kiln");
  guard.set("XDG_CACHE_HOME", "/xdg");
  CHECK(cache_location({}) == "/xdg/kiln");
  guard.set("PYCUDA_CACHE_DIR", "/pycuda");
  CHECK(cache_location({}) == "/pycuda");
  guard.set("KILN_CACHE_DIR", "/kiln");
  CHECK(cache_location({}) == "/kiln");
  CHECK(cache_location("/given") == "/given");
}

TEST_CASE("relative places") {
  EnvironmentGuard guard;
  clear_all(guard).set("XDG_CACHE_HOME", "relative");
  CHECK(cache_location({}) == std::nullopt);
  guard.set("HOME", "relative");
  CHECK(cache_location({}) == std::nullopt);
  const std::filesystem::path here = std::filesystem::current_path();
  guard.set("KILN_CACHE_DIR", "relative");
  CHECK(cache_location({}) == here / "relative");
  CHECK(cache_location("given") == here / "given");
}

TEST_CASE("that all must be in the cache is asked by any word but no") {
  EnvironmentGuard guard;
  guard.unset("KILN_REQUIRE_CACHED");
  CHECK_FALSE(cache_required());
  for (const char* no : {"", "0", "no", "off", "false"}) {
    CAPTURE(no);
    guard.set("KILN_REQUIRE_CACHED", no);
    CHECK_FALSE(cache_required());
  }
  for (const char* yes : {"1", "yes", "on", "true", "00"}) {
    CAPTURE(yes);
    guard.set("KILN_REQUIRE_CACHED", yes);
    CHECK(cache_required());
  }
}

TEST_CASE("the cache is off at any value of either variable") {
  EnvironmentGuard guard;
  clear_all(guard);
  CHECK_FALSE(cache_disabled());
  guard.set("PYCUDA_DISABLE_CACHE", "0");
  CHECK(cache_disabled());
  guard.unset("PYCUDA_DISABLE_CACHE");
  guard.set("KILN_DISABLE_CACHE", "");
  CHECK(cache_disabled());
}

TEST_CASE("a Cache without a folder says what to do; one whose folder is not there has zeros and makes nothing") {
  EnvironmentGuard guard;
  clear_all(guard);
  try {
    Cache cache;
    FAIL("made");
  } catch (const Error& error) {
    CHECK(std::string(error.what()).find("KILN_CACHE_DIR") != std::string::npos);
  }
  test::ScratchFolder folder;
  guard.set("KILN_CACHE_DIR", (folder / "none").string());
  const Cache cache;
  CHECK(cache.directory() == folder / "none");
  CHECK(cache.stats().hits == 0);
  CHECK(cache.stats().bytes == 0);
  CHECK(clear_entries(open_store(cache.directory().string()).folder()) == 0);
  CHECK_FALSE(std::filesystem::exists(folder / "none"));
}

TEST_CASE("a Cache that cannot be read is an error that names the folder") {
  test::ScratchFolder folder;
  folder.write("cache/v3/entries", "a file where a folder should be");
  const Cache cache(folder / "cache");
  for (const bool clear : {false, true}) try {
      clear ? static_cast<void>(clear_entries(open_store(cache.directory().string()).folder()))
            : static_cast<void>(cache.stats());
      FAIL("read");
    } catch (const Error& error) {
      CHECK(std::string(error.what()).find((folder / "cache").string()) != std::string::npos);
    }
}

TEST_CASE("folders that are only read: from the root on, and no empty ones") {
  EnvironmentGuard guard;
  guard.unset("KILN_CACHE_READ_ONLY_DIRS");
  CHECK(read_only_dirs().empty());
  guard.set("KILN_CACHE_READ_ONLY_DIRS", "/a b::relative:/c:");
  int warnings = 0;
  set_log_handler([&](LogLevel, const std::string& text) { warnings += text.find("\"relative\"") != text.npos; });
  CHECK(read_only_dirs() == std::vector<std::string>{"/a b", "/c"});
  CHECK(read_only_dirs().size() == 2);
  set_log_handler({});
  CHECK(warnings == 1);
  guard.set("KILN_CACHE_TRUSTED_OWNERS", "builder,1001");
  CHECK(trusted_owners() == std::vector<std::string>{"builder", "1001"});
}

TEST_CASE("the limit: 1 GiB, a size, none, and a warning for what is no size") {
  EnvironmentGuard guard;
  guard.unset("KILN_CACHE_MAX_SIZE");
  CHECK(cache_size_limit() == std::uint64_t{1} << 30);
  guard.set("KILN_CACHE_MAX_SIZE", "500M");
  CHECK(cache_size_limit() == std::uint64_t{500} << 20);
  guard.set("KILN_CACHE_MAX_SIZE", "0");
  CHECK(cache_size_limit() == 0);
  int warnings = 0;
  set_log_handler([&](LogLevel, const std::string& text) { warnings += text.find("\"lots\"") != text.npos; });
  guard.set("KILN_CACHE_MAX_SIZE", "lots");
  CHECK(cache_size_limit() == std::uint64_t{1} << 30);
  CHECK(cache_size_limit() == std::uint64_t{1} << 30);
  set_log_handler({});
  CHECK(warnings == 1);
}

TEST_CASE("the limit in memory: 256 MiB, a size, none, and a warning for what is no size") {
  EnvironmentGuard guard;
  guard.unset("KILN_CACHE_MAX_MEMORY");
  CHECK(cache_memory_limit() == std::uint64_t{256} << 20);
  guard.set("KILN_CACHE_MAX_MEMORY", "64M");
  CHECK(cache_memory_limit() == std::uint64_t{64} << 20);
  guard.set("KILN_CACHE_MAX_MEMORY", "0");
  CHECK(cache_memory_limit() == 0);
  int warnings = 0;
  set_log_handler(
      [&](LogLevel, const std::string& text) { warnings += text.find("KILN_CACHE_MAX_MEMORY=\"much\"") != text.npos; });
  guard.set("KILN_CACHE_MAX_MEMORY", "much");
  CHECK(cache_memory_limit() == std::uint64_t{256} << 20);
  CHECK(cache_memory_limit() == std::uint64_t{256} << 20);
  set_log_handler({});
  CHECK(warnings == 1);
}

}  // namespace location_test
