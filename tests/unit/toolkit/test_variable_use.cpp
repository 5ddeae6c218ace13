// Which variables the kernels of a PTX text use.
#include <doctest/doctest.h>
#include <kiln/error.hpp>

#include "toolkit/variable_use.hpp"

#include <string>
#include <vector>

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
  for (const UsedVariable* variable : use.of(kernel)) names.emplace_back(variable->symbol);
  return names;
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
  const UsedVariable& table = *use.of("by_call").front();
  CHECK(table.is_constant);
  CHECK(table.bytes == std::string("\x01\x02\xff\0\0\0\0\0\0\0\0\0", 12));
  const UsedVariable& counter = *use.of("by_name").front();
  CHECK_FALSE(counter.is_constant);
  CHECK(counter.bytes.empty());
}

TEST_CASE("a damaged text is refused") { CHECK_THROWS_AS(VariableUse(".global .align"), kiln::Error); }
