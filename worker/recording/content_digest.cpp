// Compiled as record_question.cpp is.
#include "worker/recording/content_digest.hpp"

#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>

// Makes the many fixed-size copies of XXH3 inline instructions, in spite of -fno-builtin.
#define memcpy __builtin_memcpy
#define memset __builtin_memset
#define XXH_INLINE_ALL
#include <xxhash.h>
#undef memcpy
#undef memset

// The others call the C library, by the name that its first version has.
#if defined(KILN_OLDEST_LIBC) && defined(__x86_64__)
__asm__(".symver memcpy, memcpy@GLIBC_2.2.5");
#endif

namespace kiln {

namespace {

/// Most headers take one read.
constexpr std::size_t piece = std::size_t{16} << 10;

/// Up to `size` bytes from `at` on; -1 where reading fails.
long read_at(int descriptor, void* bytes, std::size_t size, std::uint64_t at) noexcept {
  for (;;) {
    const long count = ::syscall(SYS_pread64, descriptor, bytes, size, at);
    if (count >= 0 || errno != EINTR) return count;
  }
}

}  // namespace

std::uint64_t hash_of(const char* text, std::size_t length) noexcept { return XXH3_64bits(text, length); }

bool put_content_digest(int descriptor, std::uint64_t size, std::uint8_t (&digest)[16]) noexcept {
  char bytes[piece];
  XXH3_state_t state;
  XXH3_128bits_reset(&state);
  for (std::uint64_t at = 0; at < size;) {
    const std::uint64_t rest = size - at;
    const long count = read_at(descriptor, bytes, rest < piece ? static_cast<std::size_t>(rest) : piece, at);
    if (count < 0) return false;
    if (count == 0) break;
    XXH3_128bits_update(&state, bytes, static_cast<std::size_t>(count));
    at += static_cast<std::uint64_t>(count);
  }
  XXH128_canonical_t canonical;
  XXH128_canonicalFromHash(&canonical, XXH3_128bits_digest(&state));
  ::memmove(digest, canonical.digest, sizeof digest);
  return true;
}

}  // namespace kiln
