#include "toolkit/image/parameter_kinds.hpp"

#include <doctest/doctest.h>

namespace parameter_kinds_test {

using namespace kiln;

namespace {

constexpr ParameterKind other = ParameterKind::other, pointer = ParameterKind::pointer,
                        integer = ParameterKind::integer, floating = ParameterKind::floating,
                        either = ParameterKind::integer_or_pointer;

std::string entry(const std::string& name, const std::string& parameters) {
  return ".visible .entry " + name + "(" + parameters + ") { ret; }\n";
}

const std::string head = ".version 9.0\n.target sm_90\n.address_size 64\n";

}  // namespace

TEST_CASE("PTX distinguishes floating from integer, and a pointer where it is marked") {
  const ParameterKinds kinds = parameter_kinds_of_ptx(
      head +
      entry("k",
            ".param .f32 a, .param .f64 b, .param .u32 c, .param .s16 d, .param .u8 e, .param .u64 f, "
            ".param .s64 g, .param .u64 .ptr .align 1 h, .param .u64 .ptr .global .align 16 i") +
      entry("m",
            ".param .align 4 .b8 a[4], .param .b32 b, .param .align 16 .v4 .f32 c, .param .f16 d, .param .texref e, "
            ".param .samplerref f, .param .surfref g, .param .f32 h[2]") +
      entry("none", ""));
  REQUIRE(kinds.size() == 3);
  CHECK(kinds.at("k") == std::vector{floating, floating, integer, integer, integer, either, either, pointer, pointer});
  CHECK(kinds.at("m") == std::vector<ParameterKind>(8, other));
  CHECK(kinds.at("none").empty());
}

TEST_CASE("damaged PTX has no kinds") {
  CHECK(parameter_kinds_of_ptx("").empty());
  CHECK(parameter_kinds_of_ptx(head + ".visible .entry k(.param .f32 a) {").empty());
  CHECK(parameter_kinds_of_ptx(head + entry("k", ".param .what a")).empty());
  CHECK(parameter_kinds_of_fatbin("no fatbin").empty());
}

TEST_CASE("kinds of two texts: the one that says more, and neither where they disagree") {
  ParameterKinds kinds = {{"k", {either, floating, integer}}, {"other size", {integer}}};
  merge_kinds(kinds, {{"k", {pointer, floating, floating}}, {"other size", {integer, integer}}, {"new", {integer}}});
  CHECK(kinds.at("k") == std::vector{pointer, floating, other});
  CHECK(kinds.at("other size").empty());
  CHECK(kinds.at("new") == std::vector{integer});
  merge_kinds(kinds, {{"k", {either, floating, other}}});
  CHECK(kinds.at("k") == std::vector{pointer, floating, other});
}

TEST_CASE("a kernel gets the kinds that its name does not show") {
  CodeInfo info;
  info.kernels.resize(2);
  info.kernels[0].name = "k";
  info.kernels[0].parameters = {{0, 8, pointer, "float*"}, {8, 4, other, "Mode"}};
  info.kernels[1].name = "of another count";
  info.kernels[1].parameters = {{0, 4, other, ""}};
  add_kinds(info, {{"k", {either, integer}}, {"of another count", {integer, integer}}});
  CHECK(info.kernels[0].parameters[0].kind == pointer);
  CHECK(info.kernels[0].parameters[1].kind == integer);
  CHECK(info.kernels[1].parameters[0].kind == other);
}

}  // namespace parameter_kinds_test
