// Of the library that nvcc's programs preload: where their file accesses are written to. See record_question.cpp.
#include "worker/recording/recording_calls.hpp"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>

namespace kiln {

namespace {

bool is_named(const char* program, const char* name) noexcept {
  // x86_64-linux-gnu-as
  const std::size_t length = ::strlen(program);
  const std::size_t size = ::strlen(name);
  if (length < size || ::strcmp(program + length - size, name) != 0) return false;
  return length == size || program[length - size - 1] == '-';
}

Asker this_program() noexcept {
  char path[4096];
  const long length = ::syscall(SYS_readlinkat, AT_FDCWD, "/proc/self/exe", path, sizeof path - 1);
  if (length <= 0) return Asker::host_compiler;
  path[length] = '\0';
  const char* slash = ::strrchr(path, '/');
  const char* program = slash != nullptr ? slash + 1 : path;
  const char* const nvidia[] = {"nvcc", "cudafe++", "cicc"};
  for (const char* name : nvidia)
    if (::strcmp(program, name) == 0) return Asker::nvidia;
  // A compiler's cache has files of its own, and starts the compiler for what nvcc wants of it.
  const char* const others[] = {"as",   "ld",       "ld.bfd",  "ld.gold",   "ld.lld", "lld",
                                "mold", "collect2", "ptxas",   "fatbinary", "nvlink", "bin2c",
                                "rm",   "ccache",   "sccache", "distcc",    "icecc"};
  for (const char* name : others)
    if (is_named(program, name)) return Asker::other;
  return Asker::host_compiler;
}

RecordArea* open_area() noexcept {
  const char* path = ::getenv(record_area_variable);
  if (path == nullptr) return nullptr;
  const long file = ::syscall(SYS_openat, AT_FDCWD, path, O_RDWR | O_CLOEXEC);
  if (file < 0) return nullptr;
  struct stat status = {};
  void* memory = MAP_FAILED;
  std::size_t size = 0;
  if (::syscall(SYS_fstat, file, &status) == 0 && status.st_size > static_cast<off_t>(sizeof(RecordArea))) {
    size = static_cast<std::size_t>(status.st_size);
    memory = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, static_cast<int>(file), 0);
  }
  ::syscall(SYS_close, file);
  if (memory == MAP_FAILED) return nullptr;
  auto* area = static_cast<RecordArea*>(memory);
  return area->capacity == size - sizeof(RecordArea) ? area : nullptr;
}

enum class State : int { unknown, none, open };
// All atomic.
int state;  // State
RecordArea* area;
std::uint8_t asker;

}  // namespace

RecordTarget record_target() noexcept {
  const auto known = static_cast<State>(__atomic_load_n(&state, __ATOMIC_ACQUIRE));
  if (known == State::open)
    return {__atomic_load_n(&area, __ATOMIC_RELAXED), static_cast<Asker>(__atomic_load_n(&asker, __ATOMIC_RELAXED))};
  if (known == State::none) return {nullptr, Asker::other};
  const int error = errno;
  // Two threads may both come here: they find the same, in memory that is mapped twice.
  const RecordTarget found = {open_area(), this_program()};
  errno = error;
  __atomic_store_n(&area, found.area, __ATOMIC_RELAXED);
  __atomic_store_n(&asker, static_cast<std::uint8_t>(found.asker), __ATOMIC_RELAXED);
  const State now = found.area != nullptr ? State::open : State::none;
  __atomic_store_n(&state, static_cast<int>(now), __ATOMIC_RELEASE);
  return found;
}

}  // namespace kiln
