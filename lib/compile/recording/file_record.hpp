// What a compiler asked the file system while it compiled, and what it was answered.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace kiln {

struct FileQuestion {
  /// other: a device, a pipe, a socket. unreadable: there, but not to be opened, or not to be looked for (EACCES and
  /// the like).
  enum class Answer : std::uint8_t { file, folder, other, unreadable, absent };

  /// Absolute, and else as it was spelled. A relative one stands behind the asker's working folder and "/././", as
  /// working_folder_root has it: where a request is made from another folder, it is another file.
  std::string path;
  Answer answer = Answer::absent;
  bool opened = false;      // its content was read: an open for reading succeeded
  bool by_compiler = true;  // of nvcc's programs: by one that reads sources, not by the assembler or the linker

  bool operator==(const FileQuestion&) const = default;
};

struct FileRecord {
  std::vector<FileQuestion> questions;  // in order, each distinct one once
  bool asked_time = false;              // the clock was read for __TIME__ or __DATE__, as far as that can be found out
  std::string gap;                      // why the record is not whole; empty where it is
};

}  // namespace kiln
