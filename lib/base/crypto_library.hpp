// Signatures by OpenSSL's libcrypto.so.3, which is opened when first needed: nothing links it, and a process that
// uses no signatures never maps it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace kiln {

// Everything here is thread-safe, also in a child of fork, leaves the caller's queue of OpenSSL's errors as it was, and
// throws ToolkitError where the library is not there, Error where it refuses its work.

template <std::size_t size>
struct CryptoBytes {
  std::array<unsigned char, size> bytes = {};
  std::string_view view() const noexcept { return {reinterpret_cast<const char*>(bytes.data()), size}; }
  friend bool operator==(const CryptoBytes&, const CryptoBytes&) = default;
};

// Ed25519 (RFC 8032). Keys are the raw bytes.
using Ed25519Key = CryptoBytes<32>;
using Ed25519Signature = CryptoBytes<64>;

Ed25519Key ed25519_public_key(const Ed25519Key& private_key);
Ed25519Signature ed25519_sign(const Ed25519Key& private_key, std::string_view message);
bool ed25519_verify(const Ed25519Key& public_key, std::string_view message, const Ed25519Signature& signature);

}  // namespace kiln
