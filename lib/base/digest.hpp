// Digests by SHA-256: the names of everything in the cache, and what a header, a source or a compiler is known by.
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

/// SHA-256: who chooses the bytes cannot make two of one digest either.
struct Digest {
  std::array<std::uint8_t, 32> bytes = {};
  std::string_view view() const noexcept { return {reinterpret_cast<const char*>(bytes.data()), bytes.size()}; }
  /// 64 lower-case hexadecimal digits.
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

}  // namespace kiln
