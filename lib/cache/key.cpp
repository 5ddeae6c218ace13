#include "cache/key.hpp"

#include "cache/byte_io.hpp"

#include <bit>
#include <charconv>
#include <cstdint>
#include <cstring>

namespace kiln {

namespace {

void append_framed(std::string& out, std::string_view bytes) {
  std::uint64_t length = bytes.size();
  if constexpr (std::endian::native == std::endian::big) length = __builtin_bswap64(length);
  char framed[sizeof length];
  std::memcpy(framed, &length, sizeof length);
  out.append(framed, sizeof framed).append(bytes);
}

}  // namespace

KeyBuilder& KeyBuilder::add(std::string_view label, std::string_view bytes) {
  bytes_.push_back('f');
  append_framed(bytes_, label);
  append_framed(bytes_, bytes);
  return *this;
}

KeyBuilder& KeyBuilder::add(std::string_view label, const std::vector<std::string>& items) {
  bytes_.push_back('l');
  append_framed(bytes_, label);
  append_framed(bytes_, std::to_string(items.size()));
  for (const std::string& item : items) append_framed(bytes_, item);
  return *this;
}

std::vector<KeyField> key_fields(std::string_view bytes, std::size_t longest) {
  std::vector<KeyField> fields;
  ByteReader reader(bytes);
  const auto framed = [&] { return reader.bytes(reader.integer<std::uint64_t>()); };
  const auto item = [&] {
    const std::string_view text = framed();
    return text.size() > longest ? "sha256:" + digest_of(text).hex() : std::string(text);
  };
  while (reader.left() != 0) {
    KeyField field;
    field.is_list = reader.integer<char>() == 'l';
    field.label = framed();
    std::uint64_t count = 1;
    if (field.is_list) {
      const std::string_view text = framed();
      std::from_chars(text.data(), text.data() + text.size(), count);
    }
    for (; count > 0 && !reader.failed(); --count) field.items.push_back(item());
    fields.push_back(std::move(field));
  }
  return fields;
}

}  // namespace kiln
