#include "mutate.hpp"

#include <algorithm>
#include <array>
#include <random>

namespace kiln::fuzz {

namespace {

class Dice {
 public:
  explicit Dice(std::uint64_t seed) : engine_(seed) {}
  /// Below `bound`; 0 where that is 0.
  std::size_t operator()(std::size_t bound) { return bound == 0 ? 0 : static_cast<std::size_t>(engine_() % bound); }

 private:
  std::mt19937_64 engine_;
};

std::string piece_of(const std::string& bytes, Dice& dice) {
  const std::size_t begin = dice(bytes.size() + 1);
  return bytes.substr(begin, dice(std::min<std::size_t>(bytes.size() - begin, 256) + 1));
}

void flip(std::string& bytes, Dice& dice) {
  if (bytes.empty()) return;
  char& byte = bytes[dice(bytes.size())];
  byte = static_cast<char>(byte ^ (dice(2) == 0 ? 0xff : 1 << dice(8)));
}

void overwrite_integer(std::string& bytes, Dice& dice) {
  constexpr std::array<std::uint64_t, 10> boundaries = {
      0, 1, 0x7f, 0xff, 0xffff, 0x7fffffff, 0x80000000, 0xffffffff, 1ull << 63, ~std::uint64_t{0}};
  const std::size_t width = std::size_t{1} << dice(4);
  if (bytes.size() < width) return;
  // Also just above and below what the input's own lengths are.
  const std::uint64_t value = dice(2) == 0 ? boundaries[dice(boundaries.size())] : bytes.size() + 2 - dice(80);
  const std::size_t at = dice(bytes.size() - width + 1);
  for (std::size_t i = 0; i < width; ++i) bytes[at + i] = static_cast<char>((value >> (8 * i)) & 0xff);
}

void change(std::string& bytes, const std::vector<std::string>& corpus, Dice& dice) {
  switch (dice(8)) {
    case 0:
      bytes.resize(dice(bytes.size() + 1));
      break;
    case 1:
      bytes.append(dice(64) + 1, static_cast<char>(dice(256)));
      break;
    case 2:  // splice
      bytes.resize(dice(bytes.size() + 1));
      bytes.append(piece_of(corpus[dice(corpus.size())], dice));
      break;
    case 3:
      bytes.insert(dice(bytes.size() + 1), piece_of(dice(2) == 0 ? bytes : corpus[dice(corpus.size())], dice));
      break;
    case 4: {
      const std::size_t begin = dice(bytes.size() + 1);
      bytes.erase(begin, dice(32) + 1);
      break;
    }
    case 5:
    case 6:
      overwrite_integer(bytes, dice);
      break;
    default:
      flip(bytes, dice);
  }
}

}  // namespace

std::string mutation(const std::vector<std::string>& corpus, std::uint64_t seed) {
  Dice dice(seed);
  std::string bytes = corpus[dice(corpus.size())];
  for (std::size_t changes = dice(4) + 1; changes > 0; --changes) change(bytes, corpus, dice);
  if (bytes.size() > largest_input) bytes.resize(largest_input);
  return bytes;
}

}  // namespace kiln::fuzz
