#include "base/log.hpp"

#include "base/environment.hpp"
#include "base/fork_safe_instance.hpp"
#include "base/fork_safe_mutex.hpp"
#include "base/printable_text.hpp"

#include <atomic>
#include <cstdio>
#include <memory>
#include <mutex>
#include <optional>
#include <string_view>
#include <utility>

namespace kiln {

namespace {

// The handler and the lock that lets one call in at a time. A child of fork whose parent was inside a call gets a lock
// of its own; the other one stays locked forever.
struct Sink {
  std::mutex calls;
  std::shared_ptr<LogHandler> handler;  // read under either lock, changed under both
};

struct State {
  ForkSafeMutex mutex;
  std::uint64_t generation = fork_generation();
  std::shared_ptr<Sink> sink = std::make_shared<Sink>();
};

State& state() { return fork_safe_instance<State>(); }

std::shared_ptr<Sink> current_sink() {
  State& now = state();
  std::lock_guard<ForkSafeMutex> lock(now.mutex);
  if (now.generation != fork_generation()) {
    // The old sink is leaked with its lock. Its handler is consistent, because fork waits for this mutex.
    auto* old = new std::shared_ptr<Sink>(std::move(now.sink));
    now.sink = std::make_shared<Sink>();
    now.sink->handler = (*old)->handler;  // NOLINT(clang-analyzer-cplusplus.NewDeleteLeaks)
    now.generation = fork_generation();
  }
  return now.sink;
}

std::string_view level_name(LogLevel level) {
  switch (level) {
    case LogLevel::debug:
      return "debug";
    case LogLevel::info:
      return "info";
    case LogLevel::warn:
      return "warning";
    case LogLevel::off:
      break;
  }
  return "";
}

void write_line(LogLevel level, std::string_view message) {
  std::string line = "kiln: ";
  line.append(level_name(level)).append(": ").append(printable_text(message)).append("\n");
  std::fwrite(line.data(), 1, line.size(), stderr);  // one call, so that lines of several ranks do not mix
}

std::optional<LogLevel> parse_level(std::string_view text) {
  if (text == "debug") return LogLevel::debug;
  if (text == "info") return LogLevel::info;
  if (text == "warn") return LogLevel::warn;
  if (text == "off") return LogLevel::off;
  return std::nullopt;
}

LogLevel threshold() {
  std::optional<std::string> text = environment("KILN_LOG");
  if (!text) return LogLevel::warn;
  std::optional<LogLevel> level = parse_level(*text);
  if (level) return *level;
  static std::atomic<bool> warned{false};
  if (!warned.exchange(true))
    write_line(LogLevel::warn, "KILN_LOG=\"" + *text + "\" is none of off, warn, info, debug; warn is used");
  return LogLevel::warn;
}

}  // namespace

bool log_enabled(LogLevel level) noexcept {
  try {
    return level != LogLevel::off && level >= threshold();
  } catch (...) {
    return false;  // no memory to read the variable
  }
}

void log_message(LogLevel level, const std::string& message) noexcept {
  if (!log_enabled(level)) return;
  try {
    std::shared_ptr<Sink> sink = current_sink();
    std::lock_guard<std::mutex> lock(sink->calls);
    if (sink->handler) {
      (*sink->handler)(level, message);
    } else {
      write_line(level, message);
    }
  } catch (...) {  // what a handler throws is dropped, as documented
  }
}

void set_log_handler(LogHandler handler) {
  std::shared_ptr<LogHandler> replacement = handler ? std::make_shared<LogHandler>(std::move(handler)) : nullptr;
  std::shared_ptr<Sink> sink = current_sink();
  // Waits for a running call: after the return nothing of the old handler is in use.
  std::lock_guard<std::mutex> call_lock(sink->calls);
  std::lock_guard<ForkSafeMutex> lock(state().mutex);
  sink->handler.swap(replacement);
}

}  // namespace kiln
