#include "cache/key.hpp"

#include <cstdint>

namespace kiln {

namespace {

void append_framed(std::string& out, std::string_view bytes) {
  const std::uint64_t length = bytes.size();
  char framed[8];
  for (int i = 0; i < 8; ++i) framed[i] = static_cast<char>((length >> (8 * i)) & 0xff);
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

}  // namespace kiln
