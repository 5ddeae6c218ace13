// One call of the recorder: from the arguments and the result of a function of the C library to an access in the area.
#pragma once

#include "worker/recording/recording_calls.hpp"

#include <cstdint>

struct stat;

namespace kiln {

/// Made before the real function is called; one of answer_...() gets its result. Keeps errno. Does nothing where
/// nothing is recorded.
class QuestionRecorder {
 public:
  /// `folder`: a descriptor that relative paths start from, or AT_FDCWD.
  QuestionRecorder(int folder, const char* path) noexcept;

  /// stat(2) and similar calls, which return the status. Zero is success.
  void answer_status(int result, const struct stat* status) noexcept;
  /// Calls that only say that something exists: access, readlink, realpath, opendir ...; it is examined then.
  void answer_there(bool success) noexcept;
  /// access(2): a file that may not be written may exist all the same.
  void answer_access(int result, int mode) noexcept;
  /// A descriptor that may be read, or none.
  void answer_open(int descriptor) noexcept;
  /// A folder whose names are read.
  void answer_listed(bool success) noexcept;

 private:
  /// `status`: of the file that was found, null if there is none. `opened`: a descriptor of it whose content is read,
  /// or -1.
  void write(std::uint8_t answer, bool is_opened, const struct stat* status = nullptr, int opened = -1) noexcept;
  void write_error(int error) noexcept;
  /// Records the fingerprint of that path's folder, which shows later whether anything in it was replaced.
  void glance_at_folder_of(const char* path, std::size_t length) noexcept;

  RecordTarget target_;
  int folder_;
  const char* path_;
};

/// The clock was read for a text.
void record_clock() noexcept;

}  // namespace kiln
