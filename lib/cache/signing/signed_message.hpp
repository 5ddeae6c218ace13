// The bytes that a signature is made over, and the parts of a signature in a file.
#pragma once

#include "base/digest.hpp"
#include "cache/byte_io.hpp"
#include "cache/entry.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace kiln {

/// A key id, a signature or the like from the bytes that come next; zeros where there are not enough.
template <class Bytes>
Bytes crypto_bytes(ByteReader& reader) {
  Bytes value;
  const std::string_view raw = reader.bytes(value.bytes.size());
  raw.copy(reinterpret_cast<char*>(value.bytes.data()), raw.size());
  return value;
}

/// What a signed content is. A signature of one purpose is none of another.
enum class SignedAs : unsigned char { value = 1, file = 2, bundle = 3 };

/// "kiln signed content 2\n" | u8 purpose | u8 kind | name, 32 bytes | u64 size | digest of the content. Of a bundle
/// kind and name are zero.
std::string signed_message(SignedAs purpose, EntryKind kind, const Digest& name, std::uint64_t size,
                           const Digest& content);

}  // namespace kiln
