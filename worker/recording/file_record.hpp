// The file trace of a compile: the compiler's accesses to the file system (questions), and their results (answers).
#pragma once

#include "base/digest.hpp"
#include "base/file_system.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace kiln {

/// A file or folder as it was seen, and when (FileSystem::steady_ns).
struct SeenState {
  FileState state = {};
  std::int64_t time_ns = 0;
  bool operator==(const SeenState&) const = default;
};

struct FileQuestion {
  /// other: a device, a pipe, a socket. unreadable: there, but not to be opened, or not to be looked for (EACCES and
  /// the like).
  enum class Answer : std::uint8_t { file, folder, other, unreadable, absent };

  /// Absolute, and else as it was spelled. A relative one follows the program's working folder and "/././", as
  /// working_folder_root has it: where a request is made from another folder, it is another file.
  std::string path;
  Answer answer = Answer::absent;
  bool opened = false;      // its content was read: an open for reading succeeded
  bool by_compiler = true;  // of nvcc's programs: by one that reads sources, not by the assembler or the linker
  /// The file that was opened or examined first. Not known for what a precompiled header read.
  std::optional<SeenState> seen = {};
  std::optional<Digest> content = {};  // of what was opened, at that moment
  bool differs = false;                // a later access found another file at that path, or another fingerprint

  /// The file was observed again.
  void add_seen(const std::optional<SeenState>& another, const std::optional<Digest>& its_content) {
    differs = differs || (seen && another && seen->state != another->state) ||
              (content && its_content && *content != *its_content);
    if (!seen) seen = another;
    if (!content) content = its_content;
  }

  bool operator==(const FileQuestion&) const = default;
};

struct FileRecord {
  std::vector<FileQuestion> questions;  // in order, each distinct one once
  /// Files and folders, by path, as they were when a compiler looked for something in them, or before.
  std::unordered_map<std::string, SeenState> seen = {};
  bool asked_time = false;  // the clock was read for __TIME__ or __DATE__, as far as that can be found out
  std::string gap;          // why the trace is incomplete; empty where it is complete
};

}  // namespace kiln
