// Integers and framed bytes of the cache's files: little-endian, whatever the machine.
#pragma once

#include "base/digest.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace kiln {

template <class Integer>
void append_integer(std::string& out, Integer value) {
  for (std::size_t i = 0; i < sizeof value; ++i) out.push_back(static_cast<char>((value >> (8 * i)) & 0xff));
}

/// Reads from the front of some bytes. Where there are not enough, this and every later read fails and gives zeros or
/// empty views.
class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : rest_(bytes) {}

  template <class Integer>
  Integer integer() {
    std::string_view raw = bytes(sizeof(Integer));
    Integer value = 0;
    for (std::size_t i = 0; i < raw.size(); ++i)
      value = static_cast<Integer>(value | (static_cast<Integer>(static_cast<unsigned char>(raw[i])) << (8 * i)));
    return value;
  }
  std::string_view bytes(std::uint64_t count) {
    if (count > rest_.size()) {
      failed_ = true;
      rest_ = {};
      return {};
    }
    std::string_view front = rest_.substr(0, static_cast<std::size_t>(count));
    rest_.remove_prefix(front.size());
    return front;
  }
  Digest digest() {
    Digest value;
    bytes(value.bytes.size()).copy(reinterpret_cast<char*>(value.bytes.data()), value.bytes.size());
    return value;
  }

  bool failed() const noexcept { return failed_; }
  /// Nothing failed and nothing is left.
  bool finished() const noexcept { return !failed_ && rest_.empty(); }
  std::size_t left() const noexcept { return rest_.size(); }

 private:
  std::string_view rest_;
  bool failed_ = false;
};

}  // namespace kiln
