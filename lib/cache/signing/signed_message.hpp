// The bytes that a signature is made over.
#pragma once

#include "base/crypto_library.hpp"
#include "base/digest.hpp"
#include "cache/entry.hpp"

#include <cstdint>
#include <string>

namespace kiln {

/// What a signed content is. A signature of one purpose is none of another.
enum class SignedAs : unsigned char { value = 1, file = 2, bundle = 3 };

/// "kiln signed content 1\n" | u8 purpose | u8 kind | name, 16 bytes | u64 size | SHA-512 of the content. Of a bundle
/// kind and name are zero. The name is a digest by XXH3 (digest.hpp), which one who chooses what is signed could have
/// two requests share: keys sign what their owner compiled.
std::string signed_message(SignedAs purpose, EntryKind kind, const Digest& name, std::uint64_t size,
                           const Sha512& content);

}  // namespace kiln
