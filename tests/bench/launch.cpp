// Launches by the driver's own calls and by Kiln, in turn: Function, TypedFunction and PreparedFunction with 0 to 64
// arguments and with a structure of 2,048 bytes, on a non-blocking stream, 500 launches between synchronisations; a
// round trip of host arguments; a timed call. Usage: launch [pairs]
#include "measure.hpp"
#include "raw_driver.hpp"

#include <kiln/kiln.hpp>

#include <utility>

using namespace kiln::bench;

namespace {

constexpr int launches = 500;
constexpr int round_trips = 20;
constexpr int timed_calls = 50;

struct Body {
  double values[256];
};

/// Arguments of four types in turn.
template <std::size_t index>
auto argument(float* pointer) {
  if constexpr (index % 4 == 0)
    return pointer;
  else if constexpr (index % 4 == 1)
    return static_cast<int>(index);
  else if constexpr (index % 4 == 2)
    return static_cast<float>(index);
  else
    return static_cast<double>(index);
}

/// A kernel that takes so many of them and does nothing.
std::string kernel_source(int count) {
  const char* const types[] = {"float* p", "int p", "float p", "double p"};
  std::string parameters;
  for (int i = 0; i < count; ++i) parameters += (i == 0 ? "" : ", ") + std::string(types[i % 4]) + std::to_string(i);
  return "extern \"C\" __global__ void k" + std::to_string(count) + "(" + parameters + ") {}\n";
}

std::string source() {
  std::string text =
      "struct Body { double values[256]; };\n"
      "extern \"C\" __global__ void body(Body) {}\n"
      "extern \"C\" __global__ void add_one(const float* in, float* out, int n) {\n"
      "  for (int i = threadIdx.x; i < n; i += blockDim.x) out[i] = in[i] + 1;\n"
      "}\n";
  for (const int count : {0, 1, 4, 16, 64}) text += kernel_source(count);
  return text;
}

/// Nanoseconds of each of `count` calls, from an idle stream, without the time that the device needs in the end.
template <class Call>
double measure_calls(const kiln::Stream& stream, int count, const Call& call) {
  stream.synchronize();
  return nanoseconds([&] {
           for (int i = 0; i < count; ++i) call();
         }) /
         count;
}

template <class Raw, class Kiln>
void compare(const std::string& name, const kiln::Stream& stream, int pairs, int count, const Raw& raw,
             const Kiln& kiln) {
  std::vector<double> raw_times, kiln_times, ratios;
  for (int pair = -1; pair < pairs; ++pair) {
    // Each goes first in every other pair, so that neither always meets the colder device.
    double raw_time = 0;
    if (pair % 2 == 0) raw_time = measure_calls(stream, count, raw);
    const double kiln_time = measure_calls(stream, count, kiln);
    if (pair % 2 != 0) raw_time = measure_calls(stream, count, raw);
    if (pair < 0) continue;  // loads
    raw_times.push_back(raw_time);
    kiln_times.push_back(kiln_time);
    ratios.push_back(kiln_time / raw_time);
  }
  stream.synchronize();
  std::printf("%-30s driver %.0f ns, kiln %.0f ns, median ratio of %d pairs %.4f\n", name.c_str(), median(raw_times),
              median(kiln_times), pairs, median(ratios));
}

CUfunction function_of(const kiln::Function& function) {
  CUfunction handle = nullptr;
  check(driver_function<decltype(cuKernelGetFunction)>(nullptr, "cuKernelGetFunction")(&handle, function.handle()),
        "cuKernelGetFunction");
  return handle;
}

/// Compares Kiln's forms with the raw call, for kernel `name` and these arguments.
template <class... Args>
void compare_kernel(const std::string& name, const kiln::Module& module, const kiln::Stream& stream, int pairs,
                    const Args&... args) {
  const auto launch_kernel = driver_function<decltype(cuLaunchKernel)>(nullptr, "cuLaunchKernel");
  const kiln::Function function = module.get_function(name);
  const auto typed = module.get_function<void(Args...)>(name);
  const kiln::PreparedFunction prepared = function.prepare<Args...>(32);
  const CUfunction handle = function_of(function);
  const kiln::LaunchConfig config{1, 32, 0, stream};
  const auto raw = [&] {
    void* pointers[] = {const_cast<void*>(static_cast<const void*>(&args))..., nullptr};
    launch_kernel(handle, 1, 1, 1, 32, 1, 1, 0, stream, pointers, nullptr);
  };
  compare(name + " Function", stream, pairs, launches, raw, [&] { function(config, args...); });
  compare(name + " TypedFunction", stream, pairs, launches, raw, [&] { typed(config, args...); });
  compare(name + " PreparedFunction", stream, pairs, launches, raw,
          [&] { prepared.prepared_async_call(1, stream, args...); });
}

template <std::size_t... indices>
void compare_count(const kiln::Module& module, const kiln::Stream& stream, int pairs, [[maybe_unused]] float* pointer,
                   std::index_sequence<indices...>) {
  compare_kernel("k" + std::to_string(sizeof...(indices)), module, stream, pairs, argument<indices>(pointer)...);
}

/// Host memory to the device, a kernel, and back.
void compare_round_trip(const kiln::Module& module, const kiln::Stream& stream, int pairs) {
  const auto allocate = driver_function<decltype(cuMemAllocAsync)>(nullptr, "cuMemAllocAsync");
  const auto free_memory = driver_function<decltype(cuMemFreeAsync)>(nullptr, "cuMemFreeAsync");
  const auto copy_in = driver_function<decltype(cuMemcpyHtoDAsync)>(nullptr, "cuMemcpyHtoDAsync_v2");
  const auto copy_out = driver_function<decltype(cuMemcpyDtoHAsync)>(nullptr, "cuMemcpyDtoHAsync_v2");
  const auto launch_kernel = driver_function<decltype(cuLaunchKernel)>(nullptr, "cuLaunchKernel");
  const auto synchronize = driver_function<decltype(cuStreamSynchronize)>(nullptr, "cuStreamSynchronize");
  const kiln::Function function = module.get_function("add_one");
  const kiln::PreparedFunction prepared = function.prepare("PPi", 32);
  const CUfunction handle = function_of(function);
  const std::vector<float> in(1024, 1);
  std::vector<float> out(in.size());
  int count = static_cast<int>(in.size());
  const std::size_t bytes = in.size() * sizeof(float);
  const auto raw = [&] {
    CUdeviceptr device_in = 0;
    CUdeviceptr device_out = 0;
    check(allocate(&device_in, bytes, stream), "cuMemAllocAsync");
    check(allocate(&device_out, bytes, stream), "cuMemAllocAsync");
    check(copy_in(device_in, in.data(), bytes, stream), "cuMemcpyHtoDAsync");
    void* pointers[] = {&device_in, &device_out, &count};
    check(launch_kernel(handle, 1, 1, 1, 32, 1, 1, 0, stream, pointers, nullptr), "cuLaunchKernel");
    check(copy_out(out.data(), device_out, bytes, stream), "cuMemcpyDtoHAsync");
    check(free_memory(device_in, stream), "cuMemFreeAsync");
    check(free_memory(device_out, stream), "cuMemFreeAsync");
    check(synchronize(stream), "cuStreamSynchronize");
  };
  compare("In and Out of 4 KiB", stream, pairs, round_trips, raw, [&] {
    prepared.prepared_call(kiln::LaunchConfig{1, 32, 0, stream}, kiln::In(in), kiln::Out(out), count);
  });
}

void compare_timed(const kiln::Module& module, const kiln::Stream& stream, int pairs) {
  const auto record = driver_function<decltype(cuEventRecord)>(nullptr, "cuEventRecord");
  const auto launch_kernel = driver_function<decltype(cuLaunchKernel)>(nullptr, "cuLaunchKernel");
  const auto synchronize = driver_function<decltype(cuEventSynchronize)>(nullptr, "cuEventSynchronize");
  const auto elapsed = driver_function<decltype(cuEventElapsedTime)>(nullptr, "cuEventElapsedTime");
  const kiln::Function function = module.get_function("k0");
  const kiln::PreparedFunction prepared = function.prepare("", 32);
  const CUfunction handle = function_of(function);
  const kiln::Event start;
  const kiln::Event end;
  const auto raw = [&] {
    float milliseconds = 0;
    check(record(start, stream), "cuEventRecord");
    check(launch_kernel(handle, 1, 1, 1, 32, 1, 1, 0, stream, nullptr, nullptr), "cuLaunchKernel");
    check(record(end, stream), "cuEventRecord");
    check(synchronize(end), "cuEventSynchronize");
    check(elapsed(&milliseconds, start, end), "cuEventElapsedTime");
  };
  const kiln::LaunchConfig config{1, 32, 0, stream};
  compare("Function::timed", stream, pairs, timed_calls, raw, [&] { (void)function.timed(config); });
  compare("prepared_timed_call", stream, pairs, timed_calls, raw, [&] { (void)prepared.prepared_timed_call(config); });
}

}  // namespace

int main(int argc, char** argv) try {
  const int pairs = argc > 1 ? std::atoi(argv[1]) : 201;
  if (!make_context()) {
    std::puts("launch: skipped, there is no driver with a device (KILN_DRIVER may name one)");
    return 0;
  }
  const ScratchFolder scratch;
  const kiln::SourceModule module(source(), kiln::CompileOptions{}.with_caching({scratch.path()}));
  const kiln::Stream stream = kiln::Stream::non_blocking();
  kiln::DeviceBuffer<float> buffer(1024);
  float* const p = buffer.data();
  compare_count(module, stream, pairs, p, std::make_index_sequence<0>());
  compare_count(module, stream, pairs, p, std::make_index_sequence<1>());
  compare_count(module, stream, pairs, p, std::make_index_sequence<4>());
  compare_count(module, stream, pairs, p, std::make_index_sequence<16>());
  compare_count(module, stream, pairs, p, std::make_index_sequence<64>());
  static const Body body = {};
  compare_kernel("body", module, stream, pairs, body);
  compare_round_trip(module, stream, pairs);
  compare_timed(module, stream, pairs);
  return 0;
} catch (const std::exception& error) {
  std::fprintf(stderr, "launch: %s\n", error.what());
  return 1;
}
