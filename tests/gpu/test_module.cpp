// Modules on a device: what is loaded, what is shared, and what the code tells of itself.
#include "fatbin_bytes.hpp"
#include "gpu_only.hpp"
#include "needs.hpp"
#include "raw_driver.hpp"
#include "scratch_folder.hpp"

#include <doctest/doctest.h>
#include <kiln/kiln.hpp>

#include <string>
#include <vector>

namespace module_test {

namespace {

int run(const kiln::Function& function) {
  kiln::DeviceBuffer<int> out(1);
  function({1, 1}, out);
  return out.to_host().front();
}

const char* const constant_source = R"(
namespace config { __constant__ int value = 1; }
__global__ void read_value(int* out) { *out = config::value; }
template <int N> __global__ void read_scaled(int* out) { *out = N * config::value; }
)";

template <class Action>
std::string message_of(Action action) {
  try {
    action();
  } catch (const kiln::Error& error) {
    return error.what();
  }
  return "nothing was thrown";
}

}  // namespace

TEST_CASE("two modules of one source keep their constants apart") {
  const kiln::SourceModule first(constant_source), second(constant_source);
  CHECK(second.code().from_cache());
  const kiln::GlobalVariable one = first.get_global("config::value"), two = second.get_global("value");
  CHECK(one.size == sizeof(int));
  CHECK(one.pointer != two.pointer);
  one.set(10);
  two.set(20);
  CHECK(run(first.get_function("read_value")) == 10);
  CHECK(run(second.get_function("read_value")) == 20);
}

TEST_CASE("template instances are made on demand, in images of their own") {
  const kiln::SourceModule module(constant_source);
  CHECK(run(module.get_function("read_scaled<4>")) == 4);
  CHECK(run(module.get_function("read_scaled< 5 >")) == 5);
  const std::string message = message_of([&] { (void)module.get_global("value"); });
  CHECK_MESSAGE(message.find("name_expressions") != std::string::npos, message);

  const kiln::SourceModule both(constant_source,
                                kiln::CompileOptions{}.with_name_expressions({"read_scaled<4>", "read_scaled<5>"}));
  both.get_global("value").set(3);
  CHECK(run(both.get_function("read_scaled<4>")) == 12);
  CHECK(run(both.get_function("read_scaled<5>")) == 15);
}

TEST_CASE("a managed variable is found") {
  const kiln::SourceModule module(
      "__managed__ int seen = 4;\nextern \"C\" __global__ void look(int* out) { *out = seen; }");
  const kiln::GlobalVariable seen = module.get_global("seen");
  CHECK(seen.size == sizeof(int));
  CHECK(*reinterpret_cast<int*>(seen.pointer) == 4);
  CHECK(run(module.get_function("look")) == 4);
}

TEST_CASE("overloads are told apart by their types") {
  const kiln::SourceModule module(R"(
__global__ void which(int* out, float) { *out = 1; }
__global__ void which(int* out, double) { *out = 2; }
__global__ void which(int* out, int) { *out = 3; }
)");
  kiln::DeviceBuffer<int> out(1);
  module.get_function<void(int*, float)>("which")({1, 1}, out, 0);
  CHECK(out.to_host().front() == 1);
  module.get_function<void(int*, double)>("which")({1, 1}, out, 0);
  CHECK(out.to_host().front() == 2);
  module.get_function("which(int*, int)")({1, 1}, out, 0);
  CHECK(out.to_host().front() == 3);
  CHECK_THROWS_AS(module.get_function("which"), kiln::ArgumentError);
  try {
    (void)module.get_function<void(float*, int)>("which");
    FAIL("no overload takes a float*");
  } catch (const kiln::ArgumentError& error) {
    const std::string text = error.what();
    const char* const listed =
        "takes the stated types:\n  which(int*, double)\n  which(int*, float)\n  which(int*, int)\n";
    CHECK_MESSAGE(text.find(listed) != std::string::npos, text);
  }
}

TEST_CASE("the cubin's tables agree with the driver") {
  const char* const source = R"(
__constant__ float weights[24];
struct Pair { double a; float b; };
__global__ void work(const float* in, float* out, char c, Pair pair, short n) {
  __shared__ float tile[96];
  float scratch[256];
  for (int i = 0; i < n; ++i) scratch[(i * n) % 256] = in[i] * float(pair.a);
  tile[threadIdx.x % 96] = in[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = tile[95 - threadIdx.x % 96] * weights[n] + scratch[threadIdx.x % 256] + c;
}
)";
  const kiln::SourceModule module(source);
  const kiln::KernelInfo& info = module.code().kernels().at(0);
  const kiln::Function work = module.get_function("work");
  CHECK(work.num_regs() == info.registers);
  CHECK(work.shared_size_bytes() == info.shared_bytes);
  CHECK(work.local_size_bytes() == info.local_bytes);
  CHECK(work.const_size_bytes() == info.constant_bytes);
  CHECK(info.shared_bytes == 96 * 4);
  CHECK(info.local_bytes >= 256 * 4);
  CHECK(work.max_threads_per_block() == info.max_threads_per_block);
  CHECK(work.binary_version() == std::stoi(kiln::Device::current().arch().substr(3)));
  CHECK(work.name() == info.name);

  const auto get_parameter =
      kiln::test::driver_function<CUresult (*)(CUkernel, std::size_t, std::size_t*, std::size_t*)>(
          "cuKernelGetParamInfo");
  const std::vector<kiln::Parameter>& parameters = work.parameters();
  CHECK(parameters.size() == 5);
  std::size_t offset = 0, bytes = 0;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    REQUIRE(get_parameter(work.handle(), i, &offset, &bytes) == CUDA_SUCCESS);
    CHECK(parameters[i].offset == offset);
    CHECK(parameters[i].size == bytes);
  }
  CHECK(get_parameter(work.handle(), parameters.size(), &offset, &bytes) == CUDA_ERROR_INVALID_VALUE);
}

