// Products of a warp group (wgmma) in all types, layouts and swizzles, by PTX in CUDA C++, against the host's; and what
// kernels of Hopper say beside them (setmaxnreg, dependent launches).
#include "needs.hpp"
#include "warp_group_case.hpp"
#include "warp_group_kernel.hpp"

#include <doctest/doctest.h>
#include <kiln/kiln.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace warp_group_test {

namespace {

using kiln::test::product_kernel;
using kiln::test::warp_group_cases;
using kiln::test::WarpGroupCase;
using kiln::test::WarpGroupData;

kiln::CompileOptions hopper() { return kiln::CompileOptions{}.with_arch("sm_90a"); }

}  // namespace

TEST_CASE("warp groups multiply matrices of all types, in all layouts" * kiln::test::needs_sm_90a()) {
  const std::vector<WarpGroupCase> cases = warp_group_cases();
  std::string source;
  for (std::size_t i = 0; i < cases.size(); ++i) source += product_kernel(cases[i], "product_" + std::to_string(i));
  const kiln::SourceModule module(source, hopper());
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const WarpGroupCase& group = cases[i];
    CAPTURE(group.instruction());
    CAPTURE(group.swizzle);
    CAPTURE(group.arguments());
    const WarpGroupData data(group);
    const kiln::DeviceBuffer<std::uint32_t> image(data.image), a(data.a), metadata(data.metadata), c(data.c);
    const kiln::DeviceBuffer<std::uint32_t> d(std::vector<std::uint32_t>(data.d.size()));
    module.get_function("product_" + std::to_string(i))({1, 128}, image.device_pointer(), a.device_pointer(),
                                                        metadata.device_pointer(), c.device_pointer(),
                                                        d.device_pointer(), data.a_descriptor, data.b_descriptor);
    CHECK(d.to_host() == data.d);
  }
}

// 128 x 128 of 64 products, by two warp groups; a third one waits at a barrier and gives its registers away.
TEST_CASE("warp groups with roles make a tile" * kiln::test::needs_sm_90a()) {
  std::string accumulators = "{", constraints;
  for (int i = 0; i < 64; ++i) {
    accumulators += (i == 0 ? "%" : ", %") + std::to_string(i);
    constraints += (i == 0 ? "" : ", ") + std::string("\"+f\"(c[") + std::to_string(i) + "])";
  }
  const kiln::SourceModule module(R"(
#include <cuda_fp16.h>
extern "C" __global__ void __launch_bounds__(384, 1) tile(const __half* a, const __half* b, float* d) {
  __shared__ alignas(1024) __half rows[128 * 64], columns[128 * 64];
  const unsigned t = threadIdx.x, group = t / 128;
  for (unsigned i = t; i < 128 * 64; i += 384) {
    const unsigned place = (i * 2) ^ ((i / 64 % 8) << 4);
    rows[place / 2] = a[i];
    columns[place / 2] = b[i];
  }
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  if (group == 2) {
    asm volatile("setmaxnreg.dec.sync.aligned.u32 40;");
  } else {
    asm volatile("setmaxnreg.inc.sync.aligned.u32 232;");
    const unsigned long long layout = 1ull << 62 | 64ull << 32 | 1ull << 16;
    unsigned long long x = layout | __cvta_generic_to_shared(rows + group * 64 * 64) >> 4;
    unsigned long long y = layout | __cvta_generic_to_shared(columns) >> 4;
    float c[64];
    for (int i = 0; i < 64; ++i) c[i] = 0;
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
#pragma unroll
    for (int k = 0; k < 4; ++k) {
      asm volatile("wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16 )" +
                                      accumulators + R"(}, %64, %65, 1, 1, 1, 0, 0;" : )" + constraints +
                                      R"( : "l"(x + 2 * k), "l"(y + 2 * k) : "memory");
    }
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
    asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
    const unsigned row = group * 64 + t % 128 / 32 * 16 + t % 32 / 4;
    for (int i = 0; i < 64; ++i) d[(row + i / 2 % 2 * 8) * 128 + i / 4 * 8 + t % 4 * 2 + i % 2] = c[i];
  }
}
)",
                                  hopper());
  const auto value = [](unsigned row, unsigned k) { return static_cast<int>((row * 3 + k * 5 + row * k) % 9) - 4; };
  std::vector<std::uint16_t> a(128 * 64), b(128 * 64);
  for (unsigned i = 0; i < a.size(); ++i) {
    a[i] = static_cast<std::uint16_t>(kiln::test::encoded_element("f16", value(i / 64, i % 64)));
    b[i] = static_cast<std::uint16_t>(kiln::test::encoded_element("f16", value(i / 64 + 1, i % 64)));
  }
  const kiln::DeviceBuffer<std::uint16_t> left(a), right(b);
  const kiln::DeviceBuffer<float> d(128 * 128);
  module.get_function("tile")({1, 384}, left.device_pointer(), right.device_pointer(), d.device_pointer());
  const std::vector<float> results = d.to_host();
  for (unsigned row = 0; row < 128; ++row)
    for (unsigned column = 0; column < 128; ++column) {
      int sum = 0;
      for (unsigned k = 0; k < 64; ++k) sum += value(row, k) * value(column + 1, k);
      REQUIRE(results[row * 128 + column] == static_cast<float>(sum));
    }
}

}  // namespace warp_group_test
