#define XXH_INLINE_ALL  // no library to link or to find at run time
#include "cache/checksum.hpp"

#include <algorithm>
#include <iterator>

#include <xxhash.h>

namespace kiln {

Checksum checksum(std::string_view bytes) noexcept {
  XXH128_canonical_t canonical;
  XXH128_canonicalFromHash(&canonical, XXH3_128bits(bytes.data(), bytes.size()));
  Checksum sum;
  std::copy(std::begin(canonical.digest), std::end(canonical.digest), sum.begin());
  return sum;
}

std::uint64_t fast_hash(std::string_view bytes) noexcept { return XXH3_64bits(bytes.data(), bytes.size()); }

}  // namespace kiln
