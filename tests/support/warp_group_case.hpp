// Products of a warp group (wgmma.mma_async) for tests: small whole numbers, which every format holds exactly, laid out
// in shared memory and registers as the PTX manual says, and what the product is.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

namespace kiln::test {

struct WarpGroupCase {
  std::string d, a, b;   // types, as in PTX
  unsigned n = 8;        // columns of B
  unsigned swizzle = 0;  // bytes; 0 for none
  bool a_in_registers = false, is_sparse = false;
  bool transposes_a = false, transposes_b = false;
  int scale_a = 1, scale_b = 1;
  bool accumulates = true;
  unsigned selector = 0;
  unsigned shift = 0;  // of B, in rows of 128 bytes, from where the swizzle's pattern would begin

  bool is_integer() const { return d == "s32"; }
  unsigned bits() const { return a == "tf32" ? 32 : a == "f16" || a == "bf16" ? 16 : a == "b1" ? 1 : 8; }
  unsigned stored() const { return 256 / bits(); }  // elements of a row of A
  unsigned k() const { return is_sparse ? 2 * stored() : stored(); }
  unsigned d_words() const { return d == "f16" ? n / 4 : n / 2; }  // registers of a thread

  std::string instruction() const {
    return "wgmma.mma_async" + std::string(is_sparse ? ".sp" : "") + ".sync.aligned.m64n" + std::to_string(n) + "k" +
           std::to_string(k()) + "." + d + "." + a + "." + b + (a == "b1" ? ".and.popc" : "");
  }
  /// What follows the matrices and the metadata.
  std::string arguments() const {
    std::string text = is_sparse ? std::to_string(selector) + ", " : "";
    text += accumulates ? "1" : "0";
    if (!is_integer()) text += ", " + std::to_string(scale_a) + ", " + std::to_string(scale_b);
    if (bits() == 16 && !a_in_registers) text += transposes_a ? ", 1" : ", 0";
    if (bits() == 16) text += transposes_b ? ", 1" : ", 0";
    return text;
  }
};

/// The bits of a whole number.
inline std::uint32_t encoded_element(const std::string& type, int value) {
  if (type == "s8" || type == "u8") return static_cast<std::uint8_t>(value);
  if (type == "s32" || type == "b1") return static_cast<std::uint32_t>(value);
  unsigned exponent_bits = 8, fraction_bits = 23;
  if (type == "f16") exponent_bits = 5, fraction_bits = 10;
  if (type == "bf16") fraction_bits = 7;
  if (type == "e4m3") exponent_bits = 4, fraction_bits = 3;
  if (type == "e5m2") exponent_bits = 5, fraction_bits = 2;
  if (value == 0) return 0;
  const auto magnitude = static_cast<std::uint32_t>(std::abs(value));
  unsigned exponent = 0;
  while (magnitude >> (exponent + 1) != 0) ++exponent;
  const std::uint32_t bias = (1u << (exponent_bits - 1)) - 1;
  const std::uint32_t fraction = ((magnitude - (1u << exponent)) << fraction_bits) >> exponent;
  return (value < 0 ? 1u : 0u) << (exponent_bits + fraction_bits) | (exponent + bias) << fraction_bits | fraction;
}

class WarpGroupData {
 public:
  static constexpr unsigned threads = 128, image_bytes = 48 * 1024, b_start = 8 * 1024;

  explicit WarpGroupData(const WarpGroupCase& group)
      : image(image_bytes / 4), a(4 * threads), metadata(threads), c(threads * group.d_words()), d(c), group_(group) {
    place_a();
    place_b();
    place_metadata();
    for (unsigned thread = 0; thread < threads; ++thread)
      for (unsigned i = 0; i < group_.n / 2; ++i) {
        const unsigned row = thread / 32 * 16 + thread % 32 / 4 + i / 2 % 2 * 8,
                       column = i / 4 * 8 + thread % 4 * 2 + i % 2;
        put(&c[thread * group_.d_words()], i, group_.d == "f16" ? 16 : 32,
            encoded_element(group_.d, c_value(row, column)));
        put(&d[thread * group_.d_words()], i, group_.d == "f16" ? 16 : 32,
            encoded_element(group_.d, d_value(row, column)));
      }
  }

