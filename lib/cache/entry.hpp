// The format of the cache's files, except bare ones: a checked header and labelled sections.
//
//   header    magic "kilncach" | u32 format version | u32 kind | key digest, 32 bytes | u64 payload length
//   payload   for each section: u32 label length | u64 length | label | bytes
//   trailer   XXH3-128 of all bytes before it
//
// Integers are little-endian. A change of any of this is a new format version and a new v<version> folder.
#pragma once

#include "base/digest.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kiln {

/// Some files are bare, because other programs read them: a source (debuggers), and a precompiled header (NVRTC). The
/// one section of such a file is "text", and its key is the text's digest. What is in a tree lies
/// beside it (kept_tree.hpp).
enum class EntryKind : unsigned char {
  code = 1,
  manifest = 2,
  headers = 3,
  history = 4,
  makers = 5,
  note = 6,
  source = 7,
  pch = 8,
  tree = 9
};

constexpr bool is_bare(EntryKind kind) noexcept { return kind == EntryKind::source || kind == EntryKind::pch; }

/// The section with the request, in files that are looked for by one (CacheKey).
inline constexpr std::string_view request_label = "request";
/// The last section of a file that was signed (signing/signed_file.hpp).
inline constexpr std::string_view signature_label = "signature";

/// Labelled sections in order. A reader skips the ones it does not know, so new kinds of content need no new format.
class Sections {
 public:
  void add(std::string_view label, std::string_view bytes);
  /// The first section of that label, or nothing. Valid until the next change of this object, moves included.
  std::optional<std::string_view> find(std::string_view label) const;
  /// Bytes that they hold.
  std::size_t size() const noexcept { return bytes_.size(); }
  /// All sections; views as find's.
  std::vector<std::pair<std::string_view, std::string_view>> all() const;

 private:
  friend class EntryFrame;
  struct Section {
    std::string label;
    std::size_t offset;
    std::size_t size;
  };
  std::string_view content(const Section& section) const {
    return std::string_view(bytes_).substr(section.offset, section.size);
  }
  // One buffer for all, so that a file that was read is not copied section by section.
  std::string bytes_;
  std::vector<Section> sections_;
};

/// The bytes of a file that holds `sections` for `key`.
std::string encode_entry(EntryKind kind, const Digest& key, const Sections& sections);

/// The sections of such a file, or nothing where magic, version, kind, key, lengths or checksum do not fit.
std::optional<Sections> decode_entry(EntryKind kind, const Digest& key, std::string file);

/// Sections of code under no name, and the code again. Saved code is such bytes, so they keep the frame of format 2:
/// its key has 16 bytes, which are zero.
std::string encode_unnamed(const Sections& sections);
std::optional<Sections> decode_unnamed(std::string bytes);

/// The bytes between header and trailer of such a file; empty where it is too short. Nothing is checked.
std::string_view entry_payload(std::string_view file);

/// The kind and key in a file's header.
struct EntryName {
  EntryKind kind = EntryKind::code;
  Digest key;
};
/// Nothing where magic or version do not fit. Nothing else is checked.
std::optional<EntryName> entry_name(std::string_view file);

/// Labels and contents.
using SectionViews = std::vector<std::pair<std::string_view, std::string_view>>;
/// The sections, in order, that are complete in the front of a file of `file_size` bytes. Nothing where the front shows
/// that the file is damaged; the checksum is not checked.
std::optional<SectionViews> decode_entry_front(EntryKind kind, const Digest& key, std::string_view front,
                                               std::uint64_t file_size);

}  // namespace kiln
