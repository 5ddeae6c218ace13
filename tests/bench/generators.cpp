// Generated kernels: device time by events at several sizes, beside a copy from device to device; and what a call costs
// the host beside the launch of a kernel with as many arguments. `generators_cub.cu` has CUB's figures. Needs a GPU.
// Usage: generators [repeats]
#include "measure.hpp"

#include <kiln/kiln.hpp>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

using namespace kiln::bench;

namespace {

constexpr std::size_t large = std::size_t{1} << 28U;
constexpr std::size_t sizes[] = {std::size_t{1} << 10U, std::size_t{1} << 20U, large};

struct Two {
  float least, most;
};
struct Three {
  int a, b, c;
};

/// Device memory whose beginning is a vector of any length.
template <class T>
struct View {
  T* address;
  std::size_t count;
  std::size_t size() const { return count; }
};

}  // namespace

template <class T>
struct kiln::DevicePointer<View<T>> {
  static T* get(const View<T>& view) { return view.address; }
};

namespace {

struct Bench {
  int repeats;
  kiln::Stream stream = kiln::Stream::non_blocking();
  kiln::DeviceBuffer<float> x{large}, y{large};
  kiln::DeviceBuffer<char> flush{std::size_t{256} << 20U};

  /// Median microseconds on the device of what `work` puts into the stream.
  double microseconds(const std::function<void()>& work) {
    std::vector<double> times;
    kiln::Event begin, end;
    for (int k = 0; k < repeats + 3; ++k) {
      flush.fill(0, stream);  // nothing of the vectors stays in the L2 cache
      begin.record(stream);
      work();
      end.record(stream).synchronize();
      if (k >= 3) times.push_back(static_cast<double>(begin.time_till(end)) * 1e3);
    }
    return median(times);
  }
  template <class Work>
  void row(const char* name, double bytes_of_element, const Work& work) {
    std::printf("%-34s", name);
    for (const std::size_t n : sizes) {
      const double time = microseconds([&] { work(n); });
      std::printf("  %9.1f us %7.0f GB/s", time, bytes_of_element * static_cast<double>(n) / time * 1e-3);
    }
    std::printf("\n");
    std::fflush(stdout);
  }
  template <class T = float>
  View<T> of_x(std::size_t n) {
    return {reinterpret_cast<T*>(x.data()), n};
  }
  template <class T = float>
  View<T> of_y(std::size_t n) {
    return {reinterpret_cast<T*>(y.data()), n};
  }
};

void device_times(Bench& bench) {
  const kiln::ElementwiseKernel axpy("float a, const float* x, float* y", "y[i] = a * x[i] + y[i]", {.name = "axpy"});
  const kiln::ElementwiseKernel add("const float* x, const float* y, float* z", "z[i] = x[i] + y[i]", {.name = "add"});
  const kiln::ReductionKernel<float> sum({.neutral = "0", .reduce_expr = "a + b", .name = "sum"});
  const kiln::ReductionKernel<float> dot({.neutral = "0",
                                          .reduce_expr = "a + b",
                                          .map_expr = "x[i] * y[i]",
                                          .arguments = "const float* x, const float* y",
                                          .name = "dot"});
  const kiln::ReductionKernel<Two> range({.neutral = "make_float2(INFINITY, -INFINITY)",
                                          .reduce_expr = "make_float2(fminf(a.x, b.x), fmaxf(a.y, b.y))",
                                          .map_expr = "make_float2(x[i], x[i])",
                                          .arguments = "const float* x",
                                          .type = "float2",
                                          .name = "range"});
  const kiln::InclusiveScanKernel<float> scan("a + b");
  const kiln::InclusiveScanKernel<Three> scan_of_three(
      "Three{a.a + b.a, a.b + b.b, a.c + b.c}",
      {.type = "Three", .name = "three", .preamble = "struct Three { int a, b, c; };"});
  const kiln::ElementwiseConfig here{.stream = bench.stream};
  const kiln::ReductionConfig reduce_here{.stream = bench.stream};
  const kiln::ScanConfig scan_here{.stream = bench.stream};
  const auto x = [&](std::size_t n) { return bench.of_x(n); };
  const auto y = [&](std::size_t n) { return bench.of_y(n); };
  bench.row("copy, device to device", 8, [&](std::size_t n) {
    kiln::memcpy_dtod_async(bench.y.device_pointer(), bench.x.device_pointer(), n * sizeof(float), bench.stream);
  });
  bench.row("axpy", 12, [&](std::size_t n) { axpy(here, 2.0f, x(n), y(n)); });
  bench.row("add in place", 12, [&](std::size_t n) { add(here, x(n), y(n), y(n)); });
  bench.row("axpy, x one element further", 12, [&](std::size_t n) {
    axpy(here, 2.0f, View<float>{bench.x.data() + 1, n - 1}, View<float>{bench.y.data(), n - 1});
  });
  bench.row("sum", 4, [&](std::size_t n) { (void)sum(reduce_here, x(n)); });
  bench.row("dot", 8, [&](std::size_t n) { (void)dot(reduce_here, x(n), y(n)); });
  bench.row("min and max", 4, [&](std::size_t n) { (void)range(reduce_here, x(n)); });
  bench.row("inclusive scan of float", 8, [&](std::size_t n) { scan(scan_here, x(n), y(n)); });
  bench.row("inclusive scan of 12 bytes (n / 4)", 6,
            [&](std::size_t n) { scan_of_three(scan_here, bench.of_x<Three>(n / 4), bench.of_y<Three>(n / 4)); });
}

/// Nanoseconds of a call, the median over rounds of many.
template <class Work>
double call_time(Bench& bench, const Work& work) {
  constexpr int calls = 500;
  std::vector<double> times;
  for (int round = 0; round < 21; ++round) {
    bench.stream.synchronize();
    times.push_back(nanoseconds([&] {
                      for (int k = 0; k < calls; ++k) work();
                    }) /
                    calls);
  }
  return median(times);
}

void call_times(Bench& bench) {
  constexpr std::size_t n = 1024;
  const kiln::SourceModule module(
      "__global__ void axpy(float a, const float* x, float* y, long n) { long i = blockIdx.x * blockDim.x + "
      "threadIdx.x;"
      " if (i < n) y[i] = a * x[i] + y[i]; }");
  const kiln::Function plain = module.get_function("axpy");
  const kiln::ElementwiseKernel axpy("float a, const float* x, float* y", "y[i] = a * x[i] + y[i]", {.name = "axpy"});
  const auto typed = axpy.typed<void(float, const float*, float*)>();
  const kiln::ReductionKernel<float> sum({.neutral = "0", .reduce_expr = "a + b", .name = "sum"});
  const kiln::InclusiveScanKernel<float> scan("a + b");
  const View<float> x = bench.of_x(n), y = bench.of_y(n);
  const kiln::LaunchConfig config{.grid = 4, .block = 256, .stream = bench.stream};
  const kiln::ElementwiseConfig here{.stream = bench.stream};
  const auto say = [&](const char* name, double time) { std::printf("%-34s  %7.0f ns\n", name, time); };
  std::printf("a call, on the host:\n");
  say("Function, 4 arguments", call_time(bench, [&] { plain(config, 2.0f, x.address, y.address, long{n}); }));
  say("ElementwiseKernel", call_time(bench, [&] { axpy(here, 2.0f, x, y); }));
  say("TypedElementwiseKernel", call_time(bench, [&] { typed(here, 2.0f, x, y); }));
  say("ReductionKernel", call_time(bench, [&] { (void)sum({.stream = bench.stream}, x); }));
  say("InclusiveScanKernel", call_time(bench, [&] { scan({.stream = bench.stream}, x, y); }));
  say("Function, again", call_time(bench, [&] { plain(config, 2.0f, x.address, y.address, long{n}); }));
}

}  // namespace

int main(int argc, char** argv) try {
  if (kiln::Device::count() == 0) {
    std::puts("generators: skipped, there is no driver with a device");
    return 0;
  }
  const ScratchFolder scratch;
  setenv("KILN_CACHE_DIR", scratch.path().c_str(), 1);
  kiln::Device(0).make_current();
  Bench bench{argc > 1 ? std::atoi(argv[1]) : 30};
  bench.x.fill(1.0f);
  bench.y.fill(1.0f);
  device_times(bench);
  call_times(bench);
  return 0;
} catch (const std::exception& error) {
  std::fprintf(stderr, "generators: %s\n", error.what());
  return 1;
}
