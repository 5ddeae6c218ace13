// One compile for all processes that want the same.
#include "base/log.hpp"
#include "cache/store.hpp"

#include <exception>

namespace kiln {

std::optional<CacheStore::Hit> CacheStore::take_turn(const CacheKey& request, bool has_dependencies, const Roots& roots,
                                                     Turn& turn, const Stop& stop) {
  if (!folder_.writable() || has_no_locks_) return std::nullopt;
  std::optional<Hit> hit;
  try {
    if (folder_.prepare() != 0) return hit;
    // While another compiles, one status call tells that there is nothing new to look at.
    const EntryKind first = has_dependencies ? EntryKind::manifest : EntryKind::code;
    FileStatus last;
    bool waited = false;
    const FileStatus mark = folder_.failure_mark(request.name);
    const auto has_failed = [&] { return !same_state(folder_.failure_mark(request.name), mark); };
    const auto look = [&] {
      if (moved(first, request.name, last)) hit = find(request, has_dependencies, roots);
      return hit.has_value() || has_failed() || stop.is_due();
    };
    const auto waits = [&] {
      waited = true;
      count(Counter::waits);
      if (log_enabled(LogLevel::info)) log_message(LogLevel::info, "waiting for another process's compile");
    };
    const Turn::Result result = turn.take(folder_.lock_path(), request.name, look, waits, patience_);
    if (turn.has_no_locks()) has_no_locks_ = true;
    if (result == Turn::Result::overdue)
      log_message(LogLevel::warn, "another process has been compiling the same for " +
                                      std::to_string(patience_.load().count() / 1000) +
                                      " s (it may hang, or be stopped). Kiln goes on without waiting for it");
    if (result != Turn::Result::ours) return hit;
    if (waited) folder_.refresh(request.name);
    hit = find(request, has_dependencies, roots);
    if (hit || (waited && has_failed())) turn.release();
  } catch (const std::exception&) {  // no memory
    hit.reset();
  }
  return hit;
}

void CacheStore::give_up(const CacheKey& request, Turn& turn) {
  try {
    if (turn.is_held() && folder_.prepare() == 0) folder_.mark_failure(request.name);
  } catch (const std::exception&) {  // no memory
  }
  turn.release();
}

bool CacheStore::moved(EntryKind kind, const Digest& key, FileStatus& last) {
  FileStatus now;
  if (files_.status(folder_.path(kind, key), now) != 0 || same_file(now, last)) return false;
  last = now;
  return true;
}

}  // namespace kiln
