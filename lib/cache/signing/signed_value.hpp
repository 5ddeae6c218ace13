// Values of a remote cache, each with the signature of who put it there:
//
//   magic "kilnsign" | u32 version, 1 | u8 kind | key id, 8 bytes | signature, 64 bytes | payload
//
// The signature is over signed_message.hpp's bytes, with the kind and name that the value is asked for, so that it
// holds under no other name. Without a signature id and signature are zeros.
#pragma once

#include "cache/signing/public_keys.hpp"
#include "cache/signing/signing_key.hpp"

#include "base/digest.hpp"
#include "cache/entry.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace kiln {

/// The value that holds `payload` under that name. No key: unsigned.
std::string sign_value(const SigningKey* key, EntryKind kind, const Digest& name, std::string_view payload);

/// The payload, a view into `value`, where one of the keys signed it for that kind and name; nothing otherwise, for
/// whatever reason. Without keys (null; the caller trusts the store) nothing but magic, version and kind is checked,
/// and the payload's own checksum must tell of damage. A set without keys takes nothing.
std::optional<std::string_view> open_value(std::string_view value, const PublicKeys* keys, EntryKind kind,
                                           const Digest& name);

}  // namespace kiln
