// The SHA256_* functions are deprecated in OpenSSL 3 but supported. They are used because the first EVP digest of a
// process loads providers and configuration for 0.5 to 2 ms, more than the whole warm start may cost, and the first
// digest by these takes 7 us. Later digests cost the same either way.
#define OPENSSL_SUPPRESS_DEPRECATED
#include "base/digest.hpp"

#include <openssl/sha.h>

namespace kiln {

std::string hex_text(std::string_view bytes) {
  static constexpr char digits[] = "0123456789abcdef";
  std::string text(2 * bytes.size(), '0');
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    const auto value = static_cast<unsigned char>(bytes[i]);
    text[2 * i] = digits[value >> 4];
    text[2 * i + 1] = digits[value & 0xf];
  }
  return text;
}

std::string Digest::hex() const { return hex_text({reinterpret_cast<const char*>(bytes.data()), bytes.size()}); }

struct Sha256::State {
  SHA256_CTX context;
};

Sha256::Sha256() : state_(std::make_unique<State>()) { SHA256_Init(&state_->context); }
Sha256::~Sha256() = default;

void Sha256::update(std::string_view bytes) { SHA256_Update(&state_->context, bytes.data(), bytes.size()); }

Digest Sha256::finish() {
  Digest digest;
  SHA256_Final(digest.bytes.data(), &state_->context);
  return digest;
}

Digest sha256(std::string_view bytes) {
  Sha256 running;
  running.update(bytes);
  return running.finish();
}

}  // namespace kiln
