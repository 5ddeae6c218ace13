// What a launch, a typed look-up and prepare() refuse of kernels whose names tell no types, whatever way their code
// took; and of pointers, by what they point to, where the names tell.
#include "gpu_only.hpp"
#include "needs.hpp"
#include "scratch_folder.hpp"

#include <doctest/doctest.h>
#include <kiln/kiln.hpp>

#include <array>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace parameter_kinds_test {

namespace {

using kiln::ArgumentError;
using kiln::DeviceBuffer;
using kiln::ParameterKind;
using kiln::Target;

const char* const add_source = R"(
enum Mode : int { plus, minus };
extern "C" __global__ void add(float* y, float a, int n, Mode mode, long long extra) {
  const int i = threadIdx.x;
  if (i < n) y[i] += (mode == plus ? a : -a) + (float)extra;
})";

enum class Mode { plus, minus };

/// The kernel of add_source, whichever code has it.
void check_add(const kiln::Function& add) {
  const DeviceBuffer<float> y(std::vector<float>(4));
  add({1, 32}, y, 1.5f, 4, Mode::minus, 3LL);
  CHECK(y.to_host() == std::vector<float>(4, 1.5f));
  const auto& parameters = add.parameters();
  REQUIRE(parameters.size() == 5);
  CHECK(parameters[1].kind == ParameterKind::floating);
  CHECK(parameters[2].kind == ParameterKind::integer);
  CHECK(parameters[3].kind == ParameterKind::integer);

  CHECK_THROWS_WITH_AS(add({1, 32}, y, 1, 4, 0, 0LL),
                       "kernel add: argument 1 (counted from 0): expected floating, 4 bytes, given int (integer, 4 "
                       "bytes); nothing is converted at a launch: write 1.0f (float) or 1.0 (double), or cast it",
                       ArgumentError);
  CHECK_THROWS_AS(add({1, 32}, y, 1.5f, 4.0f, 0, 0LL), ArgumentError);
  CHECK_THROWS_AS(add({1, 32}, y, 1.5f, 4, 0.0f, 0LL), ArgumentError);
  CHECK_THROWS_AS(add({1, 32}, y, 1.5f, 4, 0, 0.0), ArgumentError);
  CHECK_THROWS_AS(add({1, 32}, 0.0, 1.5f, 4, 0, 0LL), ArgumentError);

  CHECK_THROWS_AS((void)add.prepare("Pifiq"), ArgumentError);
  CHECK_THROWS_AS((void)add.prepare("Pffiq"), ArgumentError);
  CHECK_THROWS_AS((void)add.prepare("dfiiq"), ArgumentError);
  CHECK_THROWS_AS((void)add.prepare("Pfiid"), ArgumentError);
  CHECK_THROWS_AS((void)add.prepare({"P", "f", "i", "i", "float2"}), ArgumentError);
  CHECK_THROWS_AS(((void)add.prepare<float*, int, int, int, long long>()), ArgumentError);
  add.prepare("Pfiiq", 32).prepared_call(1, y, 1, 4, 0, 1);  // a prepared call converts
  CHECK(y.to_host() == std::vector<float>(4, 3.5f));
  using Swapped = kiln::TypedFunction<void(float*, int, float, int, long long)>;
  CHECK_THROWS_AS(Swapped{add}, ArgumentError);
  kiln::TypedFunction<void(float*, float, int, int, long long)>{add}({1, 32}, y, 0.5f, 4, 0, 0);
  CHECK(y.to_host() == std::vector<float>(4, 4));
}

void check_module(const kiln::Module& module) { check_add(module.get_function("add")); }

const char* const scale_source = R"(
__global__ void scale(float* x, int n) { if (threadIdx.x < n) x[threadIdx.x] *= 2; }
__global__ void count(unsigned long long* x) { atomicAdd(x, 1ull); }
__global__ void bytes(const unsigned char* x, int* out) { out[0] = x[3]; }
__global__ void each(float** rows) { rows[0][0] = 7; }
struct Point { float x, y; };
__global__ void points(Point* p) { p[0].y = 5; }
)";

}  // namespace

TEST_CASE("extern C kernels' kinds are checked: NVRTC, and PTX") {
  for (const Target target : {Target::cubin, Target::ptx}) {
    CAPTURE(static_cast<int>(target));
    check_module(kiln::SourceModule(add_source, kiln::CompileOptions{}.with_target(target)));
  }
  const auto ptx = kiln::compile(add_source, kiln::CompileOptions{}.with_target(Target::ptx));
  check_module(kiln::Module::from_bytes(ptx.bytes()));
}

TEST_CASE("extern C kernels' kinds are checked: a worker's compile") {
  const std::vector<kiln::CompileResult> results =
      kiln::compile_all({{add_source, kiln::CompileOptions{}.with_cache(false).with_arch(kiln::test::module_arch())}});
  REQUIRE(results.size() == 1);
  check_module(kiln::Module(results[0].get()));
}

