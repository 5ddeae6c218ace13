// What tests of the exported functions share: kernels in PTX, and a context that goes with the test.
#pragma once

#include <cuda.h>
#include <doctest/doctest.h>

#include <cstddef>
#include <string>
#include <vector>

extern "C" CUresult cuCtxCreate_v2(CUcontext*, unsigned, CUdevice);

#define REQUIRE_OK(call) REQUIRE((call) == CUDA_SUCCESS)
#define CHECK_OK(call) CHECK((call) == CUDA_SUCCESS)

namespace kiln::emulator::test {

inline const std::string ptx_head = ".version 8.0\n.target sm_75\n.address_size 64\n";

/// out[i] = a[i] + b[i] for i < n; a variable "scale"; "poke" writes 1 to its parameter; "spin" waits until *p != 0.
inline const std::string kernels = ptx_head + R"(
.visible .global .align 4 .u32 scale = 7;
.visible .entry vector_add(.param .u64 out, .param .u64 a, .param .u64 b, .param .u32 n)
{
  .reg .pred %p<2>; .reg .b32 %r<6>; .reg .f32 %f<4>; .reg .b64 %d<9>;
  ld.param.u64 %d1, [out]; ld.param.u64 %d2, [a]; ld.param.u64 %d3, [b]; ld.param.u32 %r1, [n];
  mov.u32 %r2, %ctaid.x; mov.u32 %r3, %ntid.x; mov.u32 %r4, %tid.x;
  mad.lo.s32 %r5, %r2, %r3, %r4;
  setp.ge.u32 %p1, %r5, %r1;
  @%p1 bra done;
  mul.wide.u32 %d4, %r5, 4;
  add.s64 %d5, %d2, %d4; add.s64 %d6, %d3, %d4; add.s64 %d7, %d1, %d4;
  ld.global.f32 %f1, [%d5]; ld.global.f32 %f2, [%d6];
  add.f32 %f3, %f1, %f2;
  st.global.f32 [%d7], %f3;
done:
  ret;
}
.visible .entry poke(.param .u64 where)
{
  .reg .b32 %r<2>; .reg .b64 %d<2>;
  ld.param.u64 %d1, [where];
  mov.u32 %r1, 1;
  st.global.u32 [%d1], %r1;
  ret;
}
.visible .entry spin(.param .u64 where)
{
  .reg .pred %p<2>; .reg .b32 %r<2>; .reg .b64 %d<2>;
  ld.param.u64 %d1, [where];
again:
  ld.volatile.global.u32 %r1, [%d1];
  setp.eq.u32 %p1, %r1, 0;
  @%p1 bra again;
  ret;
}
.visible .entry append(.param .u64 list, .param .u32 value)
{
  .reg .b32 %r<4>; .reg .b64 %d<5>;
  ld.param.u64 %d1, [list]; ld.param.u32 %r1, [value];
  ld.global.u32 %r2, [%d1];
  add.u32 %r3, %r2, 1;
  st.global.u32 [%d1], %r3;
  mul.wide.u32 %d2, %r3, 4;
  add.s64 %d3, %d1, %d2;
  st.global.u32 [%d3], %r1;
  ret;
}
)";

/// A context of its own, current while it lives, with the kernels above.
class Device {
 public:
  explicit Device(const std::string& ptx = kernels) {
    REQUIRE_OK(cuInit(0));
    // As every version of the driver has it.
    REQUIRE_OK(::cuCtxCreate_v2(&context, 0, 0));
    REQUIRE_OK(cuModuleLoadData(&module, ptx.c_str()));
  }
  ~Device() { (void)cuCtxDestroy(context); }
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;

  CUfunction function(const char* name) const {
    CUfunction found = nullptr;
    REQUIRE_OK(cuModuleGetFunction(&found, module, name));
    return found;
  }

  CUcontext context = nullptr;
  CUmodule module = nullptr;
};

template <class... Args>
CUresult launch(CUfunction function, unsigned grid, unsigned block, CUstream stream, Args... args) {
  void* params[] = {&args..., nullptr};
  return cuLaunchKernel(function, grid, 1, 1, block, 1, 1, 0, stream, params, nullptr);
}

/// Device memory with values in it.
template <class T>
class DeviceValues {
 public:
  explicit DeviceValues(const std::vector<T>& values) : size_(values.size()) {
    REQUIRE_OK(cuMemAlloc(&address, size_ * sizeof(T)));
    REQUIRE_OK(cuMemcpyHtoD(address, values.data(), size_ * sizeof(T)));
  }
  ~DeviceValues() { (void)cuMemFree(address); }
  DeviceValues(const DeviceValues&) = delete;
  DeviceValues& operator=(const DeviceValues&) = delete;

  std::vector<T> values() const {
    std::vector<T> all(size_);
    REQUIRE_OK(cuMemcpyDtoH(all.data(), address, size_ * sizeof(T)));
    return all;
  }

  CUdeviceptr address = 0;

 private:
  std::size_t size_;
};

}  // namespace kiln::emulator::test
