#include "warp_groups.hpp"

#include "warp_group_case.hpp"
#include "warp_group_kernel.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace differential {
namespace {

using kiln::test::WarpGroupCase;

constexpr unsigned image_words = 12288, b_start = 24 * 1024, threads = 128;

/// How a matrix lies in shared memory, as its descriptor says.
struct Layout {
  unsigned start, leading, stride, swizzle;  // bytes

  std::uint64_t descriptor() const {
    const std::uint64_t mode = swizzle == 128 ? 1 : swizzle == 64 ? 2 : swizzle == 32 ? 3 : 0;
    return start >> 4 | std::uint64_t{leading >> 4} << 16 | std::uint64_t{stride >> 4} << 32 | mode << 62;
  }
  /// The byte of the element (line, k), where a line is a row of A or a column of B.
  unsigned byte_of(unsigned line, unsigned k, unsigned bits, bool is_transposed) const {
    const unsigned width = swizzle == 0 ? 16 : swizzle, byte = (is_transposed ? line : k) * bits / 8;
    const unsigned group = (is_transposed ? k : line) / 8, within = (is_transposed ? k : line) % 8;
    const bool turned = is_transposed && swizzle == 0;  // the two distances have changed places
    unsigned at = start + group * (turned ? leading : stride) + within * width;
    at += swizzle != 0 && !is_transposed ? byte : byte / width * (turned ? stride : leading) + byte % width;
    const unsigned mask = width / 16 - 1;
    return at ^ (((at >> 7) & mask) << 4);
  }
};

/// Tight and loose layouts of all swizzles.
std::vector<Layout> layouts(unsigned start, unsigned lines, bool is_transposed, unsigned bits) {
  std::vector<Layout> made;
  for (const unsigned width : {16u, 32u, 64u, 128u}) {
    const unsigned swizzle = width == 16 ? 0 : width, group = 8 * width;
    const unsigned groups = is_transposed ? 256 / bits / 8 : (lines + 7) / 8;
    const unsigned pieces = is_transposed ? (lines * bits / 8 + width - 1) / width : 32 / width;
    const bool turned = is_transposed && swizzle == 0;
    const auto add = [&](unsigned from, unsigned of_groups, unsigned of_pieces) {
      made.push_back({start + from, turned ? of_groups : of_pieces, turned ? of_pieces : of_groups, swizzle});
    };
    add(0, group, groups * group);
    add(0, (pieces == 0 ? 1 : pieces) * group, group);
    if (swizzle == 0) {
      add(16, group + 32, groups * (group + 32) + 16);
      add(48, 48, 16);  // all overlap
    } else if (!is_transposed && width > 32) {
      add(32, 2 * group, 16);  // further along the lines
    }
  }
  return made;
}

unsigned exponent_bits(const std::string& type) { return type == "f16" || type == "e5m2" ? 5 : type == "e4m3" ? 4 : 8; }

/// The whole number that so many bits are.
int decoded(const std::string& type, unsigned bits, std::uint32_t value) {
  if (type == "s8") return static_cast<std::int8_t>(value);
  if (type == "u8" || type == "b1") return static_cast<int>(value);
  const unsigned fraction_bits = bits - 1 - exponent_bits(type);
  const std::uint32_t fraction = value & ((1u << fraction_bits) - 1);
  const int exponent = static_cast<int>(value >> fraction_bits & ((1u << exponent_bits(type)) - 1));
  if (exponent == 0) return 0;
  const int bias = (1 << (exponent_bits(type) - 1)) - 1;
  const double magnitude = std::ldexp(1.0 + std::ldexp(fraction, -static_cast<int>(fraction_bits)), exponent - bias);
  return static_cast<int>(value >> (bits - 1) != 0 ? -magnitude : magnitude);
}

class Words32 {
 public:
  explicit Words32(Words& words) : words_(words) {}
  std::uint32_t get(std::size_t bit, unsigned bits) const {
    const std::uint32_t word = words_[bit / 32] >> bit % 32;
    return bits == 32 ? word : word & ((1u << bits) - 1);
  }
  void set(std::size_t bit, unsigned bits, std::uint32_t value) {
    const std::uint32_t mask = (bits == 32 ? ~0u : (1u << bits) - 1) << bit % 32;
    words_[bit / 32] = (words_[bit / 32] & ~mask) | value << bit % 32;
  }

