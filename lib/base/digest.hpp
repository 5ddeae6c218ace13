// SHA-256 digests: the names of everything in the cache.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace kiln {

/// Two lower-case hexadecimal digits for each byte.
std::string hex_text(std::string_view bytes);

struct Digest {
  std::array<std::uint8_t, 32> bytes = {};
  /// 64 lower-case hexadecimal digits.
  std::string hex() const;
  friend bool operator==(const Digest&, const Digest&) = default;
  friend auto operator<=>(const Digest&, const Digest&) = default;
};

/// A running SHA-256. Not to be shared between threads.
class Sha256 {
 public:
  Sha256();
  ~Sha256();
  Sha256(const Sha256&) = delete;
  Sha256& operator=(const Sha256&) = delete;
  void update(std::string_view bytes);
  /// The digest of all bytes so far; the object is spent.
  Digest finish();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

Digest sha256(std::string_view bytes);

}  // namespace kiln
