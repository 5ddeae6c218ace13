// Compiled into the library that nvcc's programs preload, too: nothing of the C++ library, and of the C library only
// what its oldest version has. memcpy is newer than memmove.
#include "compile/recording/record_question.hpp"

#include "compile/recording/file_record.hpp"

#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
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

/// What the recorder asks itself leaves no trace in the program.
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

/// The text of a number behind "/proc/self/fd/".
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
    write(kind_of(*status), false);
}

void QuestionRecorder::answer_there(bool success) noexcept {
  if (target_.area == nullptr) return;
  const KeptError kept;
  // It may be there, and be no link, no folder, or one.
  const bool looked_for = success || kept.value() == EINVAL || kept.value() == ENOTDIR || kept.value() == EISDIR;
  if (!looked_for) return write_error(kept.value());
  struct stat status = {};
  if (::syscall(SYS_newfstatat, folder_, path_, &status, 0) != 0) return write_error(errno);
  write(kind_of(status), false);
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
  write(kind, kind != folder);
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

void QuestionRecorder::write(std::uint8_t answer, bool opened) noexcept {
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
  question->is_opened = opened ? 1 : 0;
  question->asker = target_.asker;
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
