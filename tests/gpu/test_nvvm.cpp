// LLVM IR on a device: what was compiled from it computes what it says, alone and linked with CUDA C++.
#include "gpu_only.hpp"
#include "scratch_folder.hpp"

#include <doctest/doctest.h>
#include <kiln/kiln.hpp>

#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

namespace nvvm_test {

namespace {

const std::string head = R"(
target datalayout = "e-p:64:64:64-i1:8:8-i8:8:8-i16:16:16-i32:32:32-i64:64:64-i128:128:128-f32:32:32-f64:64:64-v16:16:16-v32:32:32-v64:64:64-v128:128:128-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
!nvvmir.version = !{!0}
!0 = !{i32 2, i32 0}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
)";

/// out[thread] = 3 thread + offset, the offset a variable of the module.
const std::string numbers = head + R"(
@offset = addrspace(1) externally_initialized global i32 5, align 4
define void @number(i32* %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %o = load i32, i32 addrspace(1)* @offset
  %m = mul i32 %t, 3
  %v = add i32 %m, %o
  %i = sext i32 %t to i64
  %p = getelementptr i32, i32* %out, i64 %i
  store i32 %v, i32* %p, align 4
  ret void
}
!nvvm.annotations = !{!1}
!1 = !{void (i32*)* @number, !"kernel", i32 1}
)";

/// values[thread] = sin(values[thread]), by libdevice.
const std::string sines = head + R"(
define void @sines(float* %values) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = sext i32 %t to i64
  %p = getelementptr float, float* %values, i64 %i
  %x = load float, float* %p
  %s = call float @__nv_sinf(float %x)
  store float %s, float* %p
  ret void
}
declare float @__nv_sinf(float)
!nvvm.annotations = !{!1}
!1 = !{void (float*)* @sines, !"kernel", i32 1}
)";

const std::string shift = head + R"(
define i32 @shift(i32 %x) {
  %y = add i32 %x, 100
  ret i32 %y
}
)";

const char* const caller = R"(
extern "C" __device__ int shift(int x);
extern "C" __global__ void shifted(int* out) { out[threadIdx.x] = shift(out[threadIdx.x]); }
)";

kiln::CompileOptions ir() {
  return kiln::CompileOptions{}.with(&kiln::CompileOptions::language, kiln::Language::nvvm_ir);
}

std::vector<int> run_numbers(const kiln::Module& module) {
  kiln::DeviceBuffer<int> out(32);
  module.get_function("number")({1, 32}, out);
  return out.to_host();
}

bool are_numbers(const std::vector<int>& values, int offset) {
  for (std::size_t i = 0; i < values.size(); ++i)
    if (values[i] != 3 * static_cast<int>(i) + offset) return false;
  return values.size() == 32;
}

void check_shifted(const kiln::Module& module) {
  kiln::DeviceBuffer<int> values(std::vector<int>{1, 2, 3, 4});
  module.get_function("shifted")({1, 4}, values);
  CHECK(values.to_host() == std::vector<int>{101, 102, 103, 104});
}

}  // namespace

TEST_CASE("LLVM IR is compiled for the device and launched, with checked arguments and variables of its own") {
  kiln::test::ScratchFolder scratch;
  const auto options = ir().with_caching({scratch / "cache"});
  const kiln::SourceModule module(numbers, options);
  CHECK(module.code().backend() == kiln::Backend::nvvm);
  CHECK(module.code().target() == kiln::test::module_target());
  CHECK(are_numbers(run_numbers(module), 5));
  CHECK(module.get_global("offset").size == sizeof(int));
  const kiln::Function number = module.get_function("number");
  CHECK_THROWS_AS(number({1, 1}), kiln::ArgumentError);
  CHECK_THROWS_AS((void)module.get_function("number<4>"), kiln::ArgumentError);
  CHECK(kiln::SourceModule(numbers, options).code().from_cache());
  CHECK(kiln::Cache(scratch / "cache").stats().compiles == 1);
}

TEST_CASE("LLVM IR as PTX, which the driver compiles") {
  const kiln::SourceModule module(numbers, ir().with_target(kiln::Target::ptx));
  CHECK(module.code().target() == kiln::Target::ptx);
  CHECK(are_numbers(run_numbers(module), 5));
}

TEST_CASE("LLVM IR takes its mathematics from libdevice") {
  const std::vector<float> input{0.0F, 0.5F, 1.0F, -2.0F};
  for (const std::vector<std::string>& options : {std::vector<std::string>{}, {"-ftz=1"}, {"-opt=0"}}) {
    const kiln::SourceModule module(sines, ir().with_options(options));
    kiln::DeviceBuffer<float> values(input);
    module.get_function("sines")({1, 4}, values);
    const std::vector<float> result = values.to_host();
    for (std::size_t i = 0; i < input.size(); ++i) CHECK(std::fabs(result[i] - std::sin(input[i])) < 1e-6F);
  }
}

TEST_CASE("LTO-IR of LLVM IR is linked with that of CUDA C++, and PTX with PTX") {
  const std::string arch = kiln::Device::current().arch();
  const auto options = kiln::CompileOptions{}.with_arch(arch).with_options({"-rdc=true"});
  const auto ir_options = ir().with_arch(arch);
  for (const kiln::Target target : {kiln::Target::ltoir, kiln::Target::ptx}) {
    kiln::Linker linker(kiln::LinkOptions{}.with(&kiln::LinkOptions::arch, arch));
    linker.add(kiln::compile(caller, options.with_target(target)));
    linker.add(kiln::compile(shift, ir_options.with_target(target)));
    check_shifted(kiln::Module(linker.link()));
  }
}

TEST_CASE("the linker compiles LLVM IR that it is given") {
  const std::string arch = kiln::Device::current().arch();
  kiln::Linker linker(kiln::LinkOptions{}.with(&kiln::LinkOptions::arch, arch));
  linker.add(kiln::compile(caller, kiln::CompileOptions{}.with_arch(arch).with_target(kiln::Target::ltoir)));
  linker.add_data(shift, kiln::InputType::nvvm_ir, "shift.ll");
  check_shifted(kiln::Module(linker.link()));
}

}  // namespace nvvm_test
