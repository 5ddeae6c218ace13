// The metadata of a precompiled header: an entry of a cache, with the fingerprints of all files that were read for it.
#pragma once

#include "base/digest.hpp"
#include "cache/entry.hpp"
#include "cache/statistics.hpp"
#include "worker/pch/pch_heap.hpp"
#include "worker/recording/file_record.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace kiln {

struct PchRecord {
  Digest file;              // the digest of its content, which is its name
  std::uint64_t size = 0;   // in bytes
  PchImage image;           // what NVRTC maps of it in one go
  std::string why_no_file;  // then there is none, and none is to be made while the headers do not change
  Counter why = Counter::pch_refused_text;  // the kind of that reason
  std::vector<FileQuestion> questions;      // of the compile that made it, with digests of what it read
};

Sections to_sections(const PchRecord& record);
/// Nothing where the sections are not of this form.
std::optional<PchRecord> pch_record(const Sections& sections);

}  // namespace kiln
