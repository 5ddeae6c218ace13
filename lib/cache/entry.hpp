// The form of every file in the cache: a checked header and labelled sections.
#pragma once

#include "base/digest.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kiln {

/// Labelled sections in order. A reader skips the ones it does not know, so new kinds of content need no new format.
class Sections {
 public:
  void add(std::string_view label, std::string bytes) { sections_.emplace_back(std::string(label), std::move(bytes)); }
  /// The first section of that label, or nothing.
  std::optional<std::string_view> find(std::string_view label) const;
  const std::vector<std::pair<std::string, std::string>>& all() const noexcept { return sections_; }

 private:
  std::vector<std::pair<std::string, std::string>> sections_;
};

enum class EntryKind : unsigned char { code = 1, manifest = 2 };

/// The bytes of a file that holds `sections` for `key`.
std::string encode_entry(EntryKind kind, const Digest& key, const Sections& sections);

/// The sections of such a file, or nothing where magic, version, kind, key, lengths or checksum do not fit.
std::optional<Sections> decode_entry(EntryKind kind, const Digest& key, std::string_view file);

}  // namespace kiln
