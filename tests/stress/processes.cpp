// Many processes want code from one folder at once: one of them compiles it, whatever becomes of that one. That they
// do meet is made sure of by events: a compile goes on once the others wait for it. KILN_STRESS_SECONDS: go on for as
// long.
#include "cache/compile_lock.hpp"
#include "cache/key_lock.hpp"
#include "cache/listing.hpp"
#include "crew.hpp"
#include "locked_compile.hpp"
#include "rounds.hpp"

#include <kiln/error.hpp>
#include <kiln/log.hpp>

#include <doctest/doctest.h>

#include <atomic>
#include <chrono>

using namespace kiln;
using namespace kiln::test;

namespace {

constexpr int ranks = 64;
constexpr int some = 16;

struct Board {
  std::atomic<int> waiting{0};    // processes that met another's lock
  std::atomic<int> compiling{0};  // compiles begun
  std::atomic<int> warnings{0};
  std::atomic<int> refused{0};
  std::atomic<pid_t> grandchild{0};
};

/// Notes on the board when another process has the lock.
class Watching : public FileSystem {
 public:
  Watching(Board& board, const CacheKey& request) : board_(board), offset_(KeyLock::offset_of(request.name)) {}

 protected:
  int do_try_lock(int descriptor, std::int64_t offset, std::int64_t length) override {
    const int code = FileSystem::do_try_lock(descriptor, offset, length);
    if (code == -EAGAIN && offset == offset_ && !noted_) {
      noted_ = true;
      ++board_.waiting;
    }
    return code;
  }

 private:
  Board& board_;
  const std::int64_t offset_;
  bool noted_ = false;
};

/// Counts that met a lock are kept for the next time; a process that ends has none.
void count_to_the_end(CacheStore& store) {
  for (int i = 0; i < 100; ++i) store.folder().write_counts();
}

struct Site {
  ScratchFolder folder;
  Shared<Board> board;
  Source source = plain_source(1);

  CacheStore store() const { return CacheStore(FileSystem::real(), directory()); }
  std::string directory() const { return (folder / "cache").string(); }
  std::string right() const { return right_code(source.request); }

  template <class Compiler>
  bool compile(Compiler compiler, std::chrono::milliseconds timeout = CompileLock::default_timeout) const {
    Watching files(*board, source.request);
    CacheStore store(files, directory());
    const std::string code = locked_compile(
        store, source,
        [&] {
          ++board->compiling;
          compiler();
          return right();
        },
        timeout);
    count_to_the_end(store);
    return code == right();
  }
  bool compile() const {
    return compile([] {});
  }
  /// Compiles for ever.
  [[noreturn]] bool hold() const {
    compile([] {
      while (true) ::pause();
    });
    ::abort();
  }
};

}  // namespace

TEST_CASE("one key: one compile, and the right code for all") {
  repeat([](int) {
    const Site site;
    Crew crew;
    for (int i = 0; i < ranks; ++i)
      crew.add([&] {
        return site.compile([&] {
          if (!eventually([&] { return site.board->waiting == ranks - 1; })) ::abort();
        });
      });
    CHECK(crew.run() == ranks);
    CHECK(site.board->compiling == 1);
    const CacheStats stats = folder_stats(site.store().folder());
    CHECK(stats.compiles == 1);
    CHECK(stats.misses == 1);
    CHECK(stats.hits == ranks - 1);
    CHECK(stats.waits == ranks - 1);
    CHECK(stats.stores == 1);
    CHECK(stats.entries == 1);
  });
}

TEST_CASE("as many keys as processes: none waits for another") {
  repeat([](int) {
    const Site site;
    Crew crew;
    for (int i = 0; i < ranks; ++i)
      crew.add([&, i] {
        CacheStore store = site.store();
        const Source source = plain_source(i);
        const std::string code = locked_compile(store, source, [&] {
          ++site.board->compiling;
          if (!eventually([&] { return site.board->compiling == ranks; })) ::abort();
          return right_code(source.request);
        });
        count_to_the_end(store);
        return code == right_code(source.request);
      });
    CHECK(crew.run() == ranks);
    const CacheStats stats = folder_stats(site.store().folder());
    CHECK(stats.compiles == ranks);
    CHECK(stats.misses == ranks);
    CHECK(stats.waits == 0);
    CHECK(stats.stores == ranks);
    CHECK(stats.entries == ranks);
    CacheStore store = site.store();
    for (int i = 0; i < ranks; ++i) CHECK(find_code(store, plain_source(i)) == right_code(plain_source(i).request));
  });
}

