// A file system in which a process dies.
#pragma once

#include "base/file_system.hpp"

#include <csignal>

#include <unistd.h>

namespace kiln::test {

/// The real one, an hour ahead, that kills this process at its n-th call: before it is made, or after. For one thread.
class MortalFileSystem : public FileSystem {
 public:
  enum class Moment { before, after };
  MortalFileSystem(int n, Moment moment) : n_(n), moment_(moment) {}

  std::int64_t now_ns() override { return FileSystem::now_ns() + 3'600'000'000'000; }

 private:
  template <class Call>
  auto call(Call real) {
    const bool last = ++calls_ == n_;
    if (last && moment_ == Moment::before) die();
    const auto result = real();
    if (last) die();
    return result;
  }

  int do_open(const std::string& path, int flags, unsigned mode) override {
    return call([&] { return FileSystem::do_open(path, flags, mode); });
  }
  std::ptrdiff_t do_read(int descriptor, void* buffer, std::size_t size) override {
    return call([&] { return FileSystem::do_read(descriptor, buffer, size); });
  }
  std::ptrdiff_t do_read_at(int descriptor, void* buffer, std::size_t size, std::int64_t offset) override {
    return call([&] { return FileSystem::do_read_at(descriptor, buffer, size, offset); });
  }
  std::ptrdiff_t do_write(int descriptor, const void* bytes, std::size_t size) override {
    return call([&] { return FileSystem::do_write(descriptor, bytes, size); });
  }
  int do_close(int descriptor) override {
    return call([&] { return FileSystem::do_close(descriptor); });
  }
  int do_sync(int descriptor) override {
    return call([&] { return FileSystem::do_sync(descriptor); });
  }
  int do_try_lock(int descriptor, std::int64_t offset, std::int64_t length) override {
    return call([&] { return FileSystem::do_try_lock(descriptor, offset, length); });
  }
  int do_unlock(int descriptor, std::int64_t offset, std::int64_t length) override {
    return call([&] { return FileSystem::do_unlock(descriptor, offset, length); });
  }
  int do_status(const std::string& path, FileStatus& status) override {
    return call([&] { return FileSystem::do_status(path, status); });
  }
  int do_status(int descriptor, FileStatus& status) override {
    return call([&] { return FileSystem::do_status(descriptor, status); });
  }
  int do_link_status(const std::string& path, FileStatus& status) override {
    return call([&] { return FileSystem::do_link_status(path, status); });
  }
  int do_file_system_type(const std::string& path, std::uint64_t& type) override {
    return call([&] { return FileSystem::do_file_system_type(path, type); });
  }
  int do_make_directory(const std::string& path, unsigned mode) override {
    return call([&] { return FileSystem::do_make_directory(path, mode); });
  }
  int do_rename(const std::string& from, const std::string& to) override {
    return call([&] { return FileSystem::do_rename(from, to); });
  }
  int do_remove(const std::string& path) override {
    return call([&] { return FileSystem::do_remove(path); });
  }
  int do_touch(const std::string& path) override {
    return call([&] { return FileSystem::do_touch(path); });
  }
  int do_list(const std::string& path, std::vector<std::string>& names) override {
    return call([&] { return FileSystem::do_list(path, names); });
  }

  [[noreturn]] static void die() {
    ::kill(::getpid(), SIGKILL);
    while (true) ::pause();
  }

  const int n_;
  const Moment moment_;
  int calls_ = 0;
};

}  // namespace kiln::test
