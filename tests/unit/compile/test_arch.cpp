#include "compile/options/arch.hpp"

#include <kiln/error.hpp>

#include <doctest/doctest.h>

#include <string>

namespace arch_test {

using namespace kiln;

TEST_CASE("architectures in every spelling") {
  CHECK(parse_arch("sm_90").text() == "sm_90");
  CHECK(parse_arch("90").text() == "sm_90");
  CHECK(parse_arch("compute_120").text() == "compute_120");
  CHECK(parse_arch("sm_90a").text() == "sm_90a");
  CHECK(parse_arch("compute_100f").suffix == "f");
  for (const char* wrong : {"", "sm_", "sm90", "sm_9x", "sm_90aa", "hopper", "sm_-90", "9"})
    CHECK_THROWS_AS(parse_arch(wrong), ArgumentError);
}

TEST_CASE("a device gets machine code where the compiler knows it, else PTX of the newest below") {
  const std::vector<int> supported = {75, 80, 90};
  CHECK(arch_for_device(parse_arch("sm_90"), supported, "NVRTC").text() == "sm_90");
  CHECK(arch_for_device(parse_arch("sm_120"), supported, "NVRTC").text() == "compute_90");
  CHECK(arch_for_device(parse_arch("sm_86"), supported, "NVRTC").text() == "compute_80");
  CHECK_THROWS_AS(arch_for_device(parse_arch("sm_70"), supported, "NVRTC"), CompileError);
}

TEST_CASE("an unknown architecture is refused with the ones there are") {
  CHECK_NOTHROW(require_supported(parse_arch("sm_90a"), {75, 90}, "NVRTC 13.0"));
  try {
    require_supported(parse_arch("sm_42"), {75, 90}, "NVRTC 13.0");
    FAIL("accepted");
  } catch (const CompileError& error) {
    const std::string text = error.what();
    CHECK(text.find("sm_42") != std::string::npos);
    CHECK(text.find("sm_75, sm_90") != std::string::npos);
  }
}

TEST_CASE("native: the device's architecture, plain, with its own features, and with its family's") {
  for (const char* word : {"native", "native-a", "native-f"}) CHECK(is_native(word));
  for (const char* other : {"", "sm_90a", "nativea", "native-", "native-af", "native-b", "Native", "all"})
    CHECK_FALSE(is_native(other));
  CHECK(native_arch("native", "sm_90") == "sm_90");
  CHECK(native_arch("native-a", "sm_90") == "sm_90a");
  CHECK(native_arch("native-a", "sm_120") == "sm_120a");
  CHECK(native_arch("native-f", "sm_100") == "sm_100f");
  CHECK(native_arch("native-f", "sm_103") == "sm_103f");
}

TEST_CASE("native: a device without such features has its plain architecture") {
  CHECK(native_arch("native-a", "sm_89") == "sm_89");
  CHECK(native_arch("native-a", "sm_80") == "sm_80");
  CHECK(native_arch("native-f", "sm_90") == "sm_90");
}

TEST_CASE("native: of an architecture with features, as a link has it, each word is its own") {
  CHECK(native_arch("native", "sm_90a") == "sm_90a");
  CHECK(native_arch("native-a", "sm_90a") == "sm_90a");
  CHECK(native_arch("native-f", "sm_100f") == "sm_100f");
}

TEST_CASE("a misspelt native is answered with the word; what is no such word is not") {
  for (const char* arch : {"nativ", "Native", "naitve"})
    CHECK_THROWS_WITH_AS(parse_arch(arch), doctest::Contains("; did you mean \"native\"?"), ArgumentError);
  CHECK_THROWS_WITH_AS(parse_arch("native_a"), doctest::Contains("; did you mean \"native-a\"?"), ArgumentError);
  for (const std::string arch : {"hopper", "native"})
    CHECK_THROWS_WITH_AS(
        parse_arch(arch),
        ("arch \"" + arch + "\" is not an architecture: write sm_90, compute_90 or 90 (with a or f behind)").c_str(),
        ArgumentError);
}

}  // namespace arch_test
