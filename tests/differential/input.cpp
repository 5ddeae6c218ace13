// Random inputs, the same on every machine: no distribution of the standard library, whose results differ.
#include "program.hpp"

#include <cmath>
#include <cstring>
#include <map>
#include <stdexcept>

namespace differential {
namespace {

class Random {
 public:
  explicit Random(const std::string& name) {
    for (const char c : name) state_ = (state_ ^ static_cast<unsigned char>(c)) * 0x100000001B3ull;
  }
  std::uint64_t bits() {  // splitmix64
    state_ += 0x9E3779B97F4A7C15ull;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
    return z ^ (z >> 31);
  }
  double unit() { return static_cast<double>(bits() >> 11) * 0x1p-53; }  // [0, 1)
  bool one_in(std::uint64_t n) { return bits() % n == 0; }

 private:
  std::uint64_t state_ = 0xCBF29CE484222325ull;
};

template <class To, class From>
To as(From value) {
  static_assert(sizeof(To) == sizeof(From));
  To made;
  std::memcpy(&made, &value, sizeof made);
  return made;
}

std::uint32_t edge32(Random& random) {
  static const std::uint32_t edges[] = {0,      1,          2,          31,         32,         33,
                                        0x7F,   0x80,       0xFF,       0x100,      0x7FFF,     0x8000,
                                        0xFFFF, 0x7FFFFFFF, 0x80000000, 0x80000001, 0xFFFFFFFF, 0xFFFFFFFE};
  return edges[random.bits() % std::size(edges)];
}

std::uint32_t bits_word(Random& random) {
  if (random.one_in(4)) return edge32(random);
  const auto word = static_cast<std::uint32_t>(random.bits());
  return random.one_in(3) ? word >> (random.bits() % 32) : word;
}

// Any exponent, or one near 1; zeros, infinities, NaN, the smallest and largest, halves between integers.
template <class Bits>
Bits float_bits(Random& random, unsigned mantissa, unsigned exponent) {
  const Bits top = static_cast<Bits>((Bits{1} << exponent) - 1), one = static_cast<Bits>(top >> 1);
  const Bits fraction = static_cast<Bits>((Bits{1} << mantissa) - 1);
  const Bits sign = static_cast<Bits>(Bits{random.one_in(2)} << (mantissa + exponent));
  const Bits low = static_cast<Bits>(static_cast<Bits>(random.bits()) & fraction);
  const auto made = [&](Bits e, Bits f) { return static_cast<Bits>(sign | static_cast<Bits>(e << mantissa) | f); };
  switch (random.bits() % 16) {
    case 0:
      return made(0, 0);
    case 1:
      return made(top, 0);
    case 2:
      return made(top, static_cast<Bits>(Bits{1} << (mantissa - 1)));
    case 3:
      return made(0, low);  // subnormal
    case 4:
      return made(static_cast<Bits>(top - 1), fraction);  // the largest
    case 5:
      return made(one, 0);
    case 6:
      return made(1, low);
    case 7: {  // a small integer and a half
      const double value = static_cast<double>(random.bits() % 64) + 0.5;
      int power = 0;
      const double part = std::frexp(value, &power);
      return made(
          static_cast<Bits>(static_cast<int>(one) + power - 1),
          static_cast<Bits>(static_cast<Bits>(std::ldexp(part * 2 - 1, static_cast<int>(mantissa))) & fraction));
    }
    case 8:
    case 9:
      return made(static_cast<Bits>(static_cast<Bits>(random.bits()) % top), low);
    default:
      return made(static_cast<Bits>(one - 4 + random.bits() % 9), low);
  }
}

std::uint64_t word64(const std::string& kind, Random& random) {
  if (kind == "f64") return float_bits<std::uint64_t>(random, 52, 11);
  if (kind == "f64angle") return as<std::uint64_t>(random.unit() * 20 - 10);
  return as<std::uint64_t>(random.unit());  // f64unit
}

std::uint32_t word32(const std::string& kind, Random& random) {
  if (kind == "bits") return bits_word(random);
  if (kind == "f32") return float_bits<std::uint32_t>(random, 23, 8);
  if (kind == "unit") return as<std::uint32_t>(static_cast<float>(static_cast<double>(random.bits() >> 40) * 0x1p-24));
  if (kind == "angle") return as<std::uint32_t>(static_cast<float>(random.unit() * 20 - 10));
  const unsigned mantissa = kind == "f16" ? 10 : 7, exponent = kind == "f16" ? 5 : 8;
  if (kind != "f16" && kind != "bf16") throw std::runtime_error("no input is of kind " + kind);
  const std::uint32_t low = float_bits<std::uint16_t>(random, mantissa, exponent);
  return low | static_cast<std::uint32_t>(float_bits<std::uint16_t>(random, mantissa, exponent)) << 16;
}

}  // namespace

Words input_of(const Program& program) {
  Random random(program.name);
  Words words(program.input_words);
  if (program.input.rfind("f64", 0) == 0) {
    for (std::size_t i = 0; i + 1 < words.size(); i += 2) {
      const std::uint64_t value = word64(program.input, random);
      words[i] = static_cast<std::uint32_t>(value);
      words[i + 1] = static_cast<std::uint32_t>(value >> 32);
    }
  } else {
    for (std::uint32_t& word : words) word = word32(program.input, random);
  }
  return words;
}

}  // namespace differential
