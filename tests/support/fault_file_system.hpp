// A file system that counts its calls and fails where a test asks for it.
#pragma once

#include "base/file_system.hpp"

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace kiln::test {

/// The real file system behind counters and faults. Calls are named as FileSystem's members are; all forms of status
/// count as "status". close() always closes, also where it reports a failure, as the kernel does. Thread-safe.
class FaultFileSystem : public FileSystem {
 public:
  /// Every call of that name fails from now on; 0 heals it.
  void fail_always(const std::string& name, int error) {
    std::lock_guard<std::mutex> lock(mutex_);
    always_[name] = error;
  }
  /// The n-th call of that name from now on (the first is 1) fails, once.
  void fail_nth(const std::string& name, int n, int error) {
    std::lock_guard<std::mutex> lock(mutex_);
    once_[name] = {counts_[name] + n, error};
  }
  /// The n-th call of any name from now on fails, once. n = 0 takes the fault away.
  void fail_operation(int n, int error) {
    std::lock_guard<std::mutex> lock(mutex_);
    any_ = n == 0 ? Fault{} : Fault{total_ + n, error};
  }
  /// Whether the fault of fail_operation has happened.
  bool operation_failed() const {
    std::lock_guard<std::mutex> lock(mutex_);
    return any_.at != 0 && total_ >= any_.at;
  }
  /// No read or write moves more bytes than this; 0 lifts the limit.
  void limit_transfers(std::size_t bytes) {
    std::lock_guard<std::mutex> lock(mutex_);
    limit_ = bytes;
  }
  /// Stops the clock at this time for good. From then on, an hour passes between any two reads of the steady clock, so
  /// that no state is new.
  void set_clock(std::optional<std::int64_t> now_ns) {
    std::lock_guard<std::mutex> lock(mutex_);
    clock_ = now_ns;
  }

  /// Stops the steady clock, so that every state is new.
  void stop_steady_clock() {
    std::lock_guard<std::mutex> lock(mutex_);
    stopped_at_ = FileSystem::steady_ns();
  }

  /// Who this process is said to run as, so that its own files are another's.
  void set_user(std::optional<std::uint32_t> user) {
    std::lock_guard<std::mutex> lock(mutex_);
    user_ = user;
  }

  int count(const std::string& name) const {
    std::lock_guard<std::mutex> lock(mutex_);
    auto it = counts_.find(name);
    return it == counts_.end() ? 0 : it->second;
  }
  /// All calls; the clock is none.
  int total() const {
    std::lock_guard<std::mutex> lock(mutex_);
    return total_;
  }
  void reset_counts() {
    std::lock_guard<std::mutex> lock(mutex_);
    counts_.clear();
    once_.clear();
    any_ = {};
    total_ = 0;
  }
  /// The paths that were opened, in order, since the start or the last clear_opened().
  std::vector<std::string> opened() const {
    std::lock_guard<std::mutex> lock(mutex_);
    return opened_;
  }
  void clear_opened() {
    std::lock_guard<std::mutex> lock(mutex_);
    opened_.clear();
  }

  /// "sync PATH" and "rename FROM", a line's end and TO, in order.
  std::vector<std::string> durable_steps() const {
    std::lock_guard<std::mutex> lock(mutex_);
    return durable_steps_;
  }

  std::int64_t now_ns() override {
    std::lock_guard<std::mutex> lock(mutex_);
    return clock_ ? *clock_ : FileSystem::now_ns();
  }
  std::int64_t steady_ns() override {
    std::lock_guard<std::mutex> lock(mutex_);
    constexpr std::int64_t hour = 3'600'000'000'000;
    if (stopped_at_) return *stopped_at_;
    return FileSystem::steady_ns() + (clock_ ? ++hours_ * hour : 0);
  }
  std::uint32_t user() override {
    std::lock_guard<std::mutex> lock(mutex_);
    return user_ ? *user_ : FileSystem::user();
  }

 protected:
  int do_open(const std::string& path, int flags, unsigned mode) override {
    int error = enter("open");
    if (error != 0) return -error;
    {
      std::lock_guard<std::mutex> lock(mutex_);
      opened_.push_back(path);
    }
    return FileSystem::do_open(path, flags, mode);
  }
  std::ptrdiff_t do_read(int descriptor, void* buffer, std::size_t size) override {
    int error = enter("read");
    return error != 0 ? -error : FileSystem::do_read(descriptor, buffer, limited(size));
  }
  std::ptrdiff_t do_write(int descriptor, const void* bytes, std::size_t size) override {
    int error = enter("write");
    return error != 0 ? -error : FileSystem::do_write(descriptor, bytes, limited(size));
  }
  std::ptrdiff_t do_read_at(int descriptor, void* buffer, std::size_t size, std::int64_t offset) override {
    int error = enter("read_at");
    return error != 0 ? -error : FileSystem::do_read_at(descriptor, buffer, limited(size), offset);
  }
  int do_close(int descriptor) override {
    int error = enter("close");
    int code = FileSystem::do_close(descriptor);
    return error != 0 ? -error : code;
  }
  int do_try_lock(int descriptor, std::int64_t offset, std::int64_t length) override {
    int error = enter("try_lock");
    return error != 0 ? -error : FileSystem::do_try_lock(descriptor, offset, length);
  }
  int do_unlock(int descriptor, std::int64_t offset, std::int64_t length) override {
    int error = enter("unlock");
    return error != 0 ? -error : FileSystem::do_unlock(descriptor, offset, length);
  }
  int do_status(const std::string& path, FileStatus& status) override {
    int error = enter("status");
    return error != 0 ? -error : FileSystem::do_status(path, status);
  }
  int do_status(int descriptor, FileStatus& status) override {
    int error = enter("status");
    return error != 0 ? -error : FileSystem::do_status(descriptor, status);
  }
  int do_link_status(const std::string& path, FileStatus& status) override {
    int error = enter("status");
    return error != 0 ? -error : FileSystem::do_link_status(path, status);
  }
  int do_file_system_type(const std::string& path, std::uint64_t& type) override {
    int error = enter("file_system_type");
    return error != 0 ? -error : FileSystem::do_file_system_type(path, type);
  }
  int do_make_directory(const std::string& path, unsigned mode) override {
    int error = enter("make_directory");
    return error != 0 ? -error : FileSystem::do_make_directory(path, mode);
  }
  int do_rename(const std::string& from, const std::string& to) override {
    int error = enter("rename");
    if (error != 0) return -error;
    note("rename " + from + "\n" + to);
    return FileSystem::do_rename(from, to);
  }
  int do_remove(const std::string& path) override {
    int error = enter("remove");
    return error != 0 ? -error : FileSystem::do_remove(path);
  }
  int do_sync(int descriptor) override {
    int error = enter("sync");
    if (error != 0) return -error;
    note("sync " + std::filesystem::read_symlink("/proc/self/fd/" + std::to_string(descriptor)).string());
    return FileSystem::do_sync(descriptor);
  }
  int do_touch(const std::string& path) override {
    int error = enter("touch");
    return error != 0 ? -error : FileSystem::do_touch(path);
  }
  int do_list(const std::string& path, std::vector<std::string>& names) override {
    int error = enter("list");
    return error != 0 ? -error : FileSystem::do_list(path, names);
  }

 private:
  struct Fault {
    int at = 0;
    int error = 0;
  };

  /// Counts the call; the errno it must fail with, or 0.
  int enter(const std::string& name) {
    std::lock_guard<std::mutex> lock(mutex_);
    int number = ++counts_[name];
    ++total_;
    if (any_.at == total_) return any_.error;
    auto once = once_.find(name);
    if (once != once_.end() && once->second.at == number) return once->second.error;
    auto always = always_.find(name);
    return always == always_.end() ? 0 : always->second;
  }
  void note(std::string step) {
    std::lock_guard<std::mutex> lock(mutex_);
    durable_steps_.push_back(std::move(step));
  }
  std::size_t limited(std::size_t size) const {
    std::lock_guard<std::mutex> lock(mutex_);
    return limit_ == 0 ? size : std::min(size, limit_);
  }

  mutable std::mutex mutex_;
  std::map<std::string, int> counts_;
  std::map<std::string, int> always_;
  std::map<std::string, Fault> once_;
  Fault any_;
  int total_ = 0;
  std::size_t limit_ = 0;
  std::optional<std::int64_t> clock_;
  std::optional<std::int64_t> stopped_at_;
  std::int64_t hours_ = 0;
  std::optional<std::uint32_t> user_;
  std::vector<std::string> opened_;
  std::vector<std::string> durable_steps_;
};

}  // namespace kiln::test