 private:
  Words& words_;
};

/// Whole numbers from -4 to 4 of a type; of integers any bits.
Words numbers_of(const Words& input, std::size_t first, std::size_t count, const std::string& type, unsigned bits) {
  Words made(count);
  for (std::size_t i = 0; i < count; ++i) made[i] = input[(first + i) % input.size()];
  if (type == "s8" || type == "u8" || type == "b1" || type == "s32") return made;
  Words32 elements(made);
  for (std::size_t bit = 0; bit < count * 32; bit += bits)
    elements.set(bit, bits, kiln::test::encoded_element(type, static_cast<int>(elements.get(bit, bits) % 9) - 4));
  return made;
}

struct Layouts {
  Layout a, b;
};

/// The swizzles of A and B are independent.
std::vector<Layouts> layouts_of(const WarpGroupCase& group) {
  const std::vector<Layout> of_a = layouts(0, 64, group.transposes_a, group.bits());
  const std::vector<Layout> of_b = layouts(b_start, group.n, group.transposes_b, group.bits());
  std::vector<Layouts> made;
  for (std::size_t i = 0; i < std::max(of_a.size(), of_b.size()); ++i)
    made.push_back({of_a[i % of_a.size()], of_b[i * 3 % of_b.size()]});
  return made;
}

/// Products of the same memory and registers with several layouts.
class Products {
 public:
  Products(const WarpGroupCase& group, const Words& input) : group_(group) {
    image_ = numbers_of(input, 0, b_start / 4, group.a, group.bits());
    const Words of_b = numbers_of(input, 77, image_words - b_start / 4, group.b, group.bits());
    image_.insert(image_.end(), of_b.begin(), of_b.end());
    a_ = numbers_of(input, 1234, std::size_t{4} * threads, group.a, group.bits());
    c_ = numbers_of(input, 4321, std::size_t{threads} * group.d_words(), group.d, d_bits());
  }

  Words run(const kiln::Function& kernel, const Layouts& layouts) const {
    const kiln::DeviceBuffer<std::uint32_t> image(image_), a(a_), metadata(Words(threads, 0)), c(c_),
        d(Words(c_.size(), 0));
    kernel({1, threads}, image.device_pointer(), a.device_pointer(), metadata.device_pointer(), c.device_pointer(),
           d.device_pointer(), layouts.a.descriptor(), layouts.b.descriptor());
    return d.to_host();
  }

  Words expected(const Layouts& layouts) {
    const std::vector<int> a = matrix(64, [&](unsigned row, unsigned k) { return a_element(layouts.a, row, k); });
    const std::vector<int> b = matrix(group_.n, [&](unsigned column, unsigned k) {
      return image_element(layouts.b, column, k, group_.transposes_b, group_.b);
    });
    Words made = c_;
    Words32 sums(made);
    for (unsigned thread = 0; thread < threads; ++thread)
      for (unsigned i = 0; i < group_.n / 2; ++i) {
        const unsigned row = thread / 32 * 16 + thread % 32 / 4 + i / 2 % 2 * 8;
        const unsigned column = i / 4 * 8 + thread % 4 * 2 + i % 2;
        const int *const x = &a[row * group_.k()], *const y = &b[column * group_.k()];
        int products = 0;
        for (unsigned k = 0; k < group_.k(); ++k) products += x[k] * y[k];
        const std::size_t bit = std::size_t{thread} * group_.d_words() * 32 + i * d_bits();
        sums.set(bit, d_bits(), sum(sums.get(bit, d_bits()), products));
      }
    return made;
  }

 private:
  unsigned d_bits() const { return group_.d == "f16" ? 16 : 32; }

