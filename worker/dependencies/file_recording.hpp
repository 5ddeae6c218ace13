// What NVRTC, libnvvm and nvJitLink ask the file system, while they compile in this process.
#pragma once

#include "worker/recording/file_record.hpp"

#include <string>

namespace kiln {

/// Records all that libraries which were opened by dlopen ask, on any thread, until it is taken or destroyed; also what
/// this program itself asks through the C library's functions. Needs a program that exports the functions of
/// recording_calls.cpp, which kiln-worker does: in any other, and while another of the process records, nothing is
/// recorded, and the record's gap says so. The working folder must stay the same. Not for the clock: NVRTC asks it at
/// each compile.
class FileRecording {
 public:
  FileRecording();
  ~FileRecording();
  FileRecording(const FileRecording&) = delete;
  FileRecording& operator=(const FileRecording&) = delete;

  /// Ends it.
  FileRecord take();

  /// What is in the present record of this process so far; empty where none is made.
  static FileRecord so_far();

  /// What this thread asks from now on is in no record: for one that works beside a compiler, and not for it.
  static void leave_out_this_thread();

  /// In a child of fork: what its parent recorded does not concern it.
  static void forget_parents();

  /// What this process asks of its own in the life of this object is in no record. Not while a compiler works.
  class Pause {
   public:
    Pause();
    ~Pause();
    Pause(const Pause&) = delete;
    Pause& operator=(const Pause&) = delete;

   private:
    bool pauses_ = false;
  };

 private:
  bool runs_ = false;
  std::string gap_;
};

}  // namespace kiln
