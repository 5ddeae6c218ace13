// Fixed-size values out of untrusted bytes.
#pragma once

#include <kiln/error.hpp>

#include <cstdint>
#include <cstring>
#include <string_view>
#include <type_traits>

namespace kiln {

/// `size` bytes from `offset`. Throws Error where they are not all there.
inline std::string_view bytes_at(std::string_view bytes, std::uint64_t offset, std::uint64_t size) {
  if (offset > bytes.size() || size > bytes.size() - offset) throw Error("the image is damaged: it ends too early");
  return bytes.substr(static_cast<std::size_t>(offset), static_cast<std::size_t>(size));
}

/// A little-endian value: the order of every machine that CUDA runs on.
template <class T>
T value_at(std::string_view bytes, std::uint64_t offset) {
  static_assert(std::is_trivially_copyable_v<T>);
  T value;
  std::memcpy(&value, bytes_at(bytes, offset, sizeof value).data(), sizeof value);
  return value;
}

}  // namespace kiln