TEST_CASE("PTX, files and bytes load") {
  const char* const source = "extern \"C\" __global__ void seven(int* out) { *out = 7; }";
  SUBCASE("PTX target") {
    const kiln::SourceModule module(source, kiln::CompileOptions{}.with_target(kiln::Target::ptx));
    CHECK(module.code().target() == kiln::Target::ptx);
    CHECK(run(module.get_function("seven")) == 7);
  }
  SUBCASE("a virtual arch older than the device") {
    const kiln::SourceModule module(source, kiln::CompileOptions{}.with_arch("compute_75"));
    CHECK(run(module.get_function("seven")) == 7);
  }
  SUBCASE("bytes of a cubin and of PTX") {
    const kiln::SourceModule made(source);
    CHECK(run(kiln::Module::from_bytes(made.code().bytes()).get_function("seven")) == 7);
    const kiln::CodeObject ptx = kiln::compile(source, kiln::CompileOptions{}.with_arch("compute_75"));
    CHECK(run(kiln::Module::from_bytes(ptx.bytes()).get_function("seven")) == 7);
  }
  SUBCASE("a cubin file") {
    const kiln::test::ScratchFolder folder;
    const auto path = folder.write("seven.cubin", kiln::SourceModule(source).code().bytes());
    CHECK(run(kiln::Module::from_file(path).get_function("seven")) == 7);
  }
  SUBCASE("a source file with an include beside it") {
    const kiln::test::ScratchFolder folder;
    folder.write("value.h", "#define VALUE 8\n");
    const auto path = folder.write(
        "kernel.cu", "#include \"value.h\"\nextern \"C\" __global__ void value(int* out) { *out = VALUE; }");
    CHECK(run(kiln::SourceModule::from_file(path).get_function("value")) == 8);
  }
  SUBCASE("PTX that is no PTX, with what the driver says of it") {
    const std::string message = message_of([] {
      (void)kiln::Module::from_bytes(".version 7.0\n.target sm_75\n.address_size 64\n.entry broken() { nonsense; }\n");
    });
    CHECK_MESSAGE(message.find("CUDA_ERROR_INVALID_PTX") != std::string::npos, message);
    CHECK_MESSAGE(message.find("nonsense") != std::string::npos, message);
  }
}

TEST_CASE("an explicit arch that the device cannot run is an error that names both") {
  const std::string own = kiln::Device::current().arch();
  // The emulator runs what is for an older one, and there the code for sm_100 is PTX for compute_100.
  const std::string other = kiln::test::on_emulator() ? "sm_100" : own.substr(0, 4) == "sm_8" ? "sm_90" : "sm_80";
  const std::string message =
      message_of([&] { (void)kiln::SourceModule("__global__ void f() {}", kiln::CompileOptions{}.with_arch(other)); });
  CHECK_MESSAGE(message.find(own) != std::string::npos, message);
  CHECK_MESSAGE(message.find(other) != std::string::npos, message);
}

TEST_CASE("PTX for a newer architecture is one that the device cannot run, as a text and in a fatbin") {
  const int capability = std::stoi(kiln::Device::current().arch().substr(3));
  if (capability >= 120) return;
  const std::string ptx = ".version 8.7\n.target sm_120\n.address_size 64\n.visible .entry k() { ret; }\n";
  for (const std::string& code : {ptx, kiln::test::fatbin_of({{1, 120, ptx}})}) {
    try {
      (void)kiln::Module::from_bytes(code).get_function("k");
      FAIL("loaded");
    } catch (const kiln::NoKernelImageError& error) {
      CHECK(error.code_arch().find("_120") != std::string::npos);
      CHECK(error.device_arch() == kiln::Device::current().arch());
    }
  }
}

