// Modules from parts on a device: built from text, linked in every form, and kernels that launch kernels. The cases of
// the last kind begin with "dynamic parallelism:", because not every tool can watch such launches.
#include "gpu_only.hpp"

#include <doctest/doctest.h>
#include <kiln/kiln.hpp>

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

namespace dynamic_module_test {

namespace {

using kiln::CompileOptions;
using kiln::DynamicModule;
using kiln::DynamicSourceModule;

const char* const main_source = R"(
extern __device__ float plug_in(float);
__device__ int offset = 5;
extern "C" __global__ void apply(float* data, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] = plug_in(data[i]);
}
)";
const char* const plug_in_source = R"(
extern __device__ int offset;
__device__ float plug_in(float x) { return 2 * x + offset; }
)";

std::vector<float> numbers(std::size_t count) {
  std::vector<float> values(count);
  std::iota(values.begin(), values.end(), 0.0F);
  return values;
}

/// Whether `apply` gives 2 x + offset.
bool applies(const kiln::Module& module, float offset) {
  const std::vector<float> in = numbers(1000);
  kiln::DeviceBuffer<float> data(in);
  module.get_function("apply")({4, 256}, data, static_cast<int>(in.size()));
  const std::vector<float> out = data.to_host();
  for (std::size_t i = 0; i < in.size(); ++i)
    if (out[i] != 2 * in[i] + offset) return false;
  return true;
}

DynamicModule linked(const CompileOptions& options) {
  return DynamicModule().add_source(main_source, options).add_source(plug_in_source, options).link();
}

}  // namespace

TEST_CASE("a module built from text computes what its parts say") {
  for (const int factor : {2, 3}) {
    DynamicModule builder(
        "extern \"C\" __global__ void run($type* out, int n) {\n"
        "  for (int i = threadIdx.x; i < n; i += blockDim.x) out[i] = polynomial(i) + BIAS + $table[i % 3];\n}\n");
    builder.add_to_preamble("#define BIAS 100\n__device__ const int table[] = {7, 8, 9};\n")
        .add_function({"int", "square", "int x", "return x * x;"})
        .add_function({"int", "polynomial", "int x", "return FACTOR * square(x) + x;"})
        .substitute({{"type", kiln::type_name<int>()}, {"table", "table"}});
    builder.compile(CompileOptions{}.with_defines({{"FACTOR", factor}}));
    kiln::DeviceBuffer<int> out(50);
    builder.get_function("run")({1, 32}, out, 50);
    const std::vector<int> values = out.to_host();
    for (int i = 0; i < 50; ++i) CHECK(values[static_cast<std::size_t>(i)] == factor * i * i + i + 100 + 7 + i % 3);
  }
}

TEST_CASE("sources linked as cubin, PTX and LTO-IR compute the same, and share a variable") {
  for (const kiln::Target target : {kiln::Target::cubin, kiln::Target::ptx, kiln::Target::ltoir}) {
    CAPTURE(static_cast<int>(target));
    const DynamicModule module = linked(CompileOptions{}.with_target(target));
    CHECK(applies(module, 5));
    const kiln::GlobalVariable offset = module.get_global("offset");
    CHECK(offset.size == sizeof(int));
    offset.set(40);
    CHECK(applies(module, 40));
    CHECK(applies(linked(CompileOptions{}.with_target(target)), 5));  // each module has its own
  }
}

TEST_CASE("a source and the compiled code of another are linked, whatever the form of each") {
  for (const kiln::Target target : {kiln::Target::cubin, kiln::Target::ptx, kiln::Target::ltoir}) {
    // The emulator runs no cubins, and LTO-IR is linked for it with LTO-IR alone.
    if (kiln::test::on_emulator() && target != kiln::Target::ptx) continue;
    CAPTURE(static_cast<int>(target));
    const kiln::CodeObject plug_in =
        kiln::compile(plug_in_source, CompileOptions{}.with_options({"-rdc=true"}).with_target(target));
    CHECK(applies(DynamicModule().add_source(main_source).add_data(plug_in.bytes()).link(), 5));
  }
}

TEST_CASE("template instances of linked code run") {
  const std::string source = "template <int N> __global__ void fill(int* out) { *out = N; }\n";
  DynamicModule module;
  module.add_source(source, CompileOptions{}.with_name_expressions({"fill<4>", "fill<5>"}))
      .add_source(main_source)
      .add_source(plug_in_source)
      .link();
  kiln::DeviceBuffer<int> out(1);
  module.get_function("fill<5>")({1, 1}, out);
  CHECK(out.to_host().front() == 5);
  CHECK(applies(module, 5));
}

