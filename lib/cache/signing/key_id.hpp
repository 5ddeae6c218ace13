// What a signature says of the key that made it.
#pragma once

#include "base/crypto_library.hpp"
#include "base/digest.hpp"

namespace kiln {

/// The first 8 bytes of the digest of the raw public key. It finds a key among several, and proves nothing.
using KeyId = CryptoBytes<8>;

inline KeyId key_id(const Ed25519Key& public_key) {
  const Digest digest = digest_of(public_key.view());
  KeyId id;
  digest.view().copy(reinterpret_cast<char*>(id.bytes.data()), id.bytes.size());
  return id;
}

}  // namespace kiln
