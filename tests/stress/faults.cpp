// The N-th file operation fails, for every N, in what a whole compile does to a cache. (Put and look-up alone:
// unit/cache/test_store_faults.cpp.) The result is right or a clean miss, nothing is left behind, no descriptor is
// lost; and a call that is interrupted costs nothing. KILN_STRESS_SECONDS: go on for as long, with other short reads
// and writes.
#include "cache/compile_lock.hpp"
#include "cache/eviction.hpp"
#include "cache/key_lock.hpp"
#include "cache/listing.hpp"
#include "cache/makers.hpp"
#include "locked_compile.hpp"
#include "rounds.hpp"

#include "environment_guard.hpp"

#include <kiln/error.hpp>

#include <doctest/doctest.h>

#include <cerrno>
#include <functional>

using namespace kiln;
using namespace kiln::test;

namespace {

std::size_t open_descriptors() {
  std::size_t count = 0;
  for ([[maybe_unused]] const auto& item : std::filesystem::directory_iterator("/proc/self/fd")) ++count;
  return count;
}

/// What must hold whatever failed; `interrupted`: nothing did.
struct Trial {
  std::function<void(StoreFixture& f)> prepare;
  std::function<void(StoreFixture& f)> act;
  std::function<void(StoreFixture& f, bool interrupted)> check;
};

void check_nothing_left(StoreFixture& f) {
  f.files.set_clock(FileSystem::real().now_ns() + 49 * hour_ns);
  prune_entries(f.store.folder(), std::nullopt);
  CHECK(f.files_of(".tmp").empty());
}

/// Returns how many operations can fail.
int fail_everywhere(const Trial& trial, int error, std::size_t limit) {
  for (int n = 1;; ++n) {
    REQUIRE(n < 3000);
    CAPTURE(n);
    CAPTURE(error);
    CAPTURE(limit);
    StoreFixture f;
    if (trial.prepare) trial.prepare(f);
    const std::size_t descriptors = open_descriptors();
    f.files.limit_transfers(limit);
    f.files.fail_operation(n, error);
    CHECK_NOTHROW(trial.act(f));
    const bool failed = f.files.operation_failed();
    f.files.fail_operation(0, 0);
    CHECK(open_descriptors() == descriptors);
    trial.check(f, error == EINTR);
    check_nothing_left(f);
    CHECK(open_descriptors() == descriptors);
    if (!failed) return n - 1;
  }
}

void fail_all(const Trial& trial, int at_least) {
  repeat([&](int round) {
    for (const int error : {EIO, ENOSPC, EDQUOT, EINTR, ESTALE, EACCES})
      for (const std::size_t limit : {std::size_t{0}, std::size_t{611} + static_cast<std::size_t>(round)})
        CHECK(fail_everywhere(trial, error, limit) >= at_least);
  });
}

/// Whether another process could take the lock.
bool lock_is_free(StoreFixture& f, const CacheKey& request) {
  FileLock lock(FileSystem::real());
  return lock.open((f.directory() / "v3/lock").string()) == 0 && lock.try_lock(KeyLock::offset_of(request.name)) == 0;
}

void check_locks_work(StoreFixture& f) {
  const CacheKey other("another request");
  CompileLock lock(&f.store);
  CHECK_FALSE(lock.lock(other, false, {}));
  CHECK_FALSE(lock_is_free(f, other));
  lock.release();
  CHECK(lock_is_free(f, other));
}

std::string served(StoreFixture& f, const Source& source) {
  return code_of(find_and_count(f.store, source.request, source.includes, source.roots));
}

}  // namespace

TEST_CASE("a locked compile: find, lock, find, count, put, release") {
  Trial trial;
  std::string code;
  trial.act = [&](StoreFixture& f) { code = locked_compile(f.store, including_source(f)); };
  trial.check = [&](StoreFixture& f, bool interrupted) {
    const Source source = including_source(f);
    const std::string right = right_code(source.request);
    CHECK(code == right);
    const CacheStats stats = folder_stats(f.store.folder());
    CHECK(stats.compiles == 1);
    CHECK(stats.hits == 0);
    CHECK(stats.misses == 1);
    CHECK(stats.stores + stats.store_failures == 1);
    if (interrupted) CHECK(stats.stores == 1);
    CHECK(stats.corrupt == 0);
    CHECK(served(f, source) == (stats.stores == 1 ? right : "(miss)"));
    CHECK(lock_is_free(f, source.request));
    check_locks_work(f);
    CHECK(locked_compile(f.store, source) == right);
    CHECK(served(f, source) == right);
  };
  fail_all(trial, 40);
}

TEST_CASE("a locked compile that finds what another stored, its header touched since") {
  Trial trial;
  std::string code;
  trial.prepare = [](StoreFixture& f) {
    const Source source = including_source(f);
    f.put(right_code(source.request));
    f.folder.write("own.h", "own");
    f.folder.write("package/unrelated.h", "");
  };
  trial.act = [&](StoreFixture& f) { code = locked_compile(f.store, including_source(f)); };
  trial.check = [&](StoreFixture& f, bool interrupted) {
    const std::string right = right_code(f.request);
    CHECK(code == right);
    const CacheStats stats = folder_stats(f.store.folder());
    CHECK(stats.hits + stats.misses == 1);
    if (interrupted) CHECK(stats.hits == 1);
    CHECK(stats.compiles == stats.misses);
    CHECK(stats.corrupt == 0);
    CHECK(served(f, including_source(f)) == right);
    check_locks_work(f);
  };
  fail_all(trial, 20);
}