TEST_CASE("a texture reference in one source is fetched from in another") {
  DynamicModule module;
  module.add_source("texture<float, 1> image;\n__device__ float read(int i) { return tex1Dfetch(image, i); }\n")
      .add_source(
          "extern __device__ float read(int);\n"
          "extern \"C\" __global__ void copy(float* out) { out[threadIdx.x] = read(threadIdx.x); }\n")
      .link();
  const std::vector<float> values = numbers(64);
  const kiln::DeviceBuffer<float> memory(values);
  kiln::DeviceBuffer<float> out(std::vector<float>(64));
  module.get_texref("image").set_address(memory.data(), memory.size() * sizeof(float));
  module.get_function("copy")({1, 64}, out);
  CHECK(out.to_host() == values);
}

TEST_CASE("dynamic parallelism: a tree of launches runs all of its nodes") {
  const DynamicSourceModule module(R"(
__global__ void grow(int* count, int depth) {
  atomicAdd(count, 1);
  if (depth == 0) return;
  grow<<<1, 1>>>(count, depth - 1);
  grow<<<1, 1>>>(count, depth - 1);
}
)");
  kiln::DeviceBuffer<int> count(std::vector<int>(1, 0));
  module.get_function("grow")({1, 1}, count, 5);
  CHECK(count.to_host().front() == 63);
}

TEST_CASE("dynamic parallelism: each thread launches a grid of its own, and a tail launch sees them all") {
  const char* const source = R"(
__global__ void fill(int* row, int value) { row[blockIdx.x * blockDim.x + threadIdx.x] = value; }
__global__ void sum(const int* data, int n, int* out) {
  int total = 0;
  for (int i = 0; i < n; ++i) total += data[i];
  *out = total;
}
extern "C" __global__ void parent(int* data, int width, int* out) {
  fill<<<width / 32, 32>>>(data + threadIdx.x * width, threadIdx.x + 1);
  if (threadIdx.x == 0) sum<<<1, 1, 0, cudaStreamTailLaunch>>>(data, blockDim.x * width, out);
}
)";
  for (const kiln::Target target : {kiln::Target::cubin, kiln::Target::ptx, kiln::Target::ltoir}) {
    CAPTURE(static_cast<int>(target));
    const DynamicSourceModule module(source, CompileOptions{}.with_target(target));
    constexpr int rows = 8, width = 128;
    kiln::DeviceBuffer<int> data(std::vector<int>(rows * width, -1)), out(std::vector<int>(1, 0));
    module.get_function("parent")({1, rows}, data, width, out);
    const std::vector<int> values = data.to_host();
    bool right = true;
    for (int i = 0; i < rows * width; ++i) right = right && values[static_cast<std::size_t>(i)] == i / width + 1;
    CHECK(right);
    CHECK(out.to_host().front() == width * rows * (rows + 1) / 2);
  }
}

TEST_CASE("dynamic parallelism: fire and forget, and a stream made on the device") {
  const DynamicSourceModule module(R"(
__global__ void add(int* out, int value) { atomicAdd(out, value); }
extern "C" __global__ void parent(int* out, int* error) {
  add<<<1, 32, 0, cudaStreamFireAndForget>>>(out, 1);
  cudaStream_t stream;
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  add<<<1, 32, 0, stream>>>(out, 100);
  cudaStreamDestroy(stream);
  *error = cudaGetLastError();
}
)");
  kiln::DeviceBuffer<int> out(std::vector<int>(1, 0)), error(std::vector<int>(1, -1));
  module.get_function("parent")({1, 1}, out, error);
  CHECK(out.to_host().front() == 32 * 101);
  CHECK(error.to_host().front() == 0);
}

TEST_CASE("dynamic parallelism: PyCUDA's way, with parts linked by hand and a child in another source") {
  DynamicModule module;
  module
      .add_source(
          "extern __global__ void child(int*);\n"
          "extern \"C\" __global__ void parent(int* out) { child<<<2, 16>>>(out); }\n")
      .add_source(
          "__global__ void child(int* out) { const int i = blockIdx.x * blockDim.x + threadIdx.x; out[i] = i; }\n")
      .add_stdlib("cudadevrt")
      .link();
  kiln::DeviceBuffer<int> out(std::vector<int>(32, -1));
  module.get_function("parent")({1, 1}, out);
  std::vector<int> expected(32);
  std::iota(expected.begin(), expected.end(), 0);
  CHECK(out.to_host() == expected);
}

}  // namespace dynamic_module_test
