#define XXH_INLINE_ALL  // no library to link or to find at run time
#include "base/digest.hpp"

#include <algorithm>
#include <charconv>
#include <iterator>

#include <xxhash.h>

namespace kiln {

namespace {

Digest canonical_form(XXH128_hash_t hash) noexcept {
  XXH128_canonical_t canonical;
  XXH128_canonicalFromHash(&canonical, hash);
  Digest digest;
  std::copy(std::begin(canonical.digest), std::end(canonical.digest), digest.bytes.begin());
  return digest;
}

}  // namespace

std::optional<Digest> digest_of_hex(std::string_view text) {
  Digest digest;
  if (text.size() != 2 * digest.bytes.size()) return std::nullopt;
  for (std::size_t i = 0; i < digest.bytes.size(); ++i)
    std::from_chars(text.data() + 2 * i, text.data() + 2 * i + 2, digest.bytes[i], 16);
  return digest.hex() == text ? std::optional(digest) : std::nullopt;
}

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

Digest digest_of(std::string_view bytes) noexcept { return canonical_form(XXH3_128bits(bytes.data(), bytes.size())); }

struct RunningDigest::State {
  XXH3_state_t running;
};

RunningDigest::RunningDigest() : state_(std::make_unique<State>()) { XXH3_128bits_reset(&state_->running); }

RunningDigest::~RunningDigest() = default;

void RunningDigest::update(std::string_view bytes) noexcept {
  XXH3_128bits_update(&state_->running, bytes.data(), bytes.size());
}

Digest RunningDigest::value() const noexcept { return canonical_form(XXH3_128bits_digest(&state_->running)); }

std::uint64_t fast_hash(std::string_view bytes) noexcept { return XXH3_64bits(bytes.data(), bytes.size()); }

}  // namespace kiln
