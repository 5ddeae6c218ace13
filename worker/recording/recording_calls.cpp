// Functions of the C library that ask the file system something, once more: each calls the real one and records what it
// answered. Linked into a program that exports them, they stand before those of the C library for all libraries that
// the program opens; preloaded, for all of a program. Compiled for both: see record_question.cpp.
#include "worker/recording/record_question.hpp"
#include "worker/recording/recorded_call.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

#include <cerrno>
#include <cstdarg>
#include <cstdio>

struct statfs;
struct statvfs;
struct statx;

// Their own names would be those of the headers, with attributes and inline bodies that differ between C libraries.
#define KILN_CALL(result, name, ...)                                                                \
  extern "C" __attribute__((visibility("default"))) result call_##name(__VA_ARGS__) __asm__(#name); \
  __attribute__((section("kiln_calls"), used)) static kiln::RecordedCall real_##name{               \
      #name, reinterpret_cast<const void*>(&call_##name), nullptr};                                 \
  result call_##name(__VA_ARGS__)
#define KILN_REAL(name, ...) real_##name.call(&call_##name, __VA_ARGS__)

namespace kiln {

namespace {

bool reads(int flags) noexcept { return (flags & O_ACCMODE) != O_WRONLY && (flags & (O_CREAT | O_TRUNC)) == 0; }
bool reads(const char* mode) noexcept { return mode != nullptr && mode[0] == 'r'; }
bool has_mode(int flags) noexcept { return (flags & O_CREAT) != 0 || (flags & O_TMPFILE) == O_TMPFILE; }

int opened(int folder, const char* path, int flags, int descriptor) noexcept {
  if (reads(flags)) QuestionRecorder(folder, path).answer_open(descriptor);
  return descriptor;
}

std::FILE* opened(const char* path, const char* mode, std::FILE* stream) noexcept {
  if (reads(mode)) QuestionRecorder(AT_FDCWD, path).answer_open(stream != nullptr ? ::fileno(stream) : -1);
  return stream;
}

int looked_at(int folder, const char* path, int result, const struct stat* status) noexcept {
  QuestionRecorder(folder, path).answer_status(result, status);
  return result;
}

template <typename Result>
Result found(int folder, const char* path, Result result, bool success) noexcept {
  QuestionRecorder(folder, path).answer_there(success);
  return result;
}

}  // namespace

}  // namespace kiln

// Opening. The analyzer does not see va_start after the attributes.
// NOLINTBEGIN(clang-analyzer-valist.Uninitialized)

#define KILN_OPEN(name)                                                             \
  KILN_CALL(int, name, const char* path, int flags, ...) {                          \
    va_list rest;                                                                   \
    va_start(rest, flags);                                                          \
    const mode_t mode = kiln::has_mode(flags) ? va_arg(rest, mode_t) : 0;           \
    va_end(rest);                                                                   \
    return kiln::opened(AT_FDCWD, path, flags, KILN_REAL(name, path, flags, mode)); \
  }
KILN_OPEN(open)
KILN_OPEN(open64)

#define KILN_OPENAT(name)                                                                 \
  KILN_CALL(int, name, int folder, const char* path, int flags, ...) {                    \
    va_list rest;                                                                         \
    va_start(rest, flags);                                                                \
    const mode_t mode = kiln::has_mode(flags) ? va_arg(rest, mode_t) : 0;                 \
    va_end(rest);                                                                         \
    return kiln::opened(folder, path, flags, KILN_REAL(name, folder, path, flags, mode)); \
  }
KILN_OPENAT(openat)
KILN_OPENAT(openat64)

// NOLINTEND(clang-analyzer-valist.Uninitialized)

// As _FORTIFY_SOURCE has them.
#define KILN_OPEN_2(name)                                                     \
  KILN_CALL(int, name, const char* path, int flags) {                         \
    return kiln::opened(AT_FDCWD, path, flags, KILN_REAL(name, path, flags)); \
  }
KILN_OPEN_2(__open_2)
KILN_OPEN_2(__open64_2)

#define KILN_OPENAT_2(name)                                                         \
  KILN_CALL(int, name, int folder, const char* path, int flags) {                   \
    return kiln::opened(folder, path, flags, KILN_REAL(name, folder, path, flags)); \
  }
KILN_OPENAT_2(__openat_2)
KILN_OPENAT_2(__openat64_2)

#define KILN_FOPEN(name)                                            \
  KILN_CALL(std::FILE*, name, const char* path, const char* mode) { \
    return kiln::opened(path, mode, KILN_REAL(name, path, mode));   \
  }
KILN_FOPEN(fopen)
KILN_FOPEN(fopen64)

#define KILN_FREOPEN(name)                                                             \
  KILN_CALL(std::FILE*, name, const char* path, const char* mode, std::FILE* stream) { \
    return kiln::opened(path, mode, KILN_REAL(name, path, mode, stream));              \
  }
KILN_FREOPEN(freopen)
KILN_FREOPEN(freopen64)

// Status. struct stat64 is struct stat on 64-bit systems.

