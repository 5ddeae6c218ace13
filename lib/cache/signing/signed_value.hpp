// Values of a remote cache, each with the signature of who put it there:
//
//   magic "kilnsign" | u32 version, 2 | u8 kind | key id, 8 bytes | signature, 64 bytes | payload
//
// The signature is over signed_message.hpp's bytes, with the requested kind and name, so that it holds under no other
// name. Without a signature id and signature are zeros.
#pragma once

#include "cache/signing/public_keys.hpp"
#include "cache/signing/signing_key.hpp"

#include "base/digest.hpp"
#include "cache/entry.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace kiln {

/// What stands before the payload.
inline constexpr std::size_t value_front_size = 8 + 4 + 1 + sizeof(KeyId) + sizeof(Ed25519Signature);

/// The id of the key that signed a value of that kind, as its beginning says it; zeros where none did. Nothing where
/// the bytes are not the beginning of one. Proves nothing.
std::optional<KeyId> signer_of_value(std::string_view front, EntryKind kind);

/// The value that holds `payload` under that name. No key: unsigned.
std::string sign_value(const SigningKey* key, EntryKind kind, const Digest& name, std::string_view payload);

/// The payload, a view into `value`, where one of the keys signed it for that kind and name; nothing otherwise, for
/// whatever reason. Without keys (null; the caller trusts the store) nothing but magic, version and kind is checked,
/// and the payload's own checksum must show damage. A set without keys accepts nothing.
std::optional<std::string_view> open_value(std::string_view value, const PublicKeys* keys, EntryKind kind,
                                           const Digest& name);

}  // namespace kiln
