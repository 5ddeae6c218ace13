// One process of a test: what happens at exit, after fork, and in a fresh process. Uses the public API only, so that
// the unit tests run it over the fake driver and the GPU tests on a device. Usage: module_child SCENARIO
#include <kiln/kiln.hpp>

#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace {

const char* const source =
    "__constant__ int step = 3;\n__global__ void count(int* out) { out[threadIdx.x] += step; }\n";

void say(const std::string& text) {
  std::fputs((text + "\n").c_str(), stdout);
  std::fflush(stdout);
}

void use(const kiln::Function& count) {
  kiln::DeviceBuffer<int> out(std::vector<int>(32));
  count({1, 32}, out);
  (void)out.to_host();
  say("launched");
}

int static_objects() {
  static const kiln::SourceModule module(source);
  static const kiln::Function count = module.get_function("count");
  static const kiln::DeviceBuffer<int> buffer(32);
  use(count);
  return 0;
}

int exit_from_thread() {
  static_objects();
  std::thread([] { std::exit(0); }).join();
  return 1;
}

int child_of_fork() {
  const kiln::SourceModule module(source);
  const kiln::Function count = module.get_function("count");
  use(count);
  const pid_t child = fork();
  if (child == 0) {
    int status = 0;
    try {
      // A source of its own, so that the child itself compiles.
      const kiln::SourceModule own("extern \"C\" __global__ void in_child() {}");
      say("child compiled " + own.function_names().at(0));
      own.get_function("in_child")({1, 1});
      status = 1;
    } catch (const kiln::Error& error) {
      say(std::string("child's own: ") + error.what());
    }
    try {
      count({1, 32}, static_cast<int*>(nullptr));
      status = 1;
    } catch (const kiln::Error& error) {
      say(std::string("parent's: ") + error.what());
    }
    std::exit(status);
  }
  int status = 0;
  waitpid(child, &status, 0);
  use(count);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

void say_whether_mapped(const std::string& library) {
  std::ifstream maps("/proc/self/maps");
  const bool mapped = std::string(std::istreambuf_iterator<char>(maps), {}).find(library) != std::string::npos;
  say(library + (mapped ? " is mapped" : " is not mapped"));
}

int start_of(const kiln::Module& module) {
  use(module.get_function("count"));
  say(std::string(module.code().from_cache() ? "from the cache " : "compiled ") +
      (module.code().target() == kiln::Target::cubin ? "cubin" : "ptx"));
  say_whether_mapped("libnvrtc");
  say_whether_mapped("libnvJitLink");
  return 0;
}

int start() { return start_of(kiln::SourceModule(source)); }
/// Two sources, one with a header.
kiln::DynamicModule two_sources() {
  const char* const caller =
      "extern __device__ int step();\n__global__ void count(int* out) { out[threadIdx.x] += step(); }\n";
  const char* const called =
      "#include <cuda_fp16.h>\n__device__ int step() { return __half2int_rn(__float2half(3.0f)); }\n";
  kiln::DynamicModule module;
  module.add_source(caller).add_source(called);
  return module;
}
int start_linked() { return start_of(two_sources().link()); }
int start_linked_with_runtime() { return start_of(two_sources().add_stdlib("cudadevrt").link()); }

int illegal_address() {
  const kiln::SourceModule module("extern \"C\" __global__ void poke(int* p) { *p = 1; }");
  const kiln::Function poke = module.get_function("poke");
  const kiln::Stream stream;
  const kiln::Event event;  // these go while the context is lost, and must be quiet about it
  const kiln::DeviceBuffer<int> buffer(100);
  poke({1, 1, 0, stream}, static_cast<int*>(nullptr));
  try {
    stream.synchronize();
  } catch (const kiln::DriverError& error) {
    say(error.what());
    return 0;
  }
  return 1;
}

/// An index that is not there ends the kernel, in both directions.
int index_out_of_range(int index) {
  const kiln::DeviceBuffer<float> x(std::vector<float>(3)), y(1);
  kiln::take(x, kiln::DeviceBuffer<int>(std::vector<int>{2}), y);
  (void)y.to_host();
  say("taken");
  kiln::take(x, kiln::DeviceBuffer<int>(std::vector<int>{index}), y);
  try {
    (void)y.to_host();
  } catch (const kiln::DriverError& error) {
    say(error.what());
    return 0;
  }
  return 1;
}

/// The built-in kernels exist as long as the driver: a handler of atexit has one that is made after the handler was
/// registered, but no device where it was registered before the driver was initialised.
int sum_at_exit() {
  const kiln::DeviceBuffer<int> x(std::vector<int>(10, 3));
  std::atexit([] {
    const kiln::DeviceBuffer<int> at_exit(std::vector<int>(10, 3));
    say("sum " + std::to_string(kiln::sum(at_exit).get()));
  });
  return kiln::sum(x).get() == 30 ? 0 : 1;
}
int sum_after_the_driver() {
  std::atexit([] {
    try {
      const kiln::DeviceBuffer<int> x(std::vector<int>(10, 3));
      say("sum " + std::to_string(kiln::sum(x).get()));
    } catch (const kiln::DriverError& error) {
      say(error.what());
    }
  });
  const kiln::DeviceBuffer<int> x(std::vector<int>(10, 3));
  return kiln::sum(x).get() == 30 ? 0 : 1;
}

/// As a program does that never looked for a device: everything up to a launch works.
int without_device() {
  const kiln::SourceModule module(source);
  say("compiled " + module.function_names().at(0));
  const kiln::Function count = module.get_function("count");
  say("parameters " + std::to_string(count.parameters().size()));
  try {
    count({1, 32}, static_cast<int*>(nullptr));
  } catch (const kiln::Error& error) {
    say(error.what());
  }
  try {
    (void)module.get_global("step");
    return 1;
  } catch (const kiln::Error& error) {
    say(error.what());
  }
  return 0;
}

/// As a login node warms the cache: for each architecture of KILN_ARCH.
int link_without_device() {
  kiln::DynamicModule module;
  module.add_source("extern __device__ int step(); __global__ void count(int* out) { *out += step(); }")
      .add_source("__device__ int step() { return __CUDA_ARCH__; }")
      .link();
  say("linked for " + module.code().arch());
  say("compiles " + std::to_string(kiln::Cache().stats().compiles));
  module.link();
  say("compiles " + std::to_string(kiln::Cache().stats().compiles));
  return 0;
}

int load_ptx() {
  use(kiln::SourceModule(source, kiln::CompileOptions{}.with_target(kiln::Target::ptx)).get_function("count"));
  return 0;
}

/// The UUIDs of the devices that this process sees, in order.
int devices() {
  for (int device = 0; device < kiln::Device::count(); ++device) say(kiln::Device(device).uuid());
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string scenario = argc == 2 ? argv[1] : "";
  try {
    if (scenario == "static") return static_objects();
    if (scenario == "exit-from-thread") return exit_from_thread();
    if (scenario == "fork") return child_of_fork();
    if (scenario == "start") return start();
    if (scenario == "start-linked") return start_linked_with_runtime();
    if (scenario == "start-linked-alone") return start_linked();
    if (scenario == "illegal-address") return illegal_address();
    if (scenario == "index-too-high") return index_out_of_range(3);
    if (scenario == "index-below-0") return index_out_of_range(-1);
    if (scenario == "sum-at-exit") return sum_at_exit();
    if (scenario == "sum-after-the-driver") return sum_after_the_driver();
    if (scenario == "link-without-device") return link_without_device();
    if (scenario == "without-device") return without_device();
    if (scenario == "devices") return devices();
    if (scenario == "ptx") return load_ptx();
  } catch (const std::exception& error) {
    say(std::string("failed: ") + error.what());
    return 1;
  }
  say("usage: module_child "
      "static|exit-from-thread|fork|start|start-linked|start-linked-alone|link-without-device|illegal-address|"
      "without-device|devices|ptx|index-too-high|index-below-0|sum-at-exit|sum-after-the-driver");
  return 2;
}