TEST_CASE("one who is killed while it compiles frees the others") {
  repeat([](int) {
    const Site site;
    Crew holder;
    const pid_t pid = holder.add([&] { return site.hold(); });
    holder.open_gate();
    REQUIRE(eventually([&] { return site.board->compiling == 1; }));
    Crew others;
    for (int i = 0; i < some; ++i) others.add([&] { return site.compile(); });
    others.open_gate();
    REQUIRE(eventually([&] { return site.board->waiting == some; }));
    CHECK(site.board->compiling == 1);
    ::kill(pid, SIGKILL);
    CHECK(others.wait() == some);
    CHECK(site.board->compiling == 2);
    CHECK(folder_stats(site.store().folder()).compiles == 1);
  });
}

TEST_CASE("a child that lives on does not keep its parent's turn") {
  const Site site;
  Crew holder;
  const pid_t pid = holder.add([&] {
    return site.compile([&] {
      const pid_t child = ::fork();
      if (child == 0) {
        ::alarm(120);
        while (true) ::pause();
      }
      site.board->grandchild = child;
      while (true) ::pause();
    });
  });
  holder.open_gate();
  REQUIRE(eventually([&] { return site.board->grandchild != 0; }));
  Crew others;
  for (int i = 0; i < some; ++i) others.add([&] { return site.compile(); });
  others.open_gate();
  CHECK(eventually([&] { return site.board->waiting == some; }));
  ::kill(pid, SIGKILL);
  CHECK(others.wait() == some);
  CHECK(site.board->compiling == 2);
  CHECK(::kill(site.board->grandchild, 0) == 0);
  ::kill(site.board->grandchild, SIGKILL);
}

TEST_CASE("one who is stopped holds the others up until their timeout, and they say so once") {
  const Site site;
  Crew holder;
  std::atomic<int>& compiling = site.board->compiling;
  const pid_t pid = holder.add([&] {
    return site.compile([&] {
      if (!eventually([&] { return compiling == some + 1; })) ::abort();
    });
  });
  holder.open_gate();
  REQUIRE(eventually([&] { return compiling == 1; }));
  ::kill(pid, SIGSTOP);
  Crew others;
  for (int i = 0; i < some; ++i)
    others.add([&] {
      int warnings = 0;
      set_log_handler([&](LogLevel level, const std::string& message) {
        warnings += level == LogLevel::warn && message.find("another process has been compiling") != message.npos;
      });
      const bool good = site.compile(
          [&] {
            // All at once, so that none finds what another made.
            if (!eventually([&] { return compiling == some + 1; })) ::abort();
          },
          std::chrono::milliseconds(100));
      set_log_handler({});
      site.board->warnings += warnings;
      return good && warnings == 1;
    });
  CHECK(others.run() == some);
  CHECK(site.board->warnings == some);
  CHECK(folder_stats(site.store().folder()).compiles == some);
  ::kill(pid, SIGCONT);
  CHECK(holder.wait() == 1);
  CHECK(folder_stats(site.store().folder()).compiles == some + 1);
  CacheStore store = site.store();
  CHECK(find_code(store, site.source) == site.right());
}

TEST_CASE("a file system without locks: everyone compiles, nothing fails") {
  const Site site;
  Crew crew;
  for (int i = 0; i < some; ++i)
    crew.add([&] {
      FaultFileSystem files;
      files.fail_always("try_lock", ENOLCK);
      CacheStore store(files, site.directory());
      const std::string code = locked_compile(store, site.source, [&] {
        ++site.board->compiling;
        if (!eventually([&] { return site.board->compiling == some; })) ::abort();
        return site.right();
      });
      return code == site.right() && find_code(store, site.source) == site.right();
    });
  CHECK(crew.run() == some);
  CHECK(site.board->compiling == some);
  CHECK(folder_stats(site.store().folder()).entries == 1);
}

TEST_CASE("a compile that fails is not kept, and those who waited for it try themselves, all at once") {
  const Site site;
  Crew crew;
  for (int i = 0; i < some; ++i)
    crew.add([&] {
      try {
        return site.compile([&] {
          if (site.board->compiling == 1) {
            if (!eventually([&] { return site.board->waiting == some - 1; })) ::abort();
            throw Error("does not compile");
          }
          if (!eventually([&] { return site.board->compiling == some; })) ::abort();
        });
      } catch (const Error&) {
        ++site.board->refused;
        return true;
      }
    });
  CHECK(crew.run() == some);
  CHECK(site.board->refused == 1);
  CHECK(site.board->compiling == some);
  const CacheStats stats = folder_stats(site.store().folder());
  CHECK(stats.compiles == some - 1);
  CHECK(stats.stores == some - 1);
  CHECK(stats.entries == 1);
}
