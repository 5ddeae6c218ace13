#include "cache/compile_lock.hpp"

#include "base/files.hpp"
#include "base/log.hpp"
#include "base/path_text.hpp"
#include "base/range.hpp"
#include "cache/file_observer.hpp"

#include <exception>
#include <optional>
#include <string>

#include <fcntl.h>

namespace kiln {

namespace {

/// An empty file that says that a compile of that key failed: another one each time. The sweep of temporary files
/// removes it.
std::string failure_mark_path(const CacheFolder& folder, const Digest& key) {
  return folder.temporary_dir() + "/" + key.hex() + std::string(CacheFolder::temporary_suffix);
}

void mark_failure(const CacheFolder& folder, const Digest& key) {
  if (make_directories(folder.files(), folder.temporary_dir()) != 0) return;
  publish_file(folder.files(), folder.temporary_dir(), failure_mark_path(folder, key), {});
}

FileStatus failure_mark(const CacheFolder& folder, const Digest& key) {
  FileStatus status;
  return folder.files().status(failure_mark_path(folder, key), status) == 0 ? status : FileStatus{};
}

/// Makes a network file system query its server again for the folder of that key.
void refresh(const CacheFolder& folder, const Digest& key) {
  const std::string file = folder.path(EntryKind::code, key);
  const int descriptor = folder.files().open(folder_of(file), O_RDONLY | O_DIRECTORY, 0);
  if (descriptor >= 0) folder.files().close(descriptor);
}

/// While another process compiles, one status call shows that there is nothing new to find.
bool has_changed(const CacheFolder& folder, const std::string& path, FileStatus& last) {
  FileStatus now;
  if (folder.files().status(path, now) != 0 || same_file(now, last)) return false;
  last = now;
  return true;
}

}  // namespace

CompileLock::CompileLock(CacheStore* store)
    : store_(store), lock_(store != nullptr ? store->folder().files() : FileSystem::real()) {}

CompileLock::~CompileLock() {
  try {
    if (is_held() && store_->folder().prepare() == 0) mark_failure(store_->folder(), key_);
  } catch (const std::exception&) {  // no memory
  }
}

std::optional<CacheStore::Hit> CompileLock::lock(const CacheKey& request, bool has_dependencies, const Roots& roots,
                                                 const Stop& stop, std::chrono::milliseconds timeout) try {
  if (store_ == nullptr || !store_->folder().is_writable() || store_->folder().prepare() != 0) return std::nullopt;
  CacheFolder& folder = store_->folder();
  key_ = request.name;
  std::optional<CacheStore::Hit> hit;
  const std::string first = folder.path(has_dependencies ? EntryKind::manifest : EntryKind::code, key_);
  FileStatus last;
  bool waited = false;
  std::optional<Range> wait;
  const FileStatus mark = failure_mark(folder, key_);
  const auto has_failed = [&] { return !same_state(failure_mark(folder, key_), mark); };
  const auto is_done = [&] {
    if (has_changed(folder, first, last)) hit = store_->find(request, has_dependencies, roots);
    return hit.has_value() || has_failed() || stop.is_due();
  };
  const auto on_wait = [&] {
    waited = true;
    wait.emplace("wait", "for another process");
    folder.count(Counter::waits);
    folder.write_counts();
    if (log_enabled(LogLevel::info)) log_message(LogLevel::info, "waiting for another process's compile");
  };
  const KeyLock::Result result = lock_.lock(folder.lock_path(), key_, is_done, on_wait, timeout);
  wait.reset();
  if (result == KeyLock::Result::timed_out)
    log_message(LogLevel::warn, "another process has been compiling the same for " +
                                    std::to_string(timeout.count() / 1000) +
                                    " s (it may hang, or be stopped). Kiln goes on without waiting for it");
  if (result != KeyLock::Result::locked) return hit;
  if (waited) refresh(folder, key_);
  hit = store_->find(request, has_dependencies, roots);
  if (hit || (waited && has_failed())) release();
  return hit;
} catch (const std::exception&) {  // no memory
  return std::nullopt;
}

}  // namespace kiln
