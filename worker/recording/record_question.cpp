// Compiled into the library that nvcc's programs preload, too: nothing of the C++ library, and of the C library only
// what its oldest version has.
#include "worker/recording/record_question.hpp"

#include "worker/recording/content_digest.hpp"
#include "worker/recording/file_record.hpp"

#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <cerrno>

namespace kiln {

namespace {

constexpr auto file = static_cast<std::uint8_t>(FileQuestion::Answer::file);
constexpr auto folder = static_cast<std::uint8_t>(FileQuestion::Answer::folder);
constexpr auto other = static_cast<std::uint8_t>(FileQuestion::Answer::other);
constexpr auto unreadable = static_cast<std::uint8_t>(FileQuestion::Answer::unreadable);
constexpr auto absent = static_cast<std::uint8_t>(FileQuestion::Answer::absent);

/// Between the working folder and a relative path, so that it is spelled as no absolute one (working_folder_root).
constexpr char from_working_folder[] = "/././";
constexpr std::size_t longest_path = std::size_t{1} << 16;

/// The recorder's own calls do not change the program's errno.
class KeptError {
 public:
  KeptError() noexcept : error_(errno) {}
  ~KeptError() { errno = error_; }
  KeptError(const KeptError&) = delete;
  KeptError& operator=(const KeptError&) = delete;
  int value() const noexcept { return error_; }

