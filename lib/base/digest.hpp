// Digests by XXH3: the names of everything in the cache, and what says that a content is still the same.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace kiln {

/// Two lower-case hexadecimal digits for each byte.
std::string hex_text(std::string_view bytes);

/// XXH3 of 128 bits in its canonical byte order. It guards against accident, not against intent: who can write a file
/// can write one of any digest. That suffices, because what digests tell apart are the user's own files and requests,
/// and because a look-up reads, and therefore checks, all of an entry: 10 us for a cubin of 124 KB, where SHA-256 takes
/// 0.3 ms on a CPU without instructions for it, and a library of cryptography 0.7 ms to be loaded.
struct Digest {
  std::array<std::uint8_t, 16> bytes = {};
  std::string_view view() const noexcept { return {reinterpret_cast<const char*>(bytes.data()), bytes.size()}; }
  /// 32 lower-case hexadecimal digits.
  std::string hex() const { return hex_text(view()); }
  friend bool operator==(const Digest&, const Digest&) = default;
  friend auto operator<=>(const Digest&, const Digest&) = default;  // NOLINT(modernize-use-nullptr): of clang-tidy 14
};

Digest digest_of(std::string_view bytes) noexcept;
/// The digest of that hex(); nothing for any other text.
std::optional<Digest> digest_of_hex(std::string_view text);

/// The same over pieces of what is too large for the memory. Not to be shared between threads.
class RunningDigest {
 public:
  RunningDigest();
  ~RunningDigest();
  RunningDigest(const RunningDigest&) = delete;
  RunningDigest& operator=(const RunningDigest&) = delete;
  void update(std::string_view bytes) noexcept;
  /// Of all bytes so far.
  Digest value() const noexcept;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// For hash tables within a process.
std::uint64_t fast_hash(std::string_view bytes) noexcept;

}  // namespace kiln
