// One compile for all who want it, and nobody waits who need not. What happened is read off the folder's counters.
#include <kiln/cache.hpp>
#include <kiln/compile.hpp>
#include <kiln/error.hpp>
#include <kiln/log.hpp>

#include "base/checksum.hpp"
#include "base/digest.hpp"
#include "cache/key_lock.hpp"
#include "cache/store.hpp"
#include "environment_guard.hpp"
#include "in_child.hpp"
#include "key_pair.hpp"
#include "scratch_folder.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include <fcntl.h>
#include <unistd.h>

namespace sharing_test {

using namespace kiln;
using kiln::test::in_child;
using kiln::test::ScratchFolder;

namespace {

struct Place {
  ScratchFolder scratch;
  CompileOptions options() const { return CompileOptions{}.with_arch("sm_80").with_caching({scratch / "cache"}); }
  CacheStats stats() const { return Cache(scratch / "cache").stats(); }
};

std::string kernel(const std::string& name) { return "extern \"C\" __global__ void " + name + "() {}"; }

/// Runs `work` in that many threads at once.
template <class Work>
void in_threads(int count, const Work& work) {
  std::vector<std::thread> threads;
  for (int i = 0; i < count; ++i) threads.emplace_back([&work, i] { work(i); });
  for (std::thread& thread : threads) thread.join();
}

/// All turns of a cache folder, as if another process compiled everything that anyone could want.
class AllTurns {
 public:
  explicit AllTurns(const Place& place)
      : descriptor_(::open((place.scratch / "cache/v3/lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600)) {
    REQUIRE(FileSystem::real().try_lock(descriptor_, 0, KeyLock::eviction_offset) == 0);
  }
  ~AllTurns() { ::close(descriptor_); }
  AllTurns(const AllTurns&) = delete;
  AllTurns& operator=(const AllTurns&) = delete;

 private:
  int descriptor_;
};

}  // namespace

TEST_CASE("threads that ask for the same compile it once") {
  Place place;
  std::atomic<int> compiled{0};
  std::string first;
  std::mutex mutex;
  in_threads(16, [&](int) {
    const CodeObject code = compile(kernel("together"), place.options());
    if (!code.from_cache()) ++compiled;
    const std::lock_guard lock(mutex);
    if (first.empty()) first = code.bytes();
    CHECK(code.bytes() == first);
  });
  CHECK(compiled == 1);
  CHECK(place.stats().compiles == 1);
  CHECK(place.stats().stores == 1);
}

TEST_CASE("threads that ask for different things each get their own") {
  Place place;
  in_threads(8, [&](int i) {
    const std::string name = "kernel_" + std::to_string(i);
    CHECK(compile(kernel(name), place.options()).kernels().at(0).name == name);
  });
  CHECK(place.stats().compiles == 8);
}

TEST_CASE("a failed compile fails for all who wait, is not stored, and hinders no later one") {
  Place place;
  std::atomic<int> failures{0};
  in_threads(8, [&](int) {
    try {
      compile("this is no CUDA", place.options());
    } catch (const CompileError& error) {
      if (std::string(error.what()).find("this is no CUDA") != std::string::npos) ++failures;
    }
  });
  CHECK(failures == 8);
  CHECK(place.stats().stores == 0);
  CHECK(place.stats().entries == 0);
  CHECK_THROWS_AS(compile("this is no CUDA", place.options()), CompileError);
  CHECK(in_child([&] {
          try {
            compile("this is no CUDA", place.options());
          } catch (const CompileError&) {
            return 0;
          }
          return 1;
        }) == 0);
}

TEST_CASE("a hit does not wait for a compile, neither in memory nor on disk") {
  Place place;
  compile(kernel("known"), place.options());
  REQUIRE(in_child([&] { return compile(kernel("stored"), place.options()).from_cache() ? 1 : 0; }) == 0);
  std::optional<AllTurns> all(std::in_place, place);
  std::atomic<bool> done{false};
  std::thread slow([&] {
    compile(kernel("slow"), place.options());
    done = true;
  });
  while (place.stats().waits == 0) std::this_thread::yield();
  CHECK(compile(kernel("known"), place.options()).from_cache());   // would hang
  CHECK(compile(kernel("stored"), place.options()).from_cache());  // likewise
  CHECK_FALSE(done);
  all.reset();
  slow.join();
  CHECK(place.stats().compiles == 3);
}

TEST_CASE("processes that ask for the same compile it once") {
  Place place;
  std::vector<std::thread> threads;
  std::atomic<int> compiled{0};
  in_threads(6, [&](int) {
    const int status = in_child([&] { return compile(kernel("ranks"), place.options()).from_cache() ? 10 : 20; });
    CHECK((status == 10 || status == 20));
    if (status == 20) ++compiled;
  });
  CHECK(compiled == 1);
  const CacheStats stats = place.stats();
  CHECK(stats.compiles == 1);
  CHECK(stats.misses == 1);
  CHECK(stats.hits == 5);
}

TEST_CASE("a compile releases its lock at its end, also where it fails or must not be kept") {
  Place place;
  CHECK_THROWS_AS(compile("this is no CUDA", place.options()), CompileError);
  compile("extern \"C\" __global__ void k(const char** a) { *a = __TIME__; }", place.options());
  compile(kernel("kept"), place.options());
  const AllTurns all(place);  // every one is free
}

TEST_CASE("a read-only cache serves where the own one has nothing; the own one is counted and the other untouched") {
  Place place;
  const ScratchFolder tier;
  const auto warm = place.options().with_caching({tier / "cache"});
  REQUIRE(in_child([&] { return compile(kernel("shipped"), warm).from_cache() ? 1 : 0; }) == 0);
  const CacheStats before = Cache(tier / "cache").stats();
  auto options = place.options();
  options.caching.read_only_dirs = {tier / "cache"};
  CHECK(in_child([&] { return compile(kernel("shipped"), options).from_cache() ? 0 : 1; }) == 0);
  CHECK(in_child([&] { return compile(kernel("unknown"), options).from_cache() ? 1 : 0; }) == 0);
  CHECK(place.stats().hits == 1);
  CHECK(place.stats().misses == 1);
  CHECK(place.stats().entries == 1);
  CHECK(Cache(tier / "cache").stats().hits == before.hits);
  auto others = options;
  others.caching.trusted_owners = {"no such user"};
  CHECK_THROWS_AS(compile(kernel("shipped"), others), ArgumentError);
  kiln::test::EnvironmentGuard guard;
  guard.set("KILN_CACHE_TRUSTED_OWNERS", "no such user");  // at worst no cache: never a program that fails
  CHECK(in_child([&] { return compile(kernel("shipped"), options).from_cache() ? 0 : 1; }) == 0);
}

TEST_CASE("a read-only cache of a stranger serves what a trusted key signed; what was tampered with is compiled") {
  Place place;
  const ScratchFolder tier;
  const auto keys = kiln::test::write_key_pair(tier.path(), "site", 1);
  const auto warm = place.options().with_caching({tier / "cache"});
  REQUIRE(in_child([&] {
            compile(kernel("shipped"), warm);
            compile(kernel("tampered"), warm);
            return 0;
          }) == 0);
  CHECK(Cache(tier / "cache").sign(keys.private_file) == 2);
  std::vector<std::filesystem::path> files;
  for (const auto& item : std::filesystem::recursive_directory_iterator(tier / "cache")) {
    if (::geteuid() == 0) REQUIRE(::chown(item.path().c_str(), 4711, 4711) == 0);
    std::filesystem::permissions(item.path(), std::filesystem::perms::group_write, std::filesystem::perm_options::add);
    if (item.path().extension() == ".code") files.push_back(item.path());
  }
  for (const auto& file : files) {
    std::string bytes = kiln::test::file_bytes(file);
    const std::size_t at = bytes.find("tampered");
    if (at == std::string::npos) continue;
    bytes[at] = 'T';
    bytes.replace(bytes.size() - 16, 16, checksum_of(bytes.substr(0, bytes.size() - 16)).view());
    kiln::test::write_file(file, bytes);
  }
  auto options = place.options();
  options.caching.read_only_dirs = {tier / "cache"};
  const auto is_served = [&](const char* name) {
    return in_child([&] { return compile(kernel(name), options).from_cache() ? 1 : 0; }) == 1;
  };
  CHECK_FALSE(is_served("shipped"));
  CHECK(place.stats().refused_untrusted == 0);  // the folder was, not a file
  Cache(place.scratch / "cache").clear();
  options.caching.public_keys = {keys.public_file};
  CHECK(is_served("shipped"));
  CHECK_FALSE(is_served("tampered"));
  CHECK(place.stats().refused_untrusted == 1);
  CHECK(place.stats().hits == 1);
  CHECK(place.stats().compiles == 2);
  options.caching.public_keys = {tier / "no.pub"};
  CHECK_THROWS_WITH_AS(compile(kernel("other"), options), doctest::Contains("no.pub"), Error);
  options.caching.public_keys.clear();
  Cache(place.scratch / "cache").clear();
  kiln::test::EnvironmentGuard guard;
  guard.set("KILN_CACHE_PUBLIC_KEYS", keys.public_file);
  CHECK(is_served("shipped"));
  guard.set("KILN_CACHE_PUBLIC_KEYS", (tier / "no.pub").string());  // a program does not fail for it
  CHECK_FALSE(is_served("shipped"));
}

TEST_CASE("who fills a cache that others only read is not warned that it is not there yet") {
  Place place;
  const ScratchFolder tier;
  auto options = place.options().with_caching({tier / "cache"});
  options.caching.read_only_dirs = {tier / "cache"};
  const auto warnings_of = [&](const char* name) {
    return in_child([&] {
      int warnings = 0;
      set_log_handler([&](LogLevel level, const std::string&) { warnings += level == LogLevel::warn; });
      compile(kernel(name), options);
      set_log_handler({});
      return warnings;
    });
  };
  CHECK(warnings_of("shipped") == 0);
  CHECK(Cache(tier / "cache").stats().entries == 1);
  options.caching.read_only_dirs = {tier / "missing"};
  CHECK(warnings_of("other") == 1);
}

}  // namespace sharing_test
