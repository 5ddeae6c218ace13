// Compiled as record_question.cpp is.
#include "worker/recording/content_digest.hpp"

#include "base/openssl_sha256.hpp"

#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>

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

bool put_content_digest(int descriptor, std::uint64_t size, std::uint8_t (&digest)[32]) noexcept {
  char bytes[piece];
  kiln_OPENSSL_cpuid_setup();
  SHA256_CTX running;
  kiln_SHA256_Init(&running);
  for (std::uint64_t at = 0; at < size;) {
    const std::uint64_t rest = size - at;
    const long count = read_at(descriptor, bytes, rest < piece ? static_cast<std::size_t>(rest) : piece, at);
    if (count < 0) return false;
    if (count == 0) break;
    kiln_SHA256_Update(&running, bytes, static_cast<std::size_t>(count));
    at += static_cast<std::uint64_t>(count);
  }
  kiln_SHA256_Final(digest, &running);
  return true;
}

}  // namespace kiln
