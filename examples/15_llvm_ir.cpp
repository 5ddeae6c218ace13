// LLVM IR instead of CUDA C++: for those whose own compiler makes it. This is the NVVM sample of the cuda-python
// documentation as it runs on CUDA 13: IR to PTX, to a cubin, to a launch; and IR linked with CUDA C++ as LTO-IR.
//
// What has changed since that sample: -arch=compute_70 is gone (compute_75 is the lowest), -optimize is -opt=3, there
// is no -o=, the IR's version is 2.0 and not 1.0, and nvJitLink takes LTO-IR, not NVVM IR. Pointers have types (i32*)
// in IR for all architectures below compute_100; from there on they may be written ptr too. See docs/nvvm.md.
#include <kiln/kiln.hpp>

#include <cstdio>
#include <string>
#include <vector>

#include "find_device.hpp"

const std::string head = R"(
target datalayout = "e-p:64:64:64-i1:8:8-i8:8:8-i16:16:16-i32:32:32-i64:64:64-i128:128:128-f32:32:32-f64:64:64-v16:16:16-v32:32:32-v64:64:64-v128:128:128-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
!nvvmir.version = !{!0}
!0 = !{i32 2, i32 0}
)";

// Writes to data[i] the mean of i and i, by a function of its own, as the sample does.
const std::string kernel_ir = head + R"(
define i32 @ave(i32 %a, i32 %b) {
  %sum = add nsw i32 %a, %b
  %mean = sdiv i32 %sum, 2
  ret i32 %mean
}

define void @simple(i32* %data) {
  %block = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %size = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %thread = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %before = mul nsw i32 %block, %size
  %i = add nsw i32 %before, %thread
  %mean = call i32 @ave(i32 %i, i32 %i)
  %wide = sext i32 %i to i64
  %place = getelementptr i32, i32* %data, i64 %wide
  store i32 %mean, i32* %place, align 4
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

!nvvm.annotations = !{!1}
!1 = !{void (i32*)* @simple, !"kernel", i32 1}
)";

// A device function for a kernel in CUDA C++. libdevice has the sine: it is added because the IR declares it.
const std::string function_ir = head + R"(
define float @wave(float %x) {
  %s = call float @__nv_sinf(float %x)
  %twice = fmul float %s, 2.0
  ret float %twice
}
declare float @__nv_sinf(float)
)";

const char* const caller = R"(
extern "C" __device__ float wave(float x);
extern "C" __global__ void waves(float* values) { values[threadIdx.x] = wave(values[threadIdx.x]); }
)";

bool launch(kiln::Module& means, kiln::Module& waves) {
  kiln::DeviceBuffer<int> data(64);
  means.get_function("simple")({2, 32}, data);
  bool right = true;
  const std::vector<int> numbers = data.to_host();
  for (int i = 0; i < 64; ++i) right = right && numbers[static_cast<std::size_t>(i)] == i;

  kiln::DeviceBuffer<float> values(std::vector<float>{0.0F, 0.5F});
  waves.get_function("waves")({1, 2}, values);
  const std::vector<float> sines = values.to_host();
  return right && sines[0] == 0.0F && sines[1] > 0.95884F && sines[1] < 0.95886F;  // 2 sin(0.5) = 0.958851
}

int main() {
  find_device();
  const auto ir = kiln::CompileOptions{}.with(&kiln::CompileOptions::language, kiln::Language::nvvm_ir);

  // The steps apart: PTX is text, which libnvvm makes; a cubin is what the linker makes of it.
  const kiln::CodeObject ptx = kiln::compile(kernel_ir, ir.with_target(kiln::Target::ptx).with_options({"-opt=3"}));
  std::printf("PTX for %s, %zu bytes\n", ptx.arch().c_str(), ptx.bytes().size());

  // The whole way at once, which the cache keeps as one: the second start opens neither library.
  kiln::SourceModule means(kernel_ir, ir);
  std::printf("code for %s, %zu bytes, %s\n", means.code().arch().c_str(), means.code().bytes().size(),
              means.code().from_cache() ? "found in the cache" : "compiled");

  // IR and CUDA C++ in one kernel: both become LTO-IR, and the linker inlines the one into the other.
  const auto for_lto = kiln::CompileOptions{}.with_target(kiln::Target::ltoir);
  kiln::Linker linker;
  linker.add(kiln::compile(caller, for_lto))
      .add(kiln::compile(function_ir, for_lto.with(&kiln::CompileOptions::language, ir.language)));
  kiln::Module waves(linker.link());
  std::printf("linked, %zu bytes\n", waves.code().bytes().size());

  if (kiln::Device::count() == 0) {
    std::puts("There is no GPU here, so nothing was launched.");
    return 0;
  }
  const bool right = launch(means, waves);
  std::printf("launched on %s: the results are %s\n", kiln::Device::current().name().c_str(),
              right ? "right" : "WRONG");
  return right ? 0 : 1;
}
