// prepare(): codes, and whether they fit the kernel.
#include "base/passkey.hpp"
#include "launch/argument_code.hpp"

#include "fake_cuda.hpp"
#include "fake_kernels.hpp"

#include <kiln/error.hpp>
#include <kiln/function.hpp>

#include <doctest/doctest.h>

#include <array>

namespace prepare_test {

using kiln::ArgumentError;
using Strings = std::vector<std::string>;

namespace {

template <class Codes>
ArgumentError refusal(const kiln::Function& function, const Codes& codes) {
  try {
    (void)function.prepare(codes);
  } catch (const ArgumentError& error) {
    return error;
  }
  FAIL("the codes were accepted");
  throw;
}

/// A kernel of these parameters, which is never launched.
kiln::Function function_of(std::vector<kiln::Parameter> parameters) {
  kiln::KernelInfo info;
  info.name = "f";
  info.parameters = std::move(parameters);
  return kiln::Function(kiln::passkey, std::make_shared<kiln::Kernel>(
                                           std::move(info), true, fake_code([](int) -> CUkernel { return nullptr; })));
}

}  // namespace

TEST_CASE("every code has the size and the alignment of its type") {
  struct {
    const char* code;
    std::size_t size;
    std::size_t alignment;
  } const cases[] = {
      {"b", 1, 1},
      {"B", 1, 1},
      {"c", 1, 1},
      {"s", 1, 0},
      {"p", 1, 0},
      {"h", 2, 2},
      {"H", 2, 2},
      {"i", 4, 4},
      {"I", 4, 4},
      {"l", 8, 8},
      {"L", 8, 8},
      {"q", 8, 8},
      {"Q", 8, 8},
      {"n", 8, 8},
      {"N", 8, 8},
      {"?", 1, 1},
      {"e", 2, 2},
      {"f", 4, 4},
      {"d", 8, 8},
      {"F", 8, 8},
      {"D", 16, 16},
      {"P", 8, 8},
      {"12s", 12, 0},
      {"7p", 7, 0},
      {"char1", 1, 1},
      {"uchar2", 2, 2},
      {"char3", 3, 1},
      {"uchar4", 4, 4},
      {"short2", 4, 4},
      {"ushort3", 6, 2},
      {"short4", 8, 8},
      {"int1", 4, 4},
      {"int2", 8, 8},
      {"uint3", 12, 4},
      {"int4", 16, 16},
      {"float2", 8, 8},
      {"float3", 12, 4},
      {"float4", 16, 16},
      {"long2", 16, 16},
      {"ulong3", 24, 8},
      {"longlong4", 32, 16},
      {"double1", 8, 8},
      {"double2", 16, 16},
      {"double3", 24, 8},
      {"double4", 32, 16},
      {"double4_16a", 32, 16},
      {"ulonglong4_32a", 32, 32},
      {"dim3", 12, 4},
      {"half", 2, 2},
      {"half2", 4, 4},
      {"bfloat16", 2, 2},
      {"bfloat162", 4, 4},
  };
  for (const auto& item : cases) {
    CAPTURE(item.code);
    const std::vector<kiln::ArgumentCode> codes = kiln::read_codes("f", Strings{item.code});
    REQUIRE(codes.size() == 1);
    CHECK(codes[0].size == item.size);
    CHECK(codes[0].alignment == item.alignment);
  }
}

TEST_CASE("a number repeats a code, bytes apart, and padding is no argument") {
  const std::vector<kiln::ArgumentCode> codes = kiln::read_codes("f", "3i12s4x2xP2x");
  REQUIRE(codes.size() == 5);
  CHECK(codes[2].text == "i");
  CHECK(codes[3].text == "12s");
  CHECK(codes[3].padding == 0);
  CHECK(codes[4].padding == 6);
  CHECK(kiln::read_codes("f", "").empty());
  CHECK(kiln::read_codes("f", Strings{"2P", "float4", "if"}).size() == 5);
}

TEST_CASE("an unknown code is refused with the known ones") {
  FakeModule module;
  const kiln::Function scale = module.function("_Z5scalePfif");
  for (const char* codes :
       {"PiZ", "P i", "Pi3", "Pif4", "99999999999999999999999s", "40000i", "P0if", "float4", "P,i"}) {
    CAPTURE(codes);
    const ArgumentError error = refusal(scale, codes);
    CHECK(error.kernel() == "scale(float*, int, float)");
    CHECK(error.index() == ArgumentError::no_index);
    CHECK(contains(error.what(), "known codes are x b B c s p h H i I l L n N q Q ? e f d F D P"));
  }
  CHECK(refusal(scale, "PiZ").given() == "'Z'");
  CHECK(contains(refusal(scale, "float4").what(), "prepare({\"float4\"})"));
  for (const char* code : {"", "float5", "floaty4", "float4_32a", "half4", "int"}) {
    CAPTURE(code);
    CHECK_THROWS_AS((void)scale.prepare(Strings{"P", code, "f"}), ArgumentError);
  }
}

TEST_CASE("codes that fit are accepted, in each way to write them") {
  FakeModule module;
  const kiln::Function scale = module.function("_Z5scalePfif");
  (void)scale.prepare("Pif");
  (void)scale.prepare("Pif", 256);
  (void)scale.prepare("Qif", {16, 16});  // as a CUdeviceptr, which is an unsigned long long
  (void)scale.prepare({"P", "i", "f"});
  (void)scale.prepare({"P", "if"}, 256);
  (void)scale.prepare({"8s", "4s", "4s"});
  (void)scale.prepare("Pif4x");
  (void)scale.prepare(Strings{"Pif"}, {16, 16});
  (void)scale.prepare<float*, int, float>();
  (void)scale.prepare<const float*, int, float>({16, 16});
  (void)module.function("empty").prepare();
  (void)module.function("empty").prepare("", 256);
  (void)module.function("_Z3tenPfS_S_S_iiffdx").prepare("4P2i2fdq");
  (void)module.function("vectors").prepare({"b", "float4", "?", "F", "c", "float3"});
  (void)module.function("vectors").prepare({"b", "16s", "b", "int2", "B", "dim3"});
  (void)module.function("scalars").prepare({"bBchHiIlLqQnN?efdFDP", "bfloat16"});
  (void)module.function("large").prepare("2048sP");
}

TEST_CASE("codes that do not fit are refused when they are prepared") {
  FakeModule module;
  const kiln::Function scale = module.function("_Z5scalePfif");
  struct {
    const char* codes;
    std::size_t index;
    const char* expected;
    const char* given;
  } const cases[] = {
      {"Pi", ArgumentError::no_index, "3 arguments", "2 arguments"},
      {"Pifx2f", ArgumentError::no_index, "3 arguments", "5 arguments"},
      {"", ArgumentError::no_index, "3 arguments", "no arguments"},
      {"qif", 0, "float* (pointer, 8 bytes)", "code q (long long, 8 bytes)"},
      {"Lif", 0, "float* (pointer, 8 bytes)", "code L (unsigned long, 8 bytes)"},
      {"dif", 0, "float* (pointer, 8 bytes)", "code d (double, 8 bytes)"},
      {"Fif", 0, "float* (pointer, 8 bytes)", "code F (complex of float, 8 bytes)"},
      {"iif", 0, "float* (pointer, 8 bytes)", "code i (int, 4 bytes)"},
      {"PPf", 1, "int (integer, 4 bytes)", "code P (pointer, 8 bytes)"},
      {"Pff", 1, "int (integer, 4 bytes)", "code f (float, 4 bytes)"},
      {"Plf", 1, "int (integer, 4 bytes)", "code l (long, 8 bytes)"},
      {"Pii", 2, "float (floating, 4 bytes)", "code i (int, 4 bytes)"},
      {"Pid", 2, "float (floating, 4 bytes)", "code d (double, 8 bytes)"},
      {"Pi3s", 2, "float (floating, 4 bytes)", "code 3s (3 bytes)"},
      {"xPif", 0, "float* (pointer, 8 bytes) at byte 0", "code P (pointer, 8 bytes) at byte 8"},
      {"Pixf", 2, "float (floating, 4 bytes) at byte 12", "code f (float, 4 bytes) at byte 16"},
      {"Pi4x4s", 2, "float (floating, 4 bytes) at byte 12", "code 4s (4 bytes) at byte 16"},
  };
  for (const auto& item : cases) {
    CAPTURE(item.codes);
    const ArgumentError error = refusal(scale, item.codes);
    CHECK(error.kernel() == "scale(float*, int, float)");
    CHECK(error.index() == item.index);
    CHECK(error.expected() == item.expected);
    CHECK(error.given() == item.given);
  }
  CHECK(module.loads() == 0);
  const kiln::Function number = function_of({{0, 8, kiln::ParameterKind::integer, "unsigned long long"}});
  CHECK(contains(refusal(number, "P").what(), "a texture object or an address as a number is Q"));
}

TEST_CASE("codes lie where the compiler lays out the parameters") {
  FakeModule module;
  // The kernel has float4 at 16, float2 at 40.
  const kiln::Function vectors = module.function("vectors");
  const ArgumentError error = refusal(vectors, Strings{"b", "float4", "b", "float2", "b", "4s2i"});
  CHECK(error.expected() == "6 arguments");
  // A structure of four floats is aligned at 4 bytes.
  const kiln::Function plain = function_of({{0, 4, kiln::ParameterKind::other, ""}, {4, 16, {}, ""}});
  const ArgumentError misplaced = refusal(plain, Strings{"i", "float4"});
  CHECK(misplaced.index() == 1);
  CHECK(misplaced.expected() == "16 bytes at byte 4");
  CHECK(misplaced.given() == "code float4 (float4, 16 bytes) at byte 16");
  CHECK(contains(misplaced.what(), "\"16s\""));
  (void)plain.prepare("i16s");
}

TEST_CASE("types are checked as those of a typed function") {
  FakeModule module;
  const kiln::Function scale = module.function("_Z5scalePfif");
  CHECK_THROWS_AS((void)(scale.prepare<double*, int, float>()), ArgumentError);
  CHECK_THROWS_AS((void)(scale.prepare<float*, unsigned, float>(256)), ArgumentError);
  CHECK_THROWS_AS((void)(scale.prepare<float*, int>()), ArgumentError);
  CHECK_THROWS_AS((void)scale.prepare(), ArgumentError);
}

TEST_CASE("the codes of a fatbin's kernel are checked against what the driver tells") {
  FakeModule module;
  const kiln::Function asked(kiln::passkey, module.kernel("_Z5scalePfif", false));
  CHECK_THROWS_AS((void)asked.prepare("Pi"), ArgumentError);
  CHECK_THROWS_AS((void)asked.prepare("iif"), ArgumentError);
  (void)asked.prepare("Pif");
}

}  // namespace prepare_test
