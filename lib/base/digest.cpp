#include "base/digest.hpp"

#include "base/openssl_sha256.hpp"

#include <atomic>
#include <charconv>
#include <cstddef>

#include <sys/auxv.h>

namespace kiln {

namespace {

/// To ask the CPU takes as long as so many bytes without its instructions, so a warm start, which has fewer, does not.
constexpr std::size_t worth_asking = 4096;

void add_bytes(SHA256_CTX& running, std::string_view bytes) noexcept {
  static std::atomic<std::size_t> so_far{0};
  if (so_far.load(std::memory_order_relaxed) < worth_asking &&
      so_far.fetch_add(bytes.size(), std::memory_order_relaxed) + bytes.size() >= worth_asking &&
      ::getauxval(AT_SECURE) == 0)  // it reads a variable of the environment
    kiln_OPENSSL_cpuid_setup();
  kiln_SHA256_Update(&running, bytes.data(), bytes.size());
}

Digest finished(SHA256_CTX running) noexcept {
  Digest digest;
  kiln_SHA256_Final(digest.bytes.data(), &running);
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

Digest digest_of(std::string_view bytes) noexcept {
  SHA256_CTX running;
  kiln_SHA256_Init(&running);
  add_bytes(running, bytes);
  return finished(running);
}

struct RunningDigest::State {
  SHA256_CTX running;
};

RunningDigest::RunningDigest() : state_(std::make_unique<State>()) { kiln_SHA256_Init(&state_->running); }

RunningDigest::~RunningDigest() = default;

void RunningDigest::update(std::string_view bytes) noexcept { add_bytes(state_->running, bytes); }

Digest RunningDigest::value() const noexcept { return finished(state_->running); }

}  // namespace kiln