  std::vector<std::uint32_t> image;                  // of shared memory, which begins at a multiple of 1024
  std::vector<std::uint32_t> a;                      // four registers of each thread, if A is in registers
  std::vector<std::uint32_t> metadata;               // of each thread
  std::vector<std::uint32_t> c, d;                   // accumulators of each thread, before and after
  std::uint64_t a_descriptor = 0, b_descriptor = 0;  // without the address of the image

  int b_value(unsigned k, unsigned column) const { return number(group_.b, k * 11 + column * 2 + k * column / 3); }

 private:
  struct Layout {
    unsigned start, lines;
    bool is_transposed;
    unsigned base;
  };

  // Small numbers that differ from place to place.
  static int number(const std::string& type, unsigned x) {
    if (type == "b1") return static_cast<int>(x / 3 % 2);
    return type == "u8" ? static_cast<int>(x % 4) : static_cast<int>(x % 7) - 3;
  }
  int a_value(unsigned row, unsigned i) const { return number(group_.a, row * 5 + i * 3 + row * i); }
  static int c_value(unsigned row, unsigned column) { return static_cast<int>((row * 3 + column) % 17) - 8; }
  int d_value(unsigned row, unsigned column) const {
    int sum = group_.accumulates ? c_value(row, column) : 0;
    const int scale = group_.is_integer() ? 1 : group_.scale_a * group_.scale_b;
    for (unsigned i = 0; i < group_.stored(); ++i) sum += scale * a_value(row, i) * b_value(column_of(row, i), column);
    return sum;
  }

  unsigned nibble_of(unsigned row, unsigned nibble) const {
    constexpr unsigned pairs[] = {0x4, 0x8, 0x9, 0xC, 0xD, 0xE}, singles[] = {0x4, 0xE};
    const unsigned x = row * 5 + nibble * 7 + row * nibble;
    return group_.bits() == 32 ? singles[x % 2] : pairs[x % 6];
  }
  unsigned column_of(unsigned row, unsigned i) const {
    if (!group_.is_sparse) return i;
    if (group_.bits() == 32) return 2 * i + (nibble_of(row, i) == 0xE ? 1 : 0);
    return i / 2 * 4 + (nibble_of(row, i / 2) >> (i % 2 * 2) & 3u);
  }

  static void put(std::uint32_t* words, unsigned index, unsigned bits, std::uint32_t value) {
    words[index * bits / 32] |= value << (index * bits % 32);
  }

  // The element `index` of a line.
  void put_in_image(const Layout& layout, unsigned line, unsigned index, std::uint32_t value) {
    const unsigned width = group_.swizzle == 0 ? 16 : group_.swizzle, bits = group_.bits();
    const unsigned byte = index * bits / 8, of_lines = 8 * width, of_pieces = (layout.lines + 7) / 8 * of_lines;
    unsigned at = layout.start + line / 8 * of_lines + line % 8 * width + byte / width * of_pieces + byte % width;
    if (group_.swizzle != 0) at ^= (((at >> 7) - layout.base) & (width / 16 - 1)) << 4;
    image[at / 4] |= value << (at % 4 * 8 + index * bits % 8);
  }
  std::uint64_t descriptor(const Layout& layout) const {
    const unsigned width = group_.swizzle == 0 ? 16 : group_.swizzle;
    std::uint64_t lines = 8 * width, pieces = (layout.lines + 7) / 8 * lines;
    const std::uint64_t leading = layout.is_transposed && group_.swizzle == 0 ? lines : pieces;
    const std::uint64_t stride = layout.is_transposed && group_.swizzle == 0 ? pieces : lines;
    const std::uint64_t mode = group_.swizzle == 128 ? 1 : group_.swizzle == 64 ? 2 : group_.swizzle == 32 ? 3 : 0;
    return layout.start >> 4 | (leading >> 4) << 16 | (stride >> 4) << 32 | std::uint64_t{layout.base} << 49 |
           mode << 62;
  }

