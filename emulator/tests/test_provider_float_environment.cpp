// A kernel's results do not depend on the floating-point environment of the program's threads, and it leaves theirs
// unchanged.
#include "host_float_environment.hpp"
#include "provider_calls.hpp"

#include <cstdint>
#include <thread>

namespace provider_float_environment_test {

namespace {

using namespace kiln::emulator::test;
using kiln::test::FloatState;
using kiln::test::HostFloatEnvironment;
using Bits = std::vector<std::uint64_t>;

// Rounding, subnormal numbers of both types, a division by zero, an overflow, an invalid root, conversions, a constant
// that the assembler folds, and approximations.
const std::string arithmetic = ptx_head + R"(
.visible .entry k(.param .u64 out, .param .f64 one, .param .f64 three, .param .f64 tiny)
{
  .reg .b64 %a; .reg .f64 %d<9>; .reg .f32 %f<9>; .reg .b32 %r<9>; .reg .b64 %l; .reg .b16 %h; .reg .b32 %t; .reg .b64 %w;
  ld.param.u64 %a, [out]; ld.param.f64 %d1, [one]; ld.param.f64 %d2, [three]; ld.param.f64 %d3, [tiny];
  mov.u32 %t, %ctaid.x; mul.wide.u32 %w, %t, 96; add.u64 %a, %a, %w;
  div.rn.f64 %d4, %d1, %d2;            st.global.f64 [%a], %d4;
  neg.f64 %d5, %d1; div.rn.f64 %d4, %d5, %d2; st.global.f64 [%a+8], %d4;
  mul.rn.f64 %d4, %d3, %d1;            st.global.f64 [%a+16], %d4;
  sub.f64 %d5, %d1, %d1; div.rn.f64 %d4, %d1, %d5; st.global.f64 [%a+24], %d4;
  sqrt.rn.f64 %d4, %d5;                st.global.f64 [%a+32], %d4;
  cvt.rn.f32.f64 %f1, %d2; rcp.rn.f32 %f2, %f1; mov.f32 %f3, 0f00000003; mul.rn.f32 %f4, %f3, %f2;
  st.global.f32 [%a+40], %f2;          st.global.f32 [%a+44], %f4;
  ex2.approx.f32 %f2, %f1; lg2.approx.f32 %f4, %f1; st.global.f32 [%a+48], %f2; st.global.f32 [%a+52], %f4;
  sin.approx.f32 %f2, %f1; rsqrt.approx.f32 %f4, %f1; st.global.f32 [%a+56], %f2; st.global.f32 [%a+60], %f4;
  mov.f32 %f5, 0f7F7FFFFF; mul.rn.f32 %f5, %f5, %f1; st.global.f32 [%a+64], %f5;
  mov.f32 %f6, 0f3EAAAAAB; cvt.rn.f16.f32 %h, %f6; cvt.u32.u16 %r1, %h; st.global.u32 [%a+68], %r1;
  cvt.rni.s32.f32 %r2, %f1;            st.global.u32 [%a+72], %r2;
  mov.u64 %l, 0xFFFFFFFFFFFFF7FF; cvt.rn.f64.u64 %d4, %l; st.global.f64 [%a+80], %d4;
  mov.f64 %d6, 0.1;                    st.global.f64 [%a+88], %d6;
  ret;
})";
constexpr unsigned values_of_block = 12;

Bits run(const Device& device, const DeviceValues<std::uint64_t>& out, CUstream stream, unsigned blocks) {
  REQUIRE_OK(cuMemsetD8(out.address, 0, blocks * values_of_block * 8));
  double one = 1, three = 3, tiny = 4.9e-324;
  void* params[] = {const_cast<CUdeviceptr*>(&out.address), &one, &three, &tiny};
  REQUIRE_OK(cuLaunchKernel(device.function("k"), blocks, 1, 1, 1, 1, 1, 0, stream, params, nullptr));
  REQUIRE_OK(cuStreamSynchronize(stream));
  return out.values();
}

constexpr unsigned blocks = 64;  // so that other threads run some
DeviceValues<std::uint64_t> room() { return DeviceValues<std::uint64_t>(Bits(blocks * values_of_block)); }

}  // namespace

TEST_CASE("an environment of the thread that loads and launches changes no result, and is as before") {
  Bits right;
  {
    const Device device(arithmetic);
    right = run(device, room(), nullptr, blocks);
  }
  CHECK(right[0] == 0x3FD5555555555555);
  CHECK(right[2] == 1);                    // the least subnormal number
  CHECK(right[11] == 0x3FB999999999999A);  // 0.1
  for (const std::string& name : HostFloatEnvironment::names()) {
    CAPTURE(name);
    const Device of_before(arithmetic);
    Bits loaded_before, loaded_there, in_stream;
    FloatState before, after;
    {
      const HostFloatEnvironment host(name);
      before = FloatState();
      {
        const Device device(arithmetic);
        loaded_there = run(device, room(), nullptr, blocks);
      }
      REQUIRE_OK(cuCtxSetCurrent(of_before.context));
      loaded_before = run(of_before, room(), nullptr, blocks);
      CUstream stream = nullptr;
      REQUIRE_OK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
      in_stream = run(of_before, room(), stream, blocks);
      REQUIRE_OK(cuStreamDestroy(stream));
      after = FloatState();
    }
    CHECK(loaded_before == right);
    CHECK(loaded_there == right);
    CHECK(in_stream == right);
    CHECK(after == before);
  }
}

TEST_CASE("an environment that a host function of a stream sets affects no later kernel") {
  const Device device(arithmetic);
  const Bits right = run(device, room(), nullptr, blocks);
  CUstream stream = nullptr;
  REQUIRE_OK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  for (int round = 0; round < 8; ++round)
    REQUIRE_OK(cuLaunchHostFunc(
        stream, [](void*) { std::fesetround(FE_UPWARD); }, nullptr));
  CHECK(run(device, room(), stream, blocks) == right);
  CHECK(std::fegetround() == FE_TONEAREST);
  REQUIRE_OK(cuStreamDestroy(stream));
}

}  // namespace provider_float_environment_test
