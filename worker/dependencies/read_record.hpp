// From the memory that the recording calls wrote to a FileRecord.
#pragma once

#include "worker/recording/file_record.hpp"
#include "worker/recording/record_area.hpp"

#include <cstddef>
#include <string>
#include <unordered_set>

namespace kiln {

struct ReadRecord {
  FileRecord record;
  std::unordered_set<std::string> read_by_host_compiler;  // paths of files that it opened
};

/// Of an area of `size` bytes in all. Any bytes will do: the programs that wrote them are not trusted.
ReadRecord read_record(const RecordArea& area, std::size_t size);

}  // namespace kiln
