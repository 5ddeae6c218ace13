// What the targets share. A target is one file: its run() takes any bytes, gives them to a reader, and aborts where
// what comes out breaks a promise. libFuzzer drives it in tests/fuzz/run.sh, standalone.cpp elsewhere.
#pragma once

#include "base/checksum.hpp"
#include "base/digest.hpp"
#include "base/printable_text.hpp"
#include "cache/byte_io.hpp"
#include "cache/entry.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

namespace kiln::fuzz {

/// Not assert: it must hold in builds without assertions too.
inline void require(bool holds, const char* promise) {
  if (holds) return;
  std::fprintf(stderr, "broken: %s\n", promise);
  std::abort();
}

/// What holds for every text that Kiln says of a file that somebody else made.
inline void check_said(std::string_view text) {
  constexpr std::size_t most = 2000;
  require(printable_text(text) == text, "no text controls the terminal");
  require(text.find("json.exception") == std::string_view::npos, "a parser's own words are no message");
  require(!text.empty() && text.size() <= most, "a text is no longer than a person reads");
}

inline std::string_view view_of(const std::uint8_t* data, std::size_t size) {
  return size == 0 ? std::string_view() : std::string_view(reinterpret_cast<const char*>(data), size);
}

inline std::string with_checksum(std::string bytes) { return bytes.append(checksum_of(bytes).view()); }

/// An input as a file of the cache. Its key is whatever stands where the key does.
class EntryInput {
 public:
  explicit EntryInput(std::string_view bytes, std::size_t key_size = sizeof(Digest)) : bytes_(bytes) {
    ByteReader reader(bytes);
    reader.bytes(16);
    key_ = ByteReader(reader.bytes(key_size)).digest();
    reader.bytes(8);
    payload_ = reader.bytes(reader.left() < 16 ? 0 : reader.left() - 16);
  }

  const Digest& key() const noexcept { return key_; }
  std::string as_it_is() const { return std::string(bytes_); }
  /// Mutations rarely get past the checksum: with the right header, length and checksum around the same payload.
  std::string repaired(EntryKind kind) const {
    std::string file = encode_entry(kind, key_, {}).substr(0, 16 + sizeof(Digest));
    append_integer(file, std::uint64_t{payload_.size()});
    return with_checksum(file.append(payload_));
  }
  /// Also with lengths that fit: a section that would be longer than what is left is all that is left.
  Sections rebuilt() const {
    Sections sections;
    ByteReader reader(payload_);
    while (reader.left() >= 12) {
      const auto label_size = reader.integer<std::uint32_t>();
      const auto size = reader.integer<std::uint64_t>();
      const std::string_view label = reader.bytes(label_size < reader.left() ? label_size : reader.left());
      sections.add(label, reader.bytes(size < reader.left() ? size : reader.left()));
    }
    return sections;
  }

 private:
  std::string_view bytes_;
  Digest key_;
  std::string_view payload_;
};

/// decode_entry, and what holds for whatever it takes.
inline std::optional<Sections> decode_checked(EntryKind kind, const Digest& key, const std::string& file) {
  std::optional<Sections> sections = decode_entry(kind, key, file);
  if (!sections) return sections;
  require(encode_entry(kind, key, *sections) == file, "an entry that was read is written as it was");
  const auto all = sections->all();
  std::size_t size = 0;
  for (const auto& section : all) {
    size += section.first.size() + section.second.size();
    const std::string_view found = sections->find(section.first).value_or("");
    require(found.data() <= section.second.data(), "find gives the first section of a label");
  }
  require(size <= file.size(), "sections do not overlap");
  if (!all.empty()) {
    const char* first = all.front().second.data();
    require(all.back().second.data() + all.back().second.size() <= first + file.size(), "sections lie in one buffer");
  }
  Digest other = key;
  other.bytes.back() ^= 1;
  require(!decode_entry(kind, other, file), "an entry is not read for another key");
  const EntryKind another = kind == EntryKind::code ? EntryKind::manifest : EntryKind::code;
  require(!decode_entry(another, key, file), "an entry is not read as another kind");
  return sections;
}

}  // namespace kiln::fuzz
