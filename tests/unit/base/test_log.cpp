#include "base/log.hpp"

#include "environment_guard.hpp"
#include "in_child.hpp"
#include "scratch_folder.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <vector>

#include <fcntl.h>
#include <unistd.h>

namespace log_test {

using namespace kiln;
using kiln::test::EnvironmentGuard;
using kiln::test::in_child;

namespace {

struct HandlerScope {
  explicit HandlerScope(LogHandler handler) { set_log_handler(std::move(handler)); }
  ~HandlerScope() { set_log_handler({}); }
};

}  // namespace

TEST_CASE("KILN_LOG chooses what is shown") {
  struct Row {
    std::optional<std::string> value;
    bool debug, info, warn;
  };
  const std::vector<Row> rows = {
      {std::nullopt, false, false, true}, {"warn", false, false, true}, {"info", false, true, true},
      {"debug", true, true, true},        {"off", false, false, false},
  };
  for (const Row& row : rows) {
    CAPTURE(row.value.value_or("(unset)"));
    EnvironmentGuard guard({{"KILN_LOG", row.value}});
    CHECK(log_enabled(LogLevel::debug) == row.debug);
    CHECK(log_enabled(LogLevel::info) == row.info);
    CHECK(log_enabled(LogLevel::warn) == row.warn);
    CHECK_FALSE(log_enabled(LogLevel::off));
  }
}

TEST_CASE("the handler receives what the level lets through") {
  EnvironmentGuard guard({{"KILN_LOG", "info"}});
  std::vector<std::string> seen;
  HandlerScope scope([&](LogLevel level, const std::string& message) {
    seen.push_back(std::to_string(static_cast<int>(level)) + message);
  });
  log_message(LogLevel::debug, "a");
  log_message(LogLevel::info, "b");
  log_message(LogLevel::warn, "c");
  CHECK(seen == std::vector<std::string>{"1b", "2c"});
}

TEST_CASE("what a handler throws is dropped, and the next message arrives") {
  EnvironmentGuard guard({{"KILN_LOG", std::nullopt}});
  int calls = 0;
  HandlerScope scope([&](LogLevel, const std::string&) {
    ++calls;
    throw std::runtime_error("no");
  });
  log_message(LogLevel::warn, "a");
  log_message(LogLevel::warn, "b");
  CHECK(calls == 2);
}

TEST_CASE("standard error gets one line a message; a wrong KILN_LOG is reported once") {
  kiln::test::ScratchFolder folder;
  const std::string file = (folder / "stderr").string();
  EnvironmentGuard guard({{"KILN_LOG", "loud"}});
  REQUIRE(in_child([&] {
            const int descriptor = ::open(file.c_str(), O_WRONLY | O_CREAT, 0600);
            if (descriptor < 0 || ::dup2(descriptor, STDERR_FILENO) < 0) return 1;
            log_message(LogLevel::warn, "first");
            log_message(LogLevel::info, "hidden");
            log_message(LogLevel::warn, "second");
            return 0;
          }) == 0);
  CHECK(folder.read("stderr") ==
        "kiln: warning: KILN_LOG=\"loud\" is none of off, warn, info, debug; warn is used\n"
        "kiln: warning: first\n"
        "kiln: warning: second\n");
}

TEST_CASE("one call at a time, from any thread") {
  EnvironmentGuard guard({{"KILN_LOG", std::nullopt}});
  std::atomic<int> inside{0};
  bool overlapped = false;
  int calls = 0;
  HandlerScope scope([&](LogLevel, const std::string&) {
    if (++inside != 1) overlapped = true;
    ++calls;
    std::this_thread::yield();
    --inside;
  });
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([] {
      for (int n = 0; n < 100; ++n) log_message(LogLevel::warn, "x");
    });
  for (std::thread& thread : threads) thread.join();
  CHECK_FALSE(overlapped);
  CHECK(calls == 400);
}

TEST_CASE("a child can log although another thread was in the handler at the fork") {
  EnvironmentGuard guard({{"KILN_LOG", std::nullopt}});
  std::mutex mutex;
  std::condition_variable changed;
  bool inside = false;
  bool leave = false;
  HandlerScope scope([&](LogLevel, const std::string& message) {
    if (message != "block") return;
    std::unique_lock<std::mutex> lock(mutex);
    inside = true;
    changed.notify_all();
    changed.wait(lock, [&] { return leave; });
  });
  std::thread blocked([] { log_message(LogLevel::warn, "block"); });
  {
    std::unique_lock<std::mutex> lock(mutex);
    changed.wait(lock, [&] { return inside; });
  }
  const int status = in_child([] {
    log_message(LogLevel::warn, "pass");
    set_log_handler({});
    return 7;
  });
  {
    std::lock_guard<std::mutex> lock(mutex);
    leave = true;
  }
  changed.notify_all();
  blocked.join();
  CHECK(status == 7);
}

}  // namespace log_test
