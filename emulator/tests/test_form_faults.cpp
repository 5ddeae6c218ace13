// What the error says of an instruction that PTX's grammar does not have: which word or operand is wrong.
#include "ptx_text.hpp"
#include "run_ptx.hpp"

#include <string>

namespace kiln::emulator::form_faults_test {
namespace {

std::string fault(const std::string& statement) {
  try {
    TestModule module(
        ptx_module(".const .b32 c; .global .b32 g;\n.visible .entry k() {\n.reg .pred %p<9>; "
                   ".reg .b32 %r<9>; .reg .u32 %u<9>; .reg .f32 %f<9>; .reg .f16x2 %h<9>; "
                   ".reg .b64 %d<9>; .reg .f64 %e<9>; .shared .b64 s;\n" +
                       statement + "\nret; }\n",
                   "sm_90a"));
  } catch (const ptx::ParseError& error) {
    return error.message();
  }
  return {};
}

}  // namespace

TEST_CASE("a modifier that the instruction may not have there is named") {
  CHECK(fault("add.approx.f32 %f1, %f2, %f3;") == "Illegal modifier '.approx' for instruction 'add'");
  CHECK(fault("abs.ftz.f64 %e1, %e2;") == "Illegal modifier '.ftz' for instruction 'abs.f64'");
  CHECK(fault("fma.rn.sat.relu.f16x2 %h1, %h2, %h3, %h4;") ==
        "Modifier '.sat' is not allowed here: 'fma.rn.sat.relu.f16x2'");
  CHECK(fault("add.s32.f32 %f1, %f2, %f3;") == "Unexpected instruction types specified for 'add': 'add.s32.f32'");
  CHECK(fault("shf.wrap.l.b32 %r1, %r2, %r3, %r4;") != "");
}

TEST_CASE("a modifier that is missing is named") {
  CHECK(fault("fma.f32 %f1, %f2, %f3, %f4;") == "Instruction 'fma.f32' needs a modifier: '.rn', '.rz', '.rm', '.rp'");
  CHECK(fault("div.f64 %e1, %e2, %e3;") == "Instruction 'div.f64' needs a modifier: '.rn', '.rz', '.rm', '.rp'");
}

TEST_CASE("the operand that is wrong is named, and why") {
  const std::string mismatch = "Arguments mismatch for instruction '";
  CHECK(fault("add.u32 %r1, %f2, %r3;") == mismatch + "add': argument 1");
  CHECK(fault("add.f32 %f1, %f2, %h3;") == mismatch + "add': argument 2");
  CHECK(fault("shl.b32 %r1, %r2, %h3;") == mismatch + "shl': argument 2");
  CHECK(fault("bfe.u32 %r1, %r2, -3, %r4;") ==
        "Argument 2 of instruction 'bfe': value '-3' out of range, expected to be in range [0..255]");
  CHECK(fault("mbarrier.try_wait.parity.shared.b64 %p1, [s], 7;") ==
        "Argument 2 of instruction 'mbarrier': unexpected value '7', expected to be 0 or 1");
  CHECK(fault("ld.global.u32 %r1, [c];") ==
        "Argument 1 of instruction 'ld': state space mismatch between instruction and address 'c'");
  CHECK(fault("st.shared.u32 [g], %r1;") ==
        "Argument 0 of instruction 'st': state space mismatch between instruction and address 'g'");
  CHECK(fault("ld.u32 %r1, [c];") != "");
  CHECK(fault("ld.shared.u32 %r1, [16];") ==
        "Argument 1 of instruction 'ld': immediate addresses allowed only for .local state space");
}

TEST_CASE("what ptxas takes is taken") {
  for (const char* const statement :
       {"mov.b32 %r1, %h2;", "add.u32 %h1, %r2, %u3;", "ld.global.v2.f32 {%u1, %u2}, [g];", "cvt.u64.u32 %d1, %tid.x;",
        "ld.u32 %r1, [g];", "ld.const.u32 %r1, [c];", "ld.local.u32 %r1, [16];", "bfe.u32 %r1, %r2, 255, 0;",
        "barrier.aligned.sync 0;"}) {
    CAPTURE(statement);
    CHECK(fault(statement) == "");
  }
}

TEST_CASE("types that only instructions have declare nothing") {
  CHECK(fault(".reg .bf16 %x;") == "Type .bf16 may only be used as an instruction type");
  CHECK(fault(".shared .u16x2 x;") == "Type .u16x2 may only be used as an instruction type");
  CHECK(fault(".reg .v4 .f64 %x;") == "Vector type too large, exceeds 128 bit limit");
  CHECK(fault(".reg .f16x2 %x;") == "");
}

}  // namespace kiln::emulator::form_faults_test