TEST_CASE("prune") {
  Trial trial;
  bool threw = false;
  trial.prepare = [](StoreFixture& f) {
    for (int i = 0; i < 5; ++i) locked_compile(f.store, plain_source(i));
  };
  trial.act = [&](StoreFixture& f) {
    threw = false;
    try {
      prune_entries(f.store.folder(), 2000);
    } catch (const Error&) {
      threw = true;
    }
  };
  trial.check = [&](StoreFixture& f, bool interrupted) {
    if (interrupted) CHECK_FALSE(threw);  // else: the folder could not be listed, as prune tells
    const CacheStats stats = folder_stats(f.store.folder());
    if (interrupted) {
      CHECK(stats.bytes <= 2000);
      CHECK(stats.evictions == 5 - stats.entries);
    }
    std::uint64_t served_ones = 0;
    for (int i = 0; i < 5; ++i) {
      const std::string code = served(f, plain_source(i));
      CHECK((code == right_code(plain_source(i).request) || code == "(miss)"));
      served_ones += code != "(miss)";
    }
    CHECK(served_ones == stats.entries);
    CHECK(prune_entries(f.store.folder(), 2000).bytes_left <= 2000);
    CHECK(folder_stats(f.store.folder()).bytes <= 2000);
  };
  fail_all(trial, 20);
}

TEST_CASE("a store that makes room") {
  const EnvironmentGuard limit({{"KILN_CACHE_MAX_SIZE", "4k"}});
  Trial trial;
  trial.prepare = [](StoreFixture& f) {
    for (int i = 0; i < 4; ++i) locked_compile(f.store, plain_source(i));
  };
  trial.act = [&](StoreFixture& f) { locked_compile(f.store, plain_source(4)); };
  trial.check = [&](StoreFixture& f, bool interrupted) {
    if (interrupted) CHECK(folder_stats(f.store.folder()).bytes <= 4096);
    for (int i = 0; i < 5; ++i) {
      const std::string code = served(f, plain_source(i));
      CHECK((code == right_code(plain_source(i).request) || code == "(miss)"));
    }
    // What could not be done now is done by the next that stores.
    locked_compile(f.store, plain_source(5));
    locked_compile(f.store, plain_source(6));
    CHECK(folder_stats(f.store.folder()).bytes <= 4096);
  };
  fail_all(trial, 30);
}

TEST_CASE("adopting what a read-only cache served") {
  Trial trial;
  std::string code;
  const auto tier = [](StoreFixture& f) {
    return CacheStore(f.files, (f.folder / "tier").string(), Access::read_only, Trust{});
  };
  trial.prepare = [](StoreFixture& f) {
    const Source source = including_source(f);
    CacheStore site(f.files, (f.folder / "tier").string());
    locked_compile(site, source);
    f.folder.write("own.h", "own");
    f.folder.write("package/unrelated.h", "");
  };
  trial.act = [&](StoreFixture& f) {
    CacheStore site = tier(f);
    auto hit = site.find(f.request, true, f.roots);
    code = code_of(hit);
    if (!hit) return;
    CHECK(hit->refreshed);
    f.store.copy_from(site, f.request, f.roots, *hit);
  };
  trial.check = [&](StoreFixture& f, bool interrupted) {
    const std::string right = right_code(f.request);
    CHECK((code == right || code == "(miss)"));
    const std::string own = served(f, including_source(f));
    CHECK((own == right || own == "(miss)"));
    if (interrupted) CHECK(code == right);
    if (interrupted) CHECK(own == right);
    trial.act(f);
    CHECK(code == right);
    CHECK(served(f, including_source(f)) == right);
    CacheStore site = tier(f);
    CHECK(find_code(site, including_source(f)) == right);
    CHECK(folder_stats(f.store.folder()).corrupt == 0);
  };
  fail_all(trial, 30);
}

TEST_CASE("who made the entries") {
  Trial trial;
  trial.prepare = [](StoreFixture& f) {
    f.put("code");
    add_maker(f.store.folder(), "first");
  };
  trial.act = [](StoreFixture& f) {
    add_maker(f.store.folder(), "second");
    for (const std::string& maker : makers_in(f.store.folder())) CHECK((maker == "first" || maker == "second"));
  };
  trial.check = [](StoreFixture& f, bool interrupted) {
    using Makers = std::vector<std::string>;
    const Makers makers = makers_in(f.store.folder());
    if (interrupted) CHECK(makers == Makers{"second", "first"});
    // One whose note was not read counts as none: it comes again with its next entry.
    CHECK((makers == Makers{"second", "first"} || makers == Makers{"first"} || makers == Makers{"second"}));
    CHECK(folder_stats(f.store.folder()).corrupt == 0);
  };
  fail_all(trial, 8);
}
