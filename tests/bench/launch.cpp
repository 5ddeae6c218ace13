// A launch by cuLaunchKernel and by Kiln, in turn, with 0, 4 and 10 arguments on a non-blocking stream, 500 launches
// between synchronisations. Usage: launch [pairs]
#include "measure.hpp"
#include "raw_driver.hpp"

#include <kiln/kiln.hpp>

using namespace kiln::bench;

namespace {

constexpr int launches = 500;

const char* const source = R"(
extern "C" __global__ void k0() {}
extern "C" __global__ void k4(float* a, float* b, float* c, int n) { if (n < 0) c[0] = a[0] + b[0]; }
extern "C" __global__ void k10(float* a, float* b, float* c, float* d, int n, int m, float x, float y, double z,
                               long long q) {
  if (n < 0) c[0] = a[0] + b[0] + d[0] + m + x + y + z + q;
})";

/// Nanoseconds a launch, from an idle stream, without the time that the device needs.
template <class Launch>
double measure_launches(const kiln::Stream& stream, const Launch& launch) {
  stream.synchronize();
  return nanoseconds([&] {
           for (int i = 0; i < launches; ++i) launch();
         }) /
         launches;
}

template <class Raw, class Kiln>
void compare(const char* name, const kiln::Stream& stream, int pairs, const Raw& raw, const Kiln& kiln) {
  std::vector<double> raw_times, kiln_times, ratios;
  for (int pair = 0; pair < pairs; ++pair) {
    // Each goes first in every other pair, so that neither always meets the colder device.
    double raw_time = 0;
    if (pair % 2 == 0) raw_time = measure_launches(stream, raw);
    const double kiln_time = measure_launches(stream, kiln);
    if (pair % 2 != 0) raw_time = measure_launches(stream, raw);
    raw_times.push_back(raw_time);
    kiln_times.push_back(kiln_time);
    ratios.push_back(kiln_time / raw_time);
  }
  stream.synchronize();
  std::printf("%-26s cuLaunchKernel %.0f ns, kiln %.0f ns, median ratio of %d pairs %.4f\n", name, median(raw_times),
              median(kiln_times), pairs, median(ratios));
}

CUfunction function_of(const kiln::Function& function) {
  CUfunction handle = nullptr;
  check(driver_function<decltype(cuKernelGetFunction)>(nullptr, "cuKernelGetFunction")(&handle, function.handle()),
        "cuKernelGetFunction");
  return handle;
}

/// Compares both of Kiln's forms with the raw call, for kernel `name` and these arguments.
template <class... Args>
void compare_kernel(const char* name, const kiln::Module& module, const kiln::Stream& stream, int pairs, Args... args) {
  const auto launch_kernel = driver_function<decltype(cuLaunchKernel)>(nullptr, "cuLaunchKernel");
  const kiln::Function function = module.get_function(name);
  const auto typed = module.get_function<void(Args...)>(name);
  const CUfunction handle = function_of(function);
  const kiln::LaunchConfig config{1, 32, 0, stream};
  const auto raw = [&] {
    void* pointers[] = {const_cast<void*>(static_cast<const void*>(&args))..., nullptr};
    launch_kernel(handle, 1, 1, 1, 32, 1, 1, 0, stream, pointers, nullptr);
  };
  compare((std::string(name) + " Function").c_str(), stream, pairs, raw, [&] { function(config, args...); });
  compare((std::string(name) + " TypedFunction").c_str(), stream, pairs, raw, [&] { typed(config, args...); });
}

}  // namespace

int main(int argc, char** argv) try {
  const int pairs = argc > 1 ? std::atoi(argv[1]) : 201;
  if (!make_context()) {
    std::puts("launch: skipped, there is no driver with a device (KILN_DRIVER may name one)");
    return 0;
  }
  const ScratchFolder scratch;
  const kiln::SourceModule module(source, kiln::CompileOptions{}.with_cache_dir(scratch.path()));
  const kiln::Stream stream = kiln::Stream::non_blocking();
  kiln::DeviceBuffer<float> buffer(1024);
  float* const p = buffer.data();
  compare_kernel("k0", module, stream, pairs);
  compare_kernel("k4", module, stream, pairs, p, p, p, 5);
  compare_kernel("k10", module, stream, pairs, p, p, p, p, 5, 3, 1.0F, 2.0F, 3.0, 4LL);
  return 0;
} catch (const std::exception& error) {
  std::fprintf(stderr, "launch: %s\n", error.what());
  return 1;
}
