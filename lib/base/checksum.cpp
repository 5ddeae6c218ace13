#define XXH_INLINE_ALL  // no library to link or to find at run time
#include "base/checksum.hpp"

#include <algorithm>
#include <iterator>

#include <xxhash.h>

namespace kiln {

namespace {

Checksum canonical_form(XXH128_hash_t hash) noexcept {
  XXH128_canonical_t canonical;
  XXH128_canonicalFromHash(&canonical, hash);
  Checksum checksum;
  std::copy(std::begin(canonical.digest), std::end(canonical.digest), checksum.bytes.begin());
  return checksum;
}

}  // namespace

Checksum checksum_of(std::string_view bytes) noexcept {
  return canonical_form(XXH3_128bits(bytes.data(), bytes.size()));
}

struct RunningChecksum::State {
  XXH3_state_t running;
};

RunningChecksum::RunningChecksum() : state_(std::make_unique<State>()) { XXH3_128bits_reset(&state_->running); }

RunningChecksum::~RunningChecksum() = default;

void RunningChecksum::update(std::string_view bytes) noexcept {
  XXH3_128bits_update(&state_->running, bytes.data(), bytes.size());
}

Checksum RunningChecksum::value() const noexcept { return canonical_form(XXH3_128bits_digest(&state_->running)); }

std::uint64_t fast_hash(std::string_view bytes) noexcept { return XXH3_64bits(bytes.data(), bytes.size()); }

}  // namespace kiln