TEST_CASE("extern C kernels' kinds are checked: nvcc, also a fatbin that it made and one from a file" *
          kiln::test::needs_nvcc()) {
  const auto options = kiln::CompileOptions{}.with_backend(kiln::Backend::nvcc);
  check_module(kiln::SourceModule(add_source, options));
  const std::string arch = kiln::Device(0).arch().substr(3);
  const auto fatbin = options.with_target(Target::fatbin).with_nvcc({.code = "sm_" + arch + ",compute_" + arch});
  check_module(kiln::SourceModule(add_source, fatbin));
  const kiln::test::ScratchFolder scratch;
  const auto file = scratch.write("add.fatbin", std::string(kiln::compile(add_source, fatbin).bytes()));
  const kiln::Module module = kiln::Module::from_file(file);
  const kiln::Function add = module.get_function("add");
  if (!add.parameters().empty()) check_add(add);  // older drivers do not tell them
}

TEST_CASE("extern C kernels' kinds are checked: linked code") {
  const auto options = kiln::CompileOptions{}.with_options({"-rdc=true"});
  for (const Target target : {Target::cubin, Target::ptx}) {
    CAPTURE(static_cast<int>(target));
    check_module(kiln::Module(kiln::Linker().add(kiln::compile(add_source, options.with_target(target))).link()));
  }
  kiln::DynamicModule module;
  module.add_source(add_source);
  module.link();
  check_add(module.get_function("add"));
}

TEST_CASE("a pointer is passed by what it points to, where the kernel's name shows it") {
  const kiln::SourceModule module(scale_source);
  const kiln::Function scale = module.get_function("scale");
  const DeviceBuffer<float> floats(std::vector<float>{1, 2});
  const DeviceBuffer<double> doubles(std::vector<double>{1, 2});
  const DeviceBuffer<int> ints(std::vector<int>{1, 2});
  CHECK_THROWS_WITH_AS(
      scale({1, 32}, doubles, 2),
      "kernel scale(float*, int): argument 0 (counted from 0): expected float* (pointer, 8 bytes), given double* "
      "(pointer, 8 bytes); where the memory is meant as the kernel's type all the same, pass an untyped address: "
      "static_cast<void*>(pointer), or a CUdeviceptr such as DeviceBuffer::device_pointer()",
      ArgumentError);
  CHECK_THROWS_AS(scale({1, 32}, ints, 2), ArgumentError);
  CHECK_THROWS_AS((void)scale.timed({1, 32}, doubles, 2), ArgumentError);
  std::vector<double> host(2);
  CHECK_THROWS_AS(scale({1, 32}, kiln::In(host), 2), ArgumentError);
  CHECK_THROWS_AS(scale.prepare("Pi", 32).prepared_call(1, doubles, 2), ArgumentError);
  kiln::LaunchPlan plan;
  CHECK_THROWS_AS((void)plan.add(scale, {1, 32}, doubles, 2), ArgumentError);

  scale({1, 32}, floats, 2);
  const float* const readable = floats.data();
  scale({1, 32}, readable, 2);
  scale({1, 32}, static_cast<void*>(floats.data()), 2);
  scale({1, 32}, floats.device_pointer(), 2);
  scale({1, 32}, reinterpret_cast<std::byte*>(floats.data()), 2);
  scale({1, 32}, reinterpret_cast<std::complex<float>*>(floats.data()), 2);
  scale.prepare("Pi", 32).prepared_call(1, floats, 2);
  scale({1, 32}, nullptr, 0);
  CHECK(floats.to_host() == std::vector<float>{128, 256});
}

TEST_CASE("what a pointer points to may have another name or sign, and bytes are bytes") {
  const kiln::SourceModule module(scale_source);
  const DeviceBuffer<std::uint64_t> counter(
      std::vector<std::uint64_t>{5});  // unsigned long, to the kernel another type
  module.get_function("count")({1, 32}, counter);
  CHECK(counter.to_host().front() == 37);
  const DeviceBuffer<float> one(std::vector<float>{1});
  const DeviceBuffer<int> out(1);
  module.get_function("bytes")({1, 1}, one, out);
  CHECK(out.to_host().front() == 0x3f);
  const DeviceBuffer<CUdeviceptr> rows(std::vector<CUdeviceptr>{one.device_pointer()});
  module.get_function("each")({1, 1}, rows);
  CHECK(one.to_host().front() == 7);
  const DeviceBuffer<std::array<float, 2>> mine(std::vector<std::array<float, 2>>(1));  // a class by another name
  module.get_function("points")({1, 1}, mine);
  CHECK(mine.to_host().front()[1] == 5);
}

}  // namespace parameter_kinds_test
