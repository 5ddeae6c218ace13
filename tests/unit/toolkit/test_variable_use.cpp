// Which variables the kernels of a PTX text use.
#include <doctest/doctest.h>
#include <kiln/error.hpp>

#include "toolkit/image/variable_use.hpp"

#include <string>
#include <vector>

namespace variable_use_test {

using kiln::UsedVariable;
using kiln::VariableUse;

namespace {

const char* const text = R"(
.version 9.0
.target sm_90
.address_size 64
.func  (.param .b32 func_retval0) helper
(
	.param .b32 helper_param_0
)
;
.const .align 4 .b8 table[12] = {1, 2, 255};
.global .align 4 .u32 counter = 3;
.visible .global .attribute(.managed) .align 4 .u32 shared_counter;
.global .align 8 .u64 functions[2] = {helper, by_pointer};
.global .align 1 .b8 $str[8] = {104, 101};
.global .align 4 .u32 unused;
.func  (.param .b32 func_retval0) helper(
	.param .b32 helper_param_0
)
{
	ld.const.u32 %r1, [table+4];
	ret;
}
.func by_pointer()
{
	{ st.global.u32 [shared_counter], %r1; }
}
.visible .entry by_name(
	.param .u64 by_name_param_0
)
{
	atom.global.add.u32 %r1, [counter], 1;
	mov.u64 %rd1, $str;
}
.visible .entry by_call()
{
	{
	call.uni (retval0), helper, (param0);
	}
}
.visible .entry by_table()
{
	mov.u64 %rd1, generic(functions);
}
.visible .entry alone(){ ret; }
.weak .func other();
.alias other, by_pointer;
.entry by_alias() { call.uni other; }
)";

std::vector<std::string> symbols(const VariableUse& use, const char* kernel) {
  std::vector<std::string> names;
  for (const auto& [variable, may_write] : use.of(kernel)) names.emplace_back(variable->symbol);
  return names;
}

/// Whether a kernel of these instructions may write the variable "v", which they use.
bool may_write(const std::string& instructions, const std::string& more = {}) {
  const VariableUse use(".version 9.0\n.target sm_90\n.address_size 64\n.global .align 4 .b8 v[8] = {1, 2};\n" + more +
                        ".visible .entry k(.param .u64 out)\n{\n.reg .b64 %rd<9>;\n" + instructions + "\nret;\n}\n");
  const std::vector<VariableUse::Use> uses = use.of("k");
  REQUIRE(!uses.empty());
  CHECK(uses.front().variable->symbol == "v");
  return uses.front().may_write;
}

using Names = std::vector<std::string>;

}  // namespace

TEST_CASE("the variables of a kernel are those it names, also by the functions it calls and the tables it reads") {
  const VariableUse use(text);
  CHECK(symbols(use, "by_name") == Names{"counter"});
  CHECK(symbols(use, "by_call") == Names{"table"});
  CHECK(symbols(use, "by_table") == Names{"table", "shared_counter", "functions"});
  CHECK(symbols(use, "by_alias") == Names{"shared_counter"});
  CHECK(symbols(use, "alone").empty());
  CHECK(symbols(use, "nobody").empty());
}

TEST_CASE("a variable's memory and its first bytes") {
  const VariableUse use(text);
  const UsedVariable& table = *use.of("by_call").front().variable;
  CHECK(table.is_constant);
  CHECK(table.bytes == std::string("\x01\x02\xff\0\0\0\0\0\0\0\0\0", 12));
  const UsedVariable& counter = *use.of("by_name").front().variable;
  CHECK_FALSE(counter.is_constant);
  CHECK(counter.bytes.empty());
}

TEST_CASE("a kernel that at most loads from a variable does not write it") {
  CHECK_FALSE(may_write("ld.global.u32 %r1, [v+4];"));
  CHECK_FALSE(
      may_write("mov.u64 %rd1, v;\nadd.s64 %rd2, %rd1, %rd7;\n@%p1 bra $L__BB0_2;\n$L__BB0_2:\n"
                "@!%p2 ld.global.nc.v2.f32 {%f1, %f2}, [%rd2];\nst.global.f32 [%rd5], %f1;"));
  CHECK_FALSE(
      may_write("mov.u64 %rd1, v;\n{\ncvta.global.u64 %rd2, %rd1;\n}\nmad.wide.s32 %rd3, %r1, 4, %rd2;\n"
                "setp.eq.s64 %p1, %rd3, 0;\nld.u32 %r1, [%rd3];"));
  // The register gets the address further down, in a loop.
  CHECK_FALSE(may_write("$L__BB0_1:\nld.global.u32 %r1, [%rd3];\nmov.u64 %rd3, %rd2;\nmov.u64 %rd2, v;"));
}

TEST_CASE("a kernel may write what its variable's address reaches, and where that is not known") {
  CHECK(may_write("st.global.u32 [v], %r1;"));
  CHECK(may_write("atom.global.add.u32 %r1, [v], 1;"));
  CHECK(may_write("mov.u64 %rd1, v;\nadd.s64 %rd2, %rd1, 4;\nst.global.u32 [%rd2], 1;"));
  CHECK(may_write("st.global.v2.u32 [%rd3], {%r1, %r2};\nmov.u64 %rd3, v;"));
  CHECK(may_write("mov.u64 %rd1, v;\nst.global.v2.u64 [%rd5], {%rd1, %rd2};"));
  CHECK(may_write("mov.u64 %rd1, v;\nst.global.u64 [%rd5], %rd1;"));
  CHECK(may_write("mov.u64 %rd1, v;\n{ st.param.b64 [param0+0], %rd1; call.uni f, (param0); }"));
  CHECK(may_write("mov.u64 %rd1, v;\nmov.b64 {%r1, %r2}, %rd1;"));
  CHECK(may_write("mov.u64 %rd1, v;\nunknown.b64 %rd2, %rd1;"));
  CHECK(may_write("mov.u64 %rd1, pointer;", ".global .align 8 .u64 pointer = generic(v);\n"));
  CHECK(may_write("ld.global.u32 %r1, [v];\ncall.uni f, ();", ".func f() { st.global.u32 [v], 1; }\n"));
}

TEST_CASE("a damaged text is refused") { CHECK_THROWS_AS(VariableUse(".global .align"), kiln::Error); }

}  // namespace variable_use_test