 private:
  int error_;
};

std::uint8_t kind_of(const struct stat& status) noexcept {
  return S_ISREG(status.st_mode) ? file : S_ISDIR(status.st_mode) ? folder : other;
}

/// As FileSystem::steady_ns.
std::int64_t steady_ns() noexcept {
  struct timespec now = {};
  ::syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &now);
  return now.tv_sec * std::int64_t{1'000'000'000} + now.tv_nsec;
}

std::uint64_t in_ns(const struct timespec& time) noexcept {
  return static_cast<std::uint64_t>(time.tv_sec * std::int64_t{1'000'000'000} + time.tv_nsec);
}

/// As FileStatus::state. The time is read after it, because it must not be earlier.
void put_state(RecordedQuestion& question, const struct stat& status) noexcept {
  question.state[0] = status.st_dev;
  question.state[1] = status.st_ino;
  question.state[2] = static_cast<std::uint64_t>(status.st_size);
  question.state[3] = in_ns(status.st_mtim);
  question.state[4] = in_ns(status.st_ctim);
  question.time_ns = steady_ns();
  question.has_state = 1;
}

/// Files with this name are not headers and may be large: NVRTC reads precompiled headers this way.
bool is_of_a_process(const char* path) noexcept { return ::strncmp(path, "/proc/", 6) == 0; }

/// The text of a number after "/proc/self/fd/".
void name_descriptor(int descriptor, char (&name)[40]) noexcept {
  constexpr char folder_name[] = "/proc/self/fd/";
  std::size_t at = sizeof folder_name - 1;
  ::memmove(name, folder_name, at);
  char digits[12];
  std::size_t count = 0;
  for (auto rest = static_cast<unsigned>(descriptor); count == 0 || rest != 0; rest /= 10)
    digits[count++] = static_cast<char>('0' + rest % 10);
  while (count > 0) name[at++] = digits[--count];
  name[at] = '\0';
}

/// FNV-1a.
std::uint64_t hash_of(const char* text, std::size_t length) noexcept {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (std::size_t i = 0; i < length; ++i) hash = (hash ^ static_cast<unsigned char>(text[i])) * 0x100000001b3;
  return hash;
}

/// The folder that relative paths start from; its length, or 0 where it has no name.
std::size_t name_of_folder(int descriptor, char* name, std::size_t size) noexcept {
  long length = 0;
  if (descriptor == AT_FDCWD) {
    length = ::syscall(SYS_getcwd, name, size) - 1;  // with its zero
  } else {
    char link[40];
    name_descriptor(descriptor, link);
    length = ::syscall(SYS_readlinkat, AT_FDCWD, link, name, size);
  }
  return length > 0 && name[0] == '/' ? static_cast<std::size_t>(length) : 0;
}

}  // namespace

QuestionRecorder::QuestionRecorder(int folder_descriptor, const char* path) noexcept
    : target_(record_target()), folder_(folder_descriptor), path_(path) {
  if (path == nullptr || *path == '\0') target_.area = nullptr;  // asks about a descriptor, or is a mistake
}

void QuestionRecorder::answer_status(int result, const struct stat* status) noexcept {
  if (target_.area == nullptr) return;
  const KeptError kept;
  if (result != 0)
    write_error(kept.value());
  else if (S_ISLNK(status->st_mode))
    answer_there(true);
  else
    write(kind_of(*status), false, status);
}

void QuestionRecorder::answer_there(bool success) noexcept {
  if (target_.area == nullptr) return;
  const KeptError kept;
  // It may be there, and be no link, no folder, or one.
  const bool looked_for = success || kept.value() == EINVAL || kept.value() == ENOTDIR || kept.value() == EISDIR;
  if (!looked_for) return write_error(kept.value());
  struct stat status = {};
  if (::syscall(SYS_newfstatat, folder_, path_, &status, 0) != 0) return write_error(errno);
  write(kind_of(status), false, &status);
}

void QuestionRecorder::answer_access(int result, int mode) noexcept {
  const bool is_there = result != 0 && (mode & R_OK) == 0 && (mode & (W_OK | X_OK)) != 0;
  answer_there(result == 0 || (is_there && errno != ENOENT && errno != ENOTDIR));
}

void QuestionRecorder::answer_open(int descriptor) noexcept {
  if (target_.area == nullptr) return;
  const KeptError kept;
  struct stat status = {};
  if (descriptor < 0) return answer_there(false);
  if (::syscall(SYS_fstat, descriptor, &status) != 0) return target_.area->lose(record_has_odd_error);
  const std::uint8_t kind = kind_of(status);
  write(kind, kind != folder, &status, descriptor);
}

void QuestionRecorder::answer_listed(bool success) noexcept {
  if (target_.area == nullptr) return;
  if (!success) return answer_there(false);
  const KeptError kept;
  write(folder, true);
}

void QuestionRecorder::write_error(int error) noexcept {
  switch (error) {
    case ENOENT:
    case ENOTDIR:
    case ENAMETOOLONG:
      return write(absent, false);
    case EMFILE:
    case ENFILE:
    case ENOMEM:
    case EINTR:
    case EAGAIN:
    case EBADF:
    case EFAULT:
    case ENOSYS:
      return target_.area->lose(record_has_odd_error);
    default:
      return write(unreadable, false);
  }
}

void QuestionRecorder::glance_at_folder_of(const char* path, std::size_t length) noexcept {
  for (;;) {
    while (length > 0 && path[length - 1] != '/') --length;
    if (length <= 1) return;
    --length;  // without the slash
    const std::uint64_t hash = hash_of(path, length);
    std::uint64_t& place = target_.area->glances[hash % 256];
    if (__atomic_exchange_n(&place, hash, __ATOMIC_RELAXED) == hash) return;
    RecordedQuestion* glance = target_.area->reserve(length);
    if (glance == nullptr) return;
    char* name = path_of(glance);
    ::memmove(name, path, length);
    name[length] = '\0';
    glance->is_glance = 1;
    struct stat status = {};
    const bool is_there = ::syscall(SYS_newfstatat, AT_FDCWD, name, &status, 0) == 0;
    if (is_there) put_state(*glance, status);
    __atomic_store_n(&glance->is_whole, std::uint8_t{1}, __ATOMIC_RELEASE);
    if (is_there || errno != ENOENT) return;
  }
}

void QuestionRecorder::write(std::uint8_t answer, bool is_opened, const struct stat* status, int opened) noexcept {
  char start[PATH_MAX];
  std::size_t start_length = 0;
  const std::size_t length = ::strlen(path_);
  if (path_[0] != '/') {
    start_length = name_of_folder(folder_, start, sizeof start);
    if (start_length == 0) return target_.area->lose(record_has_odd_error);
    if (start[start_length - 1] == '/') --start_length;  // the root
  }
  if (length > longest_path) return target_.area->lose(record_has_long_path);
  const char* const between = path_[0] == '/' ? "" : folder_ == AT_FDCWD ? from_working_folder : "/";
  const std::size_t between_length = ::strlen(between);
  RecordedQuestion* question = target_.area->reserve(start_length + between_length + length);
  if (question == nullptr) return;
  char* path = path_of(question);
  char* const spelled = path + start_length + between_length;
  ::memmove(path, start, start_length);
  ::memmove(spelled, path_, length + 1);
  for (std::size_t i = 0; i < between_length; ++i) path[start_length + i] = between[i];
  question->answer = answer;
  question->is_opened = is_opened ? 1 : 0;
  question->asker = target_.asker;
  const bool reads_sources = target_.asker != Asker::other;
  if (answer == file && status != nullptr) {
    put_state(*question, *status);
    if (opened >= 0 && reads_sources && !is_of_a_process(path) &&
        put_content_digest(opened, question->state[2], question->content))
      question->has_content = 1;
  }
  if ((answer == file || answer == absent) && reads_sources)
    glance_at_folder_of(path, start_length + between_length + length);
  __atomic_store_n(&question->is_whole, std::uint8_t{1}, __ATOMIC_RELEASE);
}

void record_clock() noexcept {
  const RecordTarget target = record_target();
  if (target.area == nullptr) return;
  RecordedQuestion* question = target.area->reserve(0);
  if (question == nullptr) return;
  question->is_clock = 1;
  question->asker = target.asker;
  __atomic_store_n(&question->is_whole, std::uint8_t{1}, __ATOMIC_RELEASE);
}

}  // namespace kiln