#define KILN_STAT(name)                                                            \
  KILN_CALL(int, name, const char* path, struct stat* status) {                    \
    return kiln::looked_at(AT_FDCWD, path, KILN_REAL(name, path, status), status); \
  }
KILN_STAT(stat)
KILN_STAT(stat64)
KILN_STAT(lstat)
KILN_STAT(lstat64)

// What these were called before glibc 2.33.
#define KILN_XSTAT(name)                                                                    \
  KILN_CALL(int, name, int version, const char* path, struct stat* status) {                \
    return kiln::looked_at(AT_FDCWD, path, KILN_REAL(name, version, path, status), status); \
  }
KILN_XSTAT(__xstat)
KILN_XSTAT(__xstat64)
KILN_XSTAT(__lxstat)
KILN_XSTAT(__lxstat64)

#define KILN_FSTATAT(name)                                                                      \
  KILN_CALL(int, name, int folder, const char* path, struct stat* status, int flags) {          \
    return kiln::looked_at(folder, path, KILN_REAL(name, folder, path, status, flags), status); \
  }
KILN_FSTATAT(fstatat)
KILN_FSTATAT(fstatat64)

#define KILN_FXSTATAT(name)                                                                              \
  KILN_CALL(int, name, int version, int folder, const char* path, struct stat* status, int flags) {      \
    return kiln::looked_at(folder, path, KILN_REAL(name, version, folder, path, status, flags), status); \
  }
KILN_FXSTATAT(__fxstatat)
KILN_FXSTATAT(__fxstatat64)

KILN_CALL(int, statx, int folder, const char* path, int flags, unsigned mask, struct statx* status) {
  const int result = KILN_REAL(statx, folder, path, flags, mask, status);
  return kiln::found(folder, path, result, result == 0);
}

// Whether it is there, and under which name.

#define KILN_ACCESS(name)                                               \
  KILN_CALL(int, name, const char* path, int mode) {                    \
    const int result = KILN_REAL(name, path, mode);                     \
    kiln::QuestionRecorder(AT_FDCWD, path).answer_access(result, mode); \
    return result;                                                      \
  }
KILN_ACCESS(access)
KILN_ACCESS(eaccess)
KILN_ACCESS(euidaccess)

KILN_CALL(int, faccessat, int folder, const char* path, int mode, int flags) {
  const int result = KILN_REAL(faccessat, folder, path, mode, flags);
  kiln::QuestionRecorder(folder, path).answer_access(result, mode);
  return result;
}

KILN_CALL(char*, realpath, const char* path, char* resolved) {
  char* result = KILN_REAL(realpath, path, resolved);
  return kiln::found(AT_FDCWD, path, result, result != nullptr);
}

KILN_CALL(char*, __realpath_chk, const char* path, char* resolved, std::size_t size) {
  char* result = KILN_REAL(__realpath_chk, path, resolved, size);
  return kiln::found(AT_FDCWD, path, result, result != nullptr);
}

KILN_CALL(char*, canonicalize_file_name, const char* path) {
  char* result = KILN_REAL(canonicalize_file_name, path);
  return kiln::found(AT_FDCWD, path, result, result != nullptr);
}

KILN_CALL(ssize_t, readlink, const char* path, char* target, std::size_t size) {
  const ssize_t result = KILN_REAL(readlink, path, target, size);
  return kiln::found(AT_FDCWD, path, result, result >= 0);
}

KILN_CALL(ssize_t, __readlink_chk, const char* path, char* target, std::size_t size, std::size_t room) {
  const ssize_t result = KILN_REAL(__readlink_chk, path, target, size, room);
  return kiln::found(AT_FDCWD, path, result, result >= 0);
}

KILN_CALL(ssize_t, readlinkat, int folder, const char* path, char* target, std::size_t size) {
  const ssize_t result = KILN_REAL(readlinkat, folder, path, target, size);
  return kiln::found(folder, path, result, result >= 0);
}

#define KILN_STATFS(name, type)                                 \
  KILN_CALL(int, name, const char* path, struct type* status) { \
    const int result = KILN_REAL(name, path, status);           \
    return kiln::found(AT_FDCWD, path, result, result == 0);    \
  }
KILN_STATFS(statfs, statfs)
KILN_STATFS(statfs64, statfs)
KILN_STATFS(statvfs, statvfs)
KILN_STATFS(statvfs64, statvfs)

KILN_CALL(DIR*, opendir, const char* path) {
  DIR* result = KILN_REAL(opendir, path);
  kiln::QuestionRecorder(AT_FDCWD, path).answer_listed(result != nullptr);
  return result;
}

// The clock, as a text: NVRTC asks at each compile, GCC and Clang where __DATE__, __TIME__ or __TIMESTAMP__ is
// expanded.

KILN_CALL(struct tm*, localtime, const time_t* time) {
  kiln::record_clock();
  return KILN_REAL(localtime, time);
}

KILN_CALL(struct tm*, gmtime, const time_t* time) {
  kiln::record_clock();
  return KILN_REAL(gmtime, time);
}

KILN_CALL(char*, asctime, const struct tm* time) {
  kiln::record_clock();
  return KILN_REAL(asctime, time);
}