  template <class Element>
  std::vector<int> matrix(unsigned lines, Element element) const {
    std::vector<int> made;
    for (unsigned line = 0; line < lines; ++line)
      for (unsigned k = 0; k < group_.k(); ++k) made.push_back(element(line, k));
    return made;
  }
  std::uint32_t sum(std::uint32_t before, int products) const {
    if (group_.is_integer()) return before + static_cast<std::uint32_t>(products);
    return kiln::test::encoded_element(
        group_.d, decoded(group_.d, d_bits(), before) + products * group_.scale_a * group_.scale_b);
  }
  int image_element(const Layout& layout, unsigned line, unsigned k, bool is_transposed, const std::string& type) {
    const unsigned bits = group_.bits(), byte = layout.byte_of(line, k, bits, is_transposed);
    return decoded(type, bits, Words32(image_).get(byte * 8 + (is_transposed ? line : k) * bits % 8, bits));
  }
  int a_element(const Layout& layout, unsigned row, unsigned k) {
    if (!group_.a_in_registers) return image_element(layout, row, k, group_.transposes_a, group_.a);
    const unsigned per = 32 / group_.bits(), lane = row % 8 * 4 + k / per % 4, reg = row % 16 / 8 + k / (4 * per) * 2;
    const unsigned word = (row / 16 * 32 + lane) * 4 + reg;
    return decoded(group_.a, group_.bits(), Words32(a_).get(word * 32 + k % per * group_.bits(), group_.bits()));
  }

  WarpGroupCase group_;
  Words image_, a_, c_;
};

/// The words of each layout, one behind the other.
template <class Make>
Words of_layouts(const WarpGroupCase& group, Make make) {
  Words all;
  for (const Layouts& each : layouts_of(group)) {
    const Words made = make(each);
    all.insert(all.end(), made.begin(), made.end());
  }
  return all;
}

HostProgram program(const WarpGroupCase& group) {
  HostProgram made;
  std::string name = "wgmma_" + group.d + "_" + group.a + "_" + group.b;
  if (group.a_in_registers) name += "_registers";
  if (group.transposes_a) name += "_ta";
  if (group.transposes_b) name += "_tb";
  made.description.file = "warp_groups";
  made.description.name = name;
  made.description.input = "bits";
  made.description.input_words = 16384;
  made.description.rows = layouts_of(group).size();
  made.description.output_words = made.description.rows * threads * group.d_words();
  made.description.for_hopper = true;
  made.run = [=](const Words& input) {
    const kiln::SourceModule module(kiln::test::product_kernel(group, "product"),
                                    kiln::CompileOptions{}.with_arch("sm_90a"));
    const kiln::Function kernel = module.get_function("product");
    const Products products(group, input);
    return of_layouts(group, [&](const Layouts& each) { return products.run(kernel, each); });
  };
  made.expected = [=](const Words& input) {
    Products products(group, input);
    return of_layouts(group, [&](const Layouts& each) { return products.expected(each); });
  };
  return made;
}

std::vector<WarpGroupCase> cases() {
  std::vector<WarpGroupCase> made;
  const auto add = [&](const char* d, const char* a, const char* b, unsigned n) -> WarpGroupCase& {
    WarpGroupCase one;
    one.d = d;
    one.a = a;
    one.b = b;
    one.n = n;
    return made.emplace_back(one);
  };
  for (const unsigned which : {0u, 1u, 2u, 3u}) {
    for (const char* const type : {"f16", "bf16"}) {
      WarpGroupCase& one = add("f32", type, type, std::string(type) == "f16" ? 40 : 64);
      one.transposes_a = which % 2 != 0;
      one.transposes_b = which / 2 != 0;
      one.scale_b = which == 2 ? -1 : 1;
    }
  }
  add("f16", "f16", "f16", 64);
  add("f32", "tf32", "tf32", 24);
  add("f32", "e4m3", "e5m2", 48);
  add("f32", "e5m2", "e4m3", 16);
  add("f16", "e4m3", "e4m3", 64);
  add("s32", "s8", "u8", 32);
  add("s32", "u8", "s8", 64);
  add("s32", "b1", "b1", 32);
  for (const char* const type : {"f16", "bf16", "tf32", "e4m3", "u8", "s8", "b1"}) {
    const bool is_integer = std::string(type) == "u8" || std::string(type) == "s8" || std::string(type) == "b1";
    WarpGroupCase& one = add(is_integer ? "s32" : "f32", type, type, 32);
    one.a_in_registers = true;
    one.transposes_b = one.bits() == 16;
  }
  return made;
}

}  // namespace

std::vector<HostProgram> warp_group_programs() {
  std::vector<HostProgram> all;
  for (const WarpGroupCase& group : cases()) all.push_back(program(group));
  return all;
}

}  // namespace differential