TEST_CASE("PTX of a newer version than the driver's is refused with both versions") {
  if (kiln::test::on_emulator()) return;  // which reads such a text as far as it goes
  const std::string ptx = ".version 99.0\n.target sm_80\n.address_size 64\n.visible .entry k() { ret; }\n";
  const std::string message = message_of([&] { (void)kiln::Module::from_bytes(ptx); });
  CHECK_MESSAGE(message.find("CUDA_ERROR_UNSUPPORTED_PTX_VERSION") != std::string::npos, message);
  CHECK_MESSAGE(message.find("made by a toolkit of CUDA 103.0") != std::string::npos, message);
  CHECK_MESSAGE(message.find("its driver is of CUDA ") != std::string::npos, message);
  CHECK_MESSAGE(message.find("update the driver") != std::string::npos, message);
}

TEST_CASE("a module made from code for another device compiles for this one") {
  // What kiln::compile makes before the process has used a device may be for any architecture.
  const kiln::SourceModule module("extern \"C\" __global__ void seven(int* out) { *out = 7; }");
  CHECK(module.code().arch() == kiln::test::module_arch());
}

TEST_CASE("a module is loaded for every device and launches there") {
  const kiln::SourceModule module("extern \"C\" __global__ void seven(int* out) { *out = 7; }");
  std::vector<int> devices;
  for (int i = 0; i < kiln::Device::count(); ++i) devices.push_back(i);
  module.preload(devices);
  const kiln::Function seven = module.get_function("seven");
  for (const int device : devices) {
    kiln::Device(device).make_current();
    CHECK(run(seven) == 7);
  }
  kiln::Device(0).make_current();
  CHECK_THROWS_AS(module.preload({kiln::Device::count()}), kiln::ArgumentError);
}

TEST_CASE("a function outlives its module") {
  const kiln::Function read_value = [] {
    const kiln::SourceModule module(constant_source);
    module.get_global("value").set(9);
    return module.get_function("read_value");
  }();
  CHECK(run(read_value) == 9);
}

TEST_CASE("a fatbin for several architectures loads, and the driver picks its image" * kiln::test::needs_nvcc()) {
  const std::string arch = kiln::test::module_arch();  // PTX for the emulator
  const auto options = kiln::CompileOptions{}.with_target(kiln::Target::fatbin);
  const auto lists = {"sm_75," + arch, std::string("sm_75,compute_75")};  // the second: PTX for the driver to finish
  for (const std::string& list : lists) {
    CAPTURE(list);
    const kiln::SourceModule module(constant_source,
                                    options.with_nvcc({.code = list}).with_name_expressions({"read_scaled<3>"}));
    CHECK(module.code().backend() == kiln::Backend::nvcc);
    CHECK(run(module.get_function("read_value")) == 1);
    module.get_global("value").set(7);
    CHECK(run(module.get_function("read_value")) == 7);
    CHECK(run(module.get_function("read_scaled<3>")) == 21);
    CHECK_THROWS_AS((void)module.get_function("read_scaled<4>"), kiln::ArgumentError);
  }
}

TEST_CASE("nvcc's code runs as NVRTC's does, instances and arch native included" * kiln::test::needs_nvcc()) {
  const auto options = kiln::CompileOptions{}.with_backend(kiln::Backend::nvcc).with_arch("native");
  const kiln::SourceModule module(constant_source, options.with_name_expressions({"read_scaled<4>"}));
  CHECK(module.code().backend() == kiln::Backend::nvcc);
  CHECK(module.code().arch() == kiln::test::module_arch());
  CHECK(run(module.get_function("read_scaled<4>")) == 4);
  CHECK(run(module.get_function("read_scaled<5>")) == 5);
}

TEST_CASE("arch native-a: the device's own features where it has some, and the code runs") {
  const std::string plain = kiln::test::module_arch();
  const bool has_own = std::stoi(plain.substr(plain.find('_') + 1)) >= 90;
  const char* const source =
      "#if defined(__CUDA_ARCH_FEAT_SM90_ALL) || defined(__CUDA_ARCH_SPECIFIC__)\n#define OWN 1\n#else\n#define OWN 0\n"
      "#endif\nextern \"C\" __global__ void own(int* out) { *out = OWN; }\n";
  const kiln::SourceModule module(source, kiln::CompileOptions{}.with_arch("native-a"));
  CHECK(module.code().arch() == plain + (has_own ? "a" : ""));
  CHECK(run(module.get_function("own")) == (has_own ? 1 : 0));
}

TEST_CASE("code that was saved runs where it is loaded, and makes further instances") {
  const std::string bytes = kiln::SourceModule(constant_source).code().serialize();
  const kiln::Module module(kiln::CodeObject::deserialize(bytes));
  CHECK(run(module.get_function("read_value")) == 1);
  CHECK(run(kiln::Module(kiln::CodeObject::deserialize(bytes)).get_function("read_scaled<6>")) == 6);
}

TEST_CASE("the PTX of a cubin's own compile runs, too") {
  const kiln::SourceModule module("extern \"C\" __global__ void five(int* out) { *out = 5; }",
                                  kiln::CompileOptions{}.with(&kiln::CompileOptions::keep_ptx, true));
  CHECK(run(module.get_function("five")) == 5);
  CHECK(run(kiln::Module::from_bytes(module.code().ptx()).get_function("five")) == 5);
}

}  // namespace module_test
