// Files of a cache folder that carry a signature: a last section "signature", of key id and signature, 72 bytes. It is
// over signed_message.hpp's bytes; the content is that of all sections before it. Readers that know of no signatures
// skip it.
#pragma once

#include "cache/signing/public_keys.hpp"
#include "cache/signing/signing_key.hpp"

#include "base/digest.hpp"
#include "cache/entry.hpp"

#include <string>
#include <string_view>

namespace kiln {

/// The sections, and after them the key's signature of a file that has them, in place of an earlier one.
Sections with_signature(const SigningKey& key, EntryKind kind, const Digest& name, const Sections& sections);

struct SignatureObjection {
  std::string text;              // "is not signed"
  bool is_by_known_key = false;  // but does not match: the file is not what that key signed
};

/// Whether one of the keys signed that file, under that name and as that kind. For files that nothing was checked of;
/// bare ones have no sections, and are never signed.
/// Otherwise why not is in `objection`, after the file's name: "is not signed".
bool is_signed_entry(const PublicKeys& keys, EntryKind kind, const Digest& name, std::string_view file,
                     SignatureObjection* objection = nullptr);

}  // namespace kiln
