// The file trace of NVRTC, libnvvm and nvJitLink while they compile in this process.
#pragma once

#include "worker/recording/file_record.hpp"

#include <string>

namespace kiln {

/// Records all file accesses of libraries which were opened by dlopen, on any thread, until it is taken or destroyed;
/// also those of this program through the C library's functions. Needs a program that exports the functions of
/// recording_calls.cpp, which kiln-worker does: in any other, and while another of the process records, nothing is
/// recorded, and the incomplete record (FileRecord::gap) says so. The working folder must stay the same. Not for the
/// clock: NVRTC reads it at each compile.
class FileRecording {
 public:
  FileRecording();
  ~FileRecording();
  FileRecording(const FileRecording&) = delete;
  FileRecording& operator=(const FileRecording&) = delete;

  /// Ends it.
  FileRecord take();

  /// The accesses in the present record of this process so far; empty where none is made.
  static FileRecord so_far();

  /// File accesses of this thread from now on are in no record: for one that works beside a compiler, and not for it.
  static void leave_out_this_thread();

  /// In a child of fork: what its parent recorded does not concern it.
  static void forget_parents();

  /// File accesses of this process itself in the life of this object are in no record. Not while a compiler works.
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
