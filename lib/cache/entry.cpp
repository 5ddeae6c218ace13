#include "cache/entry.hpp"

#include "base/checksum.hpp"
#include "cache/byte_io.hpp"

#include <array>

namespace kiln {

namespace {

constexpr std::string_view entry_magic = "kilncach";
constexpr std::uint32_t entry_version = 3;
constexpr std::size_t entry_header_size = 8 + 4 + 4 + sizeof(Digest) + 8;
constexpr std::size_t entry_trailer_size = sizeof(Checksum);
constexpr std::size_t section_header_size = 4 + 8;

}  // namespace

void Sections::add(std::string_view label, std::string_view bytes) {
  sections_.push_back({std::string(label), bytes_.size(), bytes.size()});
  bytes_.append(bytes);
}

std::optional<std::string_view> Sections::find(std::string_view label) const {
  for (const Section& section : sections_)
    if (section.label == label) return content(section);
  return std::nullopt;
}

std::vector<std::pair<std::string_view, std::string_view>> Sections::all() const {
  std::vector<std::pair<std::string_view, std::string_view>> list;
  for (const Section& section : sections_) list.emplace_back(section.label, content(section));
  return list;
}

/// What stands around the sections of a file.
class EntryFrame {
 public:
  std::string encode(const Sections& sections) const {
    const auto list = sections.all();
    std::size_t payload = 0;
    for (const auto& section : list) payload += section_header_size + section.first.size() + section.second.size();
    std::string file;
    file.reserve(entry_header_size + payload + entry_trailer_size);
    file.append(entry_magic);
    append_integer(file, version);
    append_integer(file, static_cast<std::uint32_t>(kind));
    file.append(key);
    append_integer(file, static_cast<std::uint64_t>(payload));
    for (const auto& section : list) {
      append_integer(file, static_cast<std::uint32_t>(section.first.size()));
      append_integer(file, static_cast<std::uint64_t>(section.second.size()));
      file.append(section.first).append(section.second);
    }
    file.append(checksum_of(file).view());
    return file;
  }

  std::optional<Sections> decode(std::string file) const {
    if (file.size() < entry_trailer_size) return std::nullopt;
    const std::string_view checked = std::string_view(file).substr(0, file.size() - entry_trailer_size);
    ByteReader reader(checked);
    if (reader.bytes(entry_magic.size()) != entry_magic || reader.integer<std::uint32_t>() != version ||
        reader.integer<std::uint32_t>() != static_cast<std::uint32_t>(kind) || reader.bytes(key.size()) != key ||
        reader.integer<std::uint64_t>() != reader.left() || reader.failed())
      return std::nullopt;
    if (std::string_view(file).substr(checked.size()) != checksum_of(checked).view()) return std::nullopt;
    Sections sections;
    while (reader.left() > 0) {
      const auto label_size = reader.integer<std::uint32_t>();
      const auto size = reader.integer<std::uint64_t>();
      const std::string_view label = reader.bytes(label_size);
      const std::size_t offset = checked.size() - reader.left();
      reader.bytes(size);
      if (reader.failed()) return std::nullopt;
      sections.sections_.push_back({std::string(label), offset, static_cast<std::size_t>(size)});
    }
    sections.bytes_ = std::move(file);
    return sections;
  }

  std::uint32_t version;
  EntryKind kind;
  std::string_view key;
};

namespace {

constexpr std::array<char, 16> no_key = {};
constexpr EntryFrame unnamed_frame = {2, EntryKind::code, std::string_view(no_key.data(), no_key.size())};

}  // namespace

std::string encode_entry(EntryKind kind, const Digest& key, const Sections& sections) {
  if (is_bare(kind)) return std::string(sections.find("text").value_or(""));
  return EntryFrame{entry_version, kind, key.view()}.encode(sections);
}

std::optional<Sections> decode_entry(EntryKind kind, const Digest& key, std::string file) {
  if (!is_bare(kind)) return EntryFrame{entry_version, kind, key.view()}.decode(std::move(file));
  Sections text;
  text.add("text", file);
  return digest_of(file) == key ? std::optional<Sections>(std::move(text)) : std::nullopt;
}

std::string encode_unnamed(const Sections& sections) { return unnamed_frame.encode(sections); }

std::optional<Sections> decode_unnamed(std::string bytes) { return unnamed_frame.decode(std::move(bytes)); }

std::string_view entry_payload(std::string_view file) {
  constexpr std::size_t around = entry_header_size + entry_trailer_size;
  return file.size() < around ? std::string_view() : file.substr(entry_header_size, file.size() - around);
}

std::optional<EntryName> entry_name(std::string_view file) {
  ByteReader reader(file);
  if (reader.bytes(entry_magic.size()) != entry_magic || reader.integer<std::uint32_t>() != entry_version)
    return std::nullopt;
  EntryName name;
  const auto kind = reader.integer<std::uint32_t>();
  name.kind = static_cast<EntryKind>(kind);
  name.key = reader.digest();
  if (reader.failed() || kind > 0xff) return std::nullopt;
  return name;
}

std::optional<SectionViews> decode_entry_front(EntryKind kind, const Digest& key, std::string_view front,
                                               std::uint64_t file_size) {
  const std::optional<EntryName> name = entry_name(front);
  if (!name || name->kind != kind || name->key != key || file_size < entry_header_size + entry_trailer_size)
    return std::nullopt;
  ByteReader reader(front);
  reader.bytes(entry_header_size - sizeof(std::uint64_t));
  std::uint64_t payload = reader.integer<std::uint64_t>();
  if (reader.failed() || payload != file_size - entry_header_size - entry_trailer_size) return std::nullopt;
  SectionViews sections;
  while (payload >= section_header_size) {
    const auto label_size = reader.integer<std::uint32_t>();
    const auto size = reader.integer<std::uint64_t>();
    if (reader.failed()) return sections;
    payload -= section_header_size;
    if (label_size > payload || size > payload - label_size) return std::nullopt;
    payload -= label_size + size;
    const std::string_view label = reader.bytes(label_size);
    const std::string_view content = reader.bytes(size);
    if (reader.failed()) return sections;
    sections.emplace_back(label, content);
  }
  if (payload != 0) return std::nullopt;
  return sections;
}

}  // namespace kiln