  void place_a() {
    const unsigned stored = group_.stored(), per = 32 / group_.bits();
    const Layout layout{0, group_.transposes_a ? stored : 64, group_.transposes_a, 0};
    a_descriptor = descriptor(layout);
    for (unsigned row = 0; row < 64; ++row)
      for (unsigned i = 0; i < stored; ++i) {
        const std::uint32_t value = encoded_element(group_.a, a_value(row, i));
        if (group_.a_in_registers) {
          const unsigned lane = row % 8 * 4 + i / per % 4, reg = row % 16 / 8 + i / (4 * per) * 2;
          put(&a[(row / 16 * 32 + lane) * 4 + reg], i % per, group_.bits(), value);
        } else {
          put_in_image(layout, group_.transposes_a ? i : row, group_.transposes_a ? row : i, value);
        }
      }
  }
  void place_b() {
    const Layout layout{b_start + 128 * group_.shift, group_.transposes_b ? group_.k() : group_.n, group_.transposes_b,
                        group_.shift};
    b_descriptor = descriptor(layout);
    for (unsigned k = 0; k < group_.k(); ++k)
      for (unsigned column = 0; column < group_.n; ++column)
        put_in_image(layout, group_.transposes_b ? k : column, group_.transposes_b ? column : k,
                     encoded_element(group_.b, b_value(k, column)));
  }
  // Four lanes hold the metadata of rows r and r + 8: two of them 16 bits of both, or all of them 32 bits of one.
  void place_metadata() {
    if (!group_.is_sparse) return;
    const unsigned nibbles = group_.bits() == 8 ? 16 : 8;
    for (unsigned row = 0; row < 64; ++row)
      for (unsigned i = 0; i < nibbles; ++i) {
        const unsigned half = row % 16 / 8, first = row / 16 * 32 + row % 8 * 4;
        if (group_.bits() == 8)
          metadata[first + half + i / 8 * 2] |= nibble_of(row, i) << (i % 8 * 4);
        else
          metadata[first + 2 * group_.selector + i / 4] |= nibble_of(row, i) << (i % 4 * 4 + 16 * half);
      }
  }

  WarpGroupCase group_;
};

/// Each type, each swizzle, both places of A, both directions of a matrix of 16-bit elements, sparse ones, and the
/// smallest and the largest width.
inline std::vector<WarpGroupCase> warp_group_cases() {
  std::vector<WarpGroupCase> cases;
  const auto add = [&](const char* d, const char* a, const char* b, unsigned n, unsigned swizzle) -> WarpGroupCase& {
    WarpGroupCase made;
    made.d = d;
    made.a = a;
    made.b = b;
    made.n = n;
    made.swizzle = swizzle;
    return cases.emplace_back(made);
  };
  for (const unsigned swizzle : {0u, 32u, 64u, 128u}) {
    add("f32", "f16", "f16", 64, swizzle);
    add("f32", "bf16", "bf16", 72, swizzle).transposes_b = true;
    add("f16", "f16", "f16", 128, swizzle).transposes_a = true;
    WarpGroupCase& both = add("f32", "bf16", "bf16", 16, swizzle);
    both.transposes_a = both.transposes_b = true;
    both.scale_a = -1;
    add("f32", "tf32", "tf32", 24, swizzle);
    add("f16", "e4m3", "e5m2", 40, swizzle);
    add("s32", "s8", "u8", 48, swizzle);
    add("s32", "b1", "b1", 32, swizzle);
    WarpGroupCase& sparse = add("f32", "f16", "f16", 40, swizzle);
    sparse.is_sparse = sparse.transposes_b = true;
    sparse.selector = 1;
    add("s32", "u8", "s8", 32, swizzle).is_sparse = true;
  }
  for (const char* const type : {"f16", "bf16", "tf32", "e5m2", "u8", "b1"}) {
    const bool is_integer = std::string(type) == "u8" || std::string(type) == "b1";
    WarpGroupCase& made = add(is_integer ? "s32" : "f32", type, type, 8, 64);
    made.a_in_registers = true;
    made.accumulates = false;
    made.scale_b = is_integer ? 1 : -1;
  }
  for (const char* const type : {"bf16", "tf32", "e4m3", "s8"}) {
    const char* const sum = std::string(type) == "s8" ? "s32" : "f32";
    WarpGroupCase& made = add(sum, type, type, 16, 128);
    made.a_in_registers = made.is_sparse = true;
    add(sum, type, type, 16, 32).is_sparse = true;
  }
  add("f32", "f16", "f16", 256, 128).shift = 3;
  add("f32", "e4m3", "e4m3", 256, 64).shift = 1;
  add("s32", "s8", "s8", 256, 32).shift = 1;
  return cases;
}

}  // namespace kiln::test
