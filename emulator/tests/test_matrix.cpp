// mma, wmma, ldmatrix, stmatrix, movmatrix: layouts as the PTX manual gives them, on small whole numbers, which every
// format holds exactly.
#include "run_ptx.hpp"

#include "emulator/numbers/half.hpp"

#include <bit>
#include <cstdint>
#include <functional>

namespace matrix_test {

using namespace kiln::emulator;

namespace {

using U = std::uint32_t;

struct At {
  unsigned row, column;
};
/// Of an operand: where the lane's i-th element lies, what an element's bits are.
struct Side {
  std::string type;  // of the registers in PTX: b32 or b64
  unsigned registers, bits;
  std::function<At(unsigned lane, unsigned i)> place;
  std::function<std::uint64_t(int)> encode;
  unsigned words() const { return type == "b64" ? 2 * registers : registers; }
  unsigned elements() const { return words() * 32 / bits; }
};

/// Small numbers that differ from place to place.
int value_at(unsigned row, unsigned column, unsigned salt, bool is_signed, int limit) {
  const int value = static_cast<int>((row * 7 + column * 5 + salt * 3 + row * column) % static_cast<unsigned>(limit));
  return is_signed ? value - limit / 2 : value;
}

std::vector<U> encoded(const Side& side, const std::function<int(At)>& value) {
  std::vector<U> words(32 * side.words());
  for (unsigned lane = 0; lane < 32; ++lane)
    for (unsigned i = 0; i < side.elements(); ++i) {
      const std::uint64_t bits = side.encode(value(side.place(lane, i)));
      const unsigned at = i * side.bits;
      words[lane * side.words() + at / 32] |= static_cast<U>(bits << (at % 32));
      if (side.bits == 64) words[lane * side.words() + at / 32 + 1] |= static_cast<U>(bits >> 32);
    }
  return words;
}

std::string loads(const Side& side, const std::string& letter, const std::string& pointer) {
  std::string text = ".reg ." + side.type + " %" + letter + "<16>;\n";
  const unsigned bytes = side.type == "b64" ? 8 : 4;
  for (unsigned i = 0; i < side.registers; ++i)
    text += "ld.global." + side.type + " %" + letter + std::to_string(i) + ", [" + pointer + "+" +
            std::to_string(bytes * i) + "];\n";
  return text;
}
std::string list(const Side& side, const std::string& letter) {
  std::string text = "{";
  for (unsigned i = 0; i < side.registers; ++i) text += (i == 0 ? "%" : ", %") + letter + std::to_string(i);
  return text + "}";
}

/// Runs "mma D, A, B, C" with these words for the lanes, and gives D's.
std::vector<U> run_mma(const std::string& instruction, const Side& a, const Side& b, const Side& c,
                       const std::vector<U>& a_words, const std::vector<U>& b_words, const std::vector<U>& c_words) {
  std::string body =
      ".visible .entry k(.param .u64 d, .param .u64 a, .param .u64 b, .param .u64 c) {\n"
      ".reg .b64 %pd, %pa, %pb, %pc, %at; .reg .b32 %t; mov.u32 %t, %tid.x;\n";
  const auto pointer = [&](const std::string& name, const Side& side) {
    body += "ld.param.u64 %p" + name + ", [" + name + "]; mul.wide.u32 %at, %t, " + std::to_string(4 * side.words()) +
            "; add.s64 %p" + name + ", %p" + name + ", %at;\n";
  };
  pointer("d", c);
  pointer("a", a);
  pointer("b", b);
  pointer("c", c);
  body += loads(a, "xa", "%pa") + loads(b, "xb", "%pb") + loads(c, "xc", "%pc") + ".reg ." + c.type + " %xd<16>;\n";
  body +=
      instruction + " " + list(c, "xd") + ", " + list(a, "xa") + ", " + list(b, "xb") + ", " + list(c, "xc") + ";\n";
  for (unsigned i = 0; i < c.registers; ++i)
    body += "st.global." + c.type + " [%pd+" + std::to_string((c.type == "b64" ? 8 : 4) * i) + "], %xd" +
            std::to_string(i) + ";\n";
  TestModule module(ptx_module(body + "ret; }", "sm_90"));
  Buffer<U> out(std::vector<U>(c_words.size()));
  const Buffer<U> left(a_words), right(b_words), third(c_words);
  const LaunchOutcome outcome =
      module.launch("k", {}, {32}, out.address(), left.address(), right.address(), third.address());
  REQUIRE_MESSAGE(outcome.result == CUDA_SUCCESS, outcome.report);
  return out.values();
}

void check_mma(const std::string& instruction, unsigned k, const Side& a, const Side& b, const Side& c,
               bool is_signed = true, int limit = 8) {
  CAPTURE(instruction);
  const auto of_a = [&](At at) { return value_at(at.row, at.column, 1, is_signed, limit); };
  const auto of_b = [&](At at) { return value_at(at.row, at.column, 2, is_signed, limit); };
  const auto of_c = [&](At at) { return value_at(at.row, at.column, 3, true, 64); };
  const auto of_d = [&](At at) {
    int sum = of_c(at);
    for (unsigned i = 0; i < k; ++i) sum += of_a({at.row, i}) * of_b({i, at.column});
    return sum;
  };
  const std::vector<U> results = run_mma(instruction, a, b, c, encoded(a, of_a), encoded(b, of_b), encoded(c, of_c));
  CHECK(results == encoded(c, of_d));
}

std::uint64_t half(int value) { return half_of_float(static_cast<float>(value)); }
std::uint64_t bfloat(int value) { return bfloat_of_float(static_cast<float>(value)); }
std::uint64_t single(int value) { return std::bit_cast<U>(static_cast<float>(value)); }
std::uint64_t twice(int value) { return std::bit_cast<std::uint64_t>(static_cast<double>(value)); }
std::uint64_t whole(int value) { return static_cast<U>(value); }
std::uint64_t byte(int value) { return static_cast<std::uint8_t>(value); }
std::uint64_t nibble(int value) { return static_cast<U>(value) & 15u; }
std::uint64_t one_bit(int value) { return static_cast<U>(value) & 1u; }

/// The accumulator of all shapes of 16 (or 8) rows and 8 columns.
At accumulator(unsigned lane, unsigned i) { return {i < 2 ? lane / 4 : lane / 4 + 8, lane % 4 * 2 + (i & 1u)}; }
const Side f32_sum{"b32", 4, 32, accumulator, single};
const Side f16_sum{"b32", 2, 16, accumulator, half};
const Side s32_sum{"b32", 4, 32, accumulator, whole};

}  // namespace

TEST_CASE("mma of 16-bit floats") {
  const auto a8 = [](unsigned lane, unsigned i) {
    return At{i < 2 ? lane / 4 : lane / 4 + 8, lane % 4 * 2 + (i & 1u)};
  };
  const auto b8 = [](unsigned lane, unsigned i) { return At{lane % 4 * 2 + i, lane / 4}; };
  const auto a16 = [](unsigned lane, unsigned i) {
    return At{i < 2 || (i >= 4 && i < 6) ? lane / 4 : lane / 4 + 8, lane % 4 * 2 + (i & 1u) + (i < 4 ? 0 : 8)};
  };
  const auto b16 = [](unsigned lane, unsigned i) { return At{lane % 4 * 2 + (i & 1u) + (i < 2 ? 0 : 8), lane / 4}; };
  check_mma("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32", 8, {"b32", 2, 16, a8, half}, {"b32", 1, 16, b8, half},
            f32_sum);
  check_mma("mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16", 8, {"b32", 2, 16, a8, half}, {"b32", 1, 16, b8, half},
            f16_sum);
  check_mma("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", 16, {"b32", 4, 16, a16, half},
            {"b32", 2, 16, b16, half}, f32_sum);
  check_mma("mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16", 16, {"b32", 4, 16, a16, half},
            {"b32", 2, 16, b16, half}, f16_sum);
  check_mma("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32", 16, {"b32", 4, 16, a16, bfloat},
            {"b32", 2, 16, b16, bfloat}, f32_sum);
  check_mma("mma.sync.aligned.m16n8k8.row.col.f32.bf16.bf16.f32", 8, {"b32", 2, 16, a8, bfloat},
            {"b32", 1, 16, b8, bfloat}, f32_sum);
}

TEST_CASE("mma of tf32 and f64") {
  const auto a4 = [](unsigned lane, unsigned i) { return At{lane / 4 + 8 * i, lane % 4}; };
  const auto b4 = [](unsigned lane, unsigned) { return At{lane % 4, lane / 4}; };
  const auto a8 = [](unsigned lane, unsigned i) { return At{lane / 4 + 8 * (i & 1u), lane % 4 + (i < 2 ? 0 : 4)}; };
  const auto b8 = [](unsigned lane, unsigned i) { return At{lane % 4 + 4 * i, lane / 4}; };
  const auto a16 = [](unsigned lane, unsigned i) {
    return At{lane / 4 + 8 * (i & 1u), i % 2 == 0 ? i * 2 + lane % 4 : i * 2 - 2 + lane % 4};
  };
  check_mma("mma.sync.aligned.m16n8k4.row.col.f32.tf32.tf32.f32", 4, {"b32", 2, 32, a4, single},
            {"b32", 1, 32, b4, single}, f32_sum);
  check_mma("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32", 8, {"b32", 4, 32, a8, single},
            {"b32", 2, 32, b8, single}, f32_sum);
  const Side f64_sum{"b64", 4, 64, accumulator, twice}, small_f64_sum{"b64", 2, 64, accumulator, twice};
  check_mma("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64", 4, {"b64", 1, 64, a4, twice}, {"b64", 1, 64, b4, twice},
            small_f64_sum);
  check_mma("mma.sync.aligned.m16n8k4.row.col.f64.f64.f64.f64", 4, {"b64", 2, 64, a4, twice}, {"b64", 1, 64, b4, twice},
            f64_sum);
  check_mma("mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64", 8, {"b64", 4, 64, a8, twice}, {"b64", 2, 64, b8, twice},
            f64_sum);
  check_mma("mma.sync.aligned.m16n8k16.row.col.f64.f64.f64.f64", 16, {"b64", 8, 64, a16, twice},
            {"b64", 4, 64, b8, twice}, f64_sum);
}

TEST_CASE("mma of integers") {
  const auto a8x16 = [](unsigned lane, unsigned i) { return At{lane / 4, lane % 4 * 4 + i}; };
  const auto a16x16 = [](unsigned lane, unsigned i) {
    return At{i < 4 ? lane / 4 : lane / 4 + 8, lane % 4 * 4 + (i & 3u)};
  };
  const auto b16 = [](unsigned lane, unsigned i) { return At{lane % 4 * 4 + i, lane / 4}; };
  const auto a32 = [](unsigned lane, unsigned i) {
    return At{i < 4 || (i >= 8 && i < 12) ? lane / 4 : lane / 4 + 8, lane % 4 * 4 + (i & 3u) + (i < 8 ? 0 : 16)};
  };
  const auto b32 = [](unsigned lane, unsigned i) { return At{lane % 4 * 4 + (i & 3u) + (i < 4 ? 0 : 16), lane / 4}; };
  const Side small_sum{"b32", 2, 32, accumulator, whole};
  check_mma("mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32", 16, {"b32", 1, 8, a8x16, byte}, {"b32", 1, 8, b16, byte},
            small_sum, true, 250);
  check_mma("mma.sync.aligned.m16n8k16.row.col.s32.u8.u8.s32", 16, {"b32", 2, 8, a16x16, byte},
            {"b32", 1, 8, b16, byte}, s32_sum, false, 255);
  check_mma("mma.sync.aligned.m16n8k32.row.col.satfinite.s32.s8.s8.s32", 32, {"b32", 4, 8, a32, byte},
            {"b32", 2, 8, b32, byte}, s32_sum, true, 250);
  const auto a64 = [](unsigned lane, unsigned i) {
    return At{i < 8 || (i >= 16 && i < 24) ? lane / 4 : lane / 4 + 8, lane % 4 * 8 + (i & 7u) + (i < 16 ? 0 : 32)};
  };
  const auto b64 = [](unsigned lane, unsigned i) { return At{lane % 4 * 8 + (i & 7u) + (i < 8 ? 0 : 32), lane / 4}; };
  check_mma("mma.sync.aligned.m16n8k64.row.col.s32.s4.s4.s32", 64, {"b32", 4, 4, a64, nibble},
            {"b32", 2, 4, b64, nibble}, s32_sum, true, 15);
  const auto a128 = [](unsigned lane, unsigned i) { return At{lane / 4, lane % 4 * 32 + i}; };
  const auto b128 = [](unsigned lane, unsigned i) { return At{lane % 4 * 32 + i, lane / 4}; };
  check_mma("mma.sync.aligned.m8n8k128.row.col.s32.b1.b1.s32.and.popc", 128, {"b32", 1, 1, a128, one_bit},
            {"b32", 1, 1, b128, one_bit}, small_sum, false, 2);
}

TEST_CASE("mma of integers wraps, or is limited") {
  const Side a{"b32", 2, 8, accumulator, byte}, b{"b32", 1, 8, accumulator, byte};
  const std::vector<U> hundreds(64, 0x64646464u), column(32, 0x64646464u), high(128, 0x7FFFFFFFu);
  const std::string form = "mma.sync.aligned.m16n8k16.row.col";
  CHECK(run_mma(form + ".s32.s8.s8.s32", a, b, s32_sum, hundreds, column, high) ==
        std::vector<U>(128, 0x7FFFFFFFu + 160000u));
  CHECK(run_mma(form + ".satfinite.s32.s8.s8.s32", a, b, s32_sum, hundreds, column, high) == high);
}

TEST_CASE("the mma of Volta does four products, each by eight lanes") {
  // The rows of all four one below the other; so are B's columns.
  const auto product = [](unsigned lane) { return lane % 16 / 4; };
  const auto upper = [](unsigned lane) { return lane < 16 ? 0u : 4u; };
  const auto by_lane = [=](unsigned lane, unsigned i) { return At{8 * product(lane) + lane % 4 + upper(lane), i}; };
  const auto by_element = [=](unsigned lane, unsigned i) { return At{8 * product(lane) + i + upper(lane), lane % 4}; };
  const auto f32_place = [=](unsigned lane, unsigned i) {
    return At{8 * product(lane) + (lane & 1u) + (i & 2u) + upper(lane), (i & 4u) + (lane & 2u) + (i & 1u)};
  };
  const auto swapped = [](auto place) {  // B by columns
    return [=](unsigned lane, unsigned i) {
      const At at = place(lane, i);
      return At{at.column, at.row};
    };
  };
  const auto check = [&](const std::string& layouts, const auto& a_place, const auto& b_place) {
    CAPTURE(layouts);
    const Side a{"b32", 2, 16, a_place, half}, b{"b32", 2, 16, swapped(b_place), half};
    const Side c{"b32", 8, 32, f32_place, single}, c16{"b32", 4, 16, by_lane, half};
    const auto of_a = [](At at) { return value_at(at.row, at.column, 1, true, 8); };
    const auto of_b = [](At at) { return value_at(at.row, at.column, 2, true, 8); };
    const auto of_c = [](At at) { return value_at(at.row, at.column, 3, true, 64); };
    const auto of_d = [&](At at) {
      int sum = of_c(at);
      for (unsigned i = 0; i < 4; ++i) sum += of_a({at.row, i}) * of_b({i, at.row / 8 * 8 + at.column});
      return sum;
    };
    CHECK(run_mma("mma.sync.aligned.m8n8k4." + layouts + ".f32.f16.f16.f32", a, b, c, encoded(a, of_a),
                  encoded(b, of_b), encoded(c, of_c)) == encoded(c, of_d));
    CHECK(run_mma("mma.sync.aligned.m8n8k4." + layouts + ".f16.f16.f16.f16", a, b, c16, encoded(a, of_a),
                  encoded(b, of_b), encoded(c16, of_c)) == encoded(c16, of_d));
  };
  // B of rows: a lane has a row; of columns: a column.
  check("row.col", by_lane, by_lane);
  check("col.row", by_element, by_element);
}

namespace {

/// A kernel with one warp whose shared memory holds `in`, and whose `out` is then written, word by word.
std::vector<U> run_shared(const std::string& text, const std::vector<U>& in) {
  CAPTURE(text);
  TestModule module(ptx_module(R"(
    .visible .entry k(.param .u64 out, .param .u64 in) {
      .reg .b64 %d<9>; .reg .b32 %r<20>, %t, %m, %i; .reg .pred %p<3>; .shared .align 16 .b8 block[512];
      ld.param.u64 %d1, [out]; ld.param.u64 %d2, [in]; mov.u32 %t, %tid.x; mov.u32 %m, block;
      mul.wide.u32 %d3, %t, 16; add.s64 %d1, %d1, %d3; add.s64 %d2, %d2, %d3;
      mad.lo.u32 %i, %t, 16, %m;  // the lane's row
      ld.global.v4.u32 {%r1, %r2, %r3, %r4}, [%d2]; st.shared.v4.u32 [%i], {%r1, %r2, %r3, %r4};
      bar.sync 0;
      )" + text + R"(
      st.global.v4.u32 [%d1], {%r1, %r2, %r3, %r4}; ret; })"));
  Buffer<U> out(std::vector<U>(128));
  const Buffer<U> source(in);
  const LaunchOutcome outcome = module.launch("k", {}, {32}, out.address(), source.address());
  REQUIRE_MESSAGE(outcome.result == CUDA_SUCCESS, outcome.report);
  return out.values();
}

/// Element (row, column) of matrix m is 64 m + 8 row + column, two in a word.
std::vector<U> numbered() {
  std::vector<U> words;
  for (U i = 0; i < 128; ++i) words.push_back((2 * i + 1) << 16 | 2 * i);
  return words;
}
/// What the manual gives a lane: neighbours of row lane / 4, or, transposed, of column lane / 4.
U pair_of(unsigned lane, unsigned matrix, bool transposed) {
  const unsigned outer = lane / 4, inner = lane % 4 * 2;
  const unsigned first = transposed ? inner * 8 + outer : outer * 8 + inner;
  return (64 * matrix + first) | (64 * matrix + first + (transposed ? 8 : 1)) << 16;
}
std::vector<U> fragments(bool transposed) {
  std::vector<U> words;
  for (unsigned lane = 0; lane < 32; ++lane)
    for (unsigned matrix = 0; matrix < 4; ++matrix) words.push_back(pair_of(lane, matrix, transposed));
  return words;
}

}  // namespace

TEST_CASE("ldmatrix") {
  CHECK(run_shared("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r1, %r2, %r3, %r4}, [%i];", numbered()) ==
        fragments(false));
  CHECK(run_shared("ldmatrix.sync.aligned.m8n8.x4.trans.shared::cta.b16 {%r1, %r2, %r3, %r4}, [%i];", numbered()) ==
        fragments(true));
  CHECK(run_shared("cvt.u64.u32 %d4, %i; cvta.shared.u64 %d4, %d4;\n"
                   "ldmatrix.sync.aligned.m8n8.x4.b16 {%r1, %r2, %r3, %r4}, [%d4];",
                   numbered()) == fragments(false));
  // Only the first lanes give addresses; the others' are not looked at.
  const std::vector<U> two = run_shared(
      "setp.ge.u32 %p1, %t, 16; @%p1 mov.u32 %i, 1;\n"
      "ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%r1, %r2}, [%i];",
      numbered());
  const std::vector<U> one = run_shared("ldmatrix.sync.aligned.m8n8.x1.trans.shared.b16 {%r3}, [block];", numbered());
  for (unsigned lane = 0; lane < 32; ++lane) {
    CHECK(two[4 * lane] == pair_of(lane, 0, false));
    CHECK(two[4 * lane + 1] == pair_of(lane, 1, false));
    // All eight rows are the first.
    CHECK(one[4 * lane + 2] == (lane / 4 | lane / 4 << 16));
  }
}

TEST_CASE("stmatrix and movmatrix") {
  const std::string back = "bar.sync 0; ld.shared.v4.u32 {%r1, %r2, %r3, %r4}, [%i];";
  // The lane's words are the fragments.
  CHECK(run_shared("bar.sync 0; stmatrix.sync.aligned.m8n8.x4.shared.b16 [%i], {%r1, %r2, %r3, %r4};" + back,
                   fragments(false)) == numbered());
  CHECK(run_shared("bar.sync 0; stmatrix.sync.aligned.m8n8.x4.trans.shared.b16 [%i], {%r1, %r2, %r3, %r4};" + back,
                   fragments(true)) == numbered());
  const std::vector<U> moved = run_shared("movmatrix.sync.aligned.m8n8.trans.b16 %r1, %r1;", fragments(false));
  for (unsigned lane = 0; lane < 32; ++lane) CHECK(moved[4 * lane] == pair_of(lane, 0, true));
}

namespace {

struct Wmma {
  std::string shape, a_type, c_type, product;  // "f32.f32": the types of wmma.mma
  unsigned m, n, k, a_registers, b_registers, c_registers;
  const char* letter;  // of the accumulators
};

/// A and B are loaded by rows or columns from matrices with rows longer than they need, C and D lie by rows.
template <class T, class C>
void check_wmma(const Wmma& w, const std::string& a_layout, const std::string& b_layout, T (*encode)(int),
                C (*encode_c)(int), int limit) {
  CAPTURE(w.shape);
  CAPTURE(a_layout);
  const unsigned pad = 16 / sizeof(T);
  const unsigned a_stride = (a_layout == "row" ? w.k : w.m) + pad, b_stride = (b_layout == "row" ? w.n : w.k) + pad;
  std::vector<T> a(a_stride * (a_layout == "row" ? w.m : w.k)), b(b_stride * (b_layout == "row" ? w.k : w.n));
  std::vector<C> c(w.m * w.n), expected(w.m * w.n);
  const auto of = [&](unsigned row, unsigned column, unsigned salt) {
    return value_at(row, column, salt, true, limit);
  };
  for (unsigned i = 0; i < w.m; ++i)
    for (unsigned j = 0; j < w.k; ++j) a[a_layout == "row" ? i * a_stride + j : j * a_stride + i] = encode(of(i, j, 1));
  for (unsigned i = 0; i < w.k; ++i)
    for (unsigned j = 0; j < w.n; ++j) b[b_layout == "row" ? i * b_stride + j : j * b_stride + i] = encode(of(i, j, 2));
  for (unsigned i = 0; i < w.m; ++i)
    for (unsigned j = 0; j < w.n; ++j) {
      int sum = of(i, j, 3);
      c[i * w.n + j] = encode_c(sum);
      for (unsigned x = 0; x < w.k; ++x) sum += of(i, x, 1) * of(x, j, 2);
      expected[i * w.n + j] = encode_c(sum);
    }
  const auto regs = [](const std::string& name, unsigned count) {
    std::string text = "{";
    for (unsigned i = 0; i < count; ++i) text += (i == 0 ? "%" : ", %") + name + std::to_string(i);
    return text + "}";
  };
  const std::string wide = sizeof(T) == 8 ? "b64" : "b32", ra = regs("xa", w.a_registers),
                    rb = regs("xb", w.b_registers), rc = regs("xc", w.c_registers);
  TestModule module(ptx_module(
      ".visible .entry k(.param .u64 d, .param .u64 a, .param .u64 b, .param .u64 c) {\n.reg .b64 %d<9>; .reg .b32 "
      "%s;\n"
      ".reg ." +
      wide + " %xa<8>, %xb<8>; .reg ." + w.letter +
      " %xc<8>;\n"
      "ld.param.u64 %d1, [d]; ld.param.u64 %d2, [a]; ld.param.u64 %d3, [b]; ld.param.u64 %d4, [c];\n"
      "mov.u32 %s, " +
      std::to_string(a_stride) +
      ";\n"
      "wmma.load.a.sync.aligned." +
      a_layout + "." + w.shape + "." + w.a_type + " " + ra +
      ", [%d2], %s;\n"
      "wmma.load.b.sync.aligned." +
      b_layout + "." + w.shape + ".global." + w.a_type + " " + rb + ", [%d3], " + std::to_string(b_stride) +
      ";\n"
      "wmma.load.c.sync.aligned.row." +
      w.shape + ".global." + w.c_type + " " + rc +
      ", [%d4];\n"
      "wmma.mma.sync.aligned." +
      a_layout + "." + b_layout + "." + w.shape + "." + w.product + " " + rc + ", " + ra + ", " + rb + ", " + rc +
      ";\n"
      "wmma.store.d.sync.aligned.row." +
      w.shape + ".global." + w.c_type + " [%d1], " + rc + ", " + std::to_string(w.n) + ";\nret; }"));
  Buffer<C> out{std::vector<C>(c.size())};
  const Buffer<T> left(a), right(b);
  const Buffer<C> third(c);
  const LaunchOutcome outcome =
      module.launch("k", {}, {32}, out.address(), left.address(), right.address(), third.address());
  REQUIRE_MESSAGE(outcome.result == CUDA_SUCCESS, outcome.report);
  CHECK(out.values() == expected);
}

std::uint16_t half_bits(int value) { return half_of_float(static_cast<float>(value)); }
std::uint16_t bfloat_bits(int value) { return bfloat_of_float(static_cast<float>(value)); }
float as_float(int value) { return static_cast<float>(value); }
double as_double(int value) { return value; }
std::int8_t as_byte(int value) { return static_cast<std::int8_t>(value); }
std::int32_t as_word(int value) { return value; }

}  // namespace

TEST_CASE("wmma in all shapes and types") {
  for (const auto& [a, b] : {std::pair{"row", "col"}, {"col", "row"}, {"row", "row"}, {"col", "col"}}) {
    check_wmma({"m16n16k16", "f16", "f32", "f32.f32", 16, 16, 16, 8, 8, 8, "f32"}, a, b, half_bits, as_float, 8);
    check_wmma({"m16n16k16", "f16", "f16", "f16.f16", 16, 16, 16, 8, 8, 4, "b32"}, a, b, half_bits, half_bits, 8);
    check_wmma({"m32n8k16", "f16", "f32", "f32.f32", 32, 8, 16, 8, 8, 8, "f32"}, a, b, half_bits, as_float, 8);
    check_wmma({"m8n32k16", "bf16", "f32", "f32.bf16.bf16.f32", 8, 32, 16, 2, 8, 8, "f32"}, a, b, bfloat_bits, as_float,
               8);
    check_wmma({"m16n16k8", "tf32", "f32", "f32.tf32.tf32.f32", 16, 16, 8, 4, 4, 8, "f32"}, a, b, as_float, as_float,
               8);
    check_wmma({"m8n8k4", "f64", "f64", "f64.f64.f64.f64", 8, 8, 4, 1, 1, 2, "f64"}, a, b, as_double, as_double, 100);
    check_wmma({"m16n16k16", "s8", "s32", "s32.s8.s8.s32", 16, 16, 16, 2, 2, 8, "b32"}, a, b, as_byte, as_word, 250);
    check_wmma({"m32n8k16", "s8", "s32", "s32.s8.s8.s32", 32, 8, 16, 4, 1, 8, "b32"}, a, b, as_byte, as_word, 250);
  }
}

TEST_CASE("shapes that no matrix instruction has are errors of the text") {
  const std::string registers = ".reg .b32 %x<9>; .reg .f32 %y<9>;\n";
  for (const char* text :
       {"mma.sync.aligned.m16n8k8.row.col.s32.s8.s8.s32 {%x1}, {%x2}, {%x3}, {%x4};",
        "mma.sync.aligned.m16n8k0.row.col.f32.f16.f16.f32 {%x1}, {%x2}, {%x3}, {%x4};",
        "mma.sync.aligned.m16n8k4.row.col.f32.f16.f16.f32 {%y1, %y2, %y3, %y4}, {%x2}, {%x3}, {%y1, %y2, %y3, %y4};",
        "mma.sync.aligned.row.col.f32.f16.f16.f32 {%x1}, {%x2}, {%x3}, {%x4};",
        "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%y1, %y2}, {%x1, %x2}, {%x3}, {%y1, %y2};",
        "wmma.load.a.sync.aligned.row.m7n7k7.f16 {%x1}, [%a], 16;",
        "wmma.load.a.sync.aligned.m16n16k16.f16 {%x1}, [%a], 16;",
        "ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%x1}, [%a];"}) {
    CAPTURE(text);
    CHECK_THROWS_AS(TestModule(elementwise(registers + text, 4)), ptx::ParseError);
  }
}

}  // namespace matrix_test
