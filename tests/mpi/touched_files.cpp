// The program has functions of these names of its own, so libkiln's calls come here.
#include "touched_files.hpp"

#include <atomic>
#include <cstdarg>
#include <cstring>
#include <mutex>

#include <dlfcn.h>
#include <sys/types.h>

namespace {

std::mutex watched_mutex;
std::string watched;
std::atomic<std::size_t> touched{0};

void see(const char* path) {
  const std::lock_guard lock(watched_mutex);
  if (!watched.empty() && std::strncmp(path, watched.c_str(), watched.size()) == 0) ++touched;
}

template <class Function>
Function* next_of(const char* name) {
  void* const address = ::dlsym(RTLD_NEXT, name);
  Function* function = nullptr;
  std::memcpy(&function, &address, sizeof function);
  return function;
}

}  // namespace

void kiln::test::watch_folder(const std::string& folder) {
  const std::lock_guard lock(watched_mutex);
  watched = folder;
  touched = 0;
}

std::size_t kiln::test::touched_files() { return touched; }

// As libkiln calls them: with 64 bits for offsets. Their structures are not looked at, so the headers that would
// declare them otherwise are not needed.
extern "C" {
__attribute__((visibility("default"))) int open64(const char* path, int flags, ...) {
  see(path);
  std::va_list arguments;
  va_start(arguments, flags);
  const unsigned mode = va_arg(arguments, unsigned);
  va_end(arguments);
  return next_of<int(const char*, int, ...)>("open64")(path, flags, mode);
}
__attribute__((visibility("default"))) int stat64(const char* path, void* status) {
  see(path);
  return next_of<int(const char*, void*)>("stat64")(path, status);
}
__attribute__((visibility("default"))) int lstat64(const char* path, void* status) {
  see(path);
  return next_of<int(const char*, void*)>("lstat64")(path, status);
}
__attribute__((visibility("default"))) int mkdir(const char* path, mode_t mode) {
  see(path);
  return next_of<int(const char*, mode_t)>("mkdir")(path, mode);
}
__attribute__((visibility("default"))) int rename(const char* from, const char* to) {
  see(from);
  return next_of<int(const char*, const char*)>("rename")(from, to);
}
__attribute__((visibility("default"))) int unlink(const char* path) {
  see(path);
  return next_of<int(const char*)>("unlink")(path);
}
__attribute__((visibility("default"))) void* opendir(const char* path) {
  see(path);
  return next_of<void*(const char*)>("opendir")(path);
}
}
