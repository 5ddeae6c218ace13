// Generated kernels: device time by events at several sizes, beside a copy from device to device and kernels by hand;
// and what a call costs the host beside the launch of a kernel with as many arguments. Prints the tables of
// docs/generators.md, as generators_cub.cu and generators_peers.py do. Needs a GPU, or much time.
// Usage: generators [repeats [elements]], where the last column is of 2^28 elements by default
#include "mdspan_like.hpp"
#include "measure.hpp"

#include <kiln/kiln.hpp>

#include <cuda_fp16.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

using namespace kiln::bench;

namespace {

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

using Extents = mdspan_like::extents<long, mdspan_like::any, mdspan_like::any>;
using Matrix = mdspan_like::mdspan<float, Extents, mdspan_like::layout_stride>;

/// A square one.
Matrix matrix(float* address, long side, long of_row, long of_column) {
  return {address, {{{side, side}}, {of_row, of_column}}};
}

/// Of a square matrix with so many elements.
long side_of(std::size_t n) { return std::lround(std::sqrt(static_cast<double>(n))); }

}  // namespace

template <class T>
struct kiln::DevicePointer<View<T>> {
  static T* get(const View<T>& view) { return view.address; }
};

namespace {

struct Bench {
  int repeats;
  std::size_t large;
  kiln::Stream stream = kiln::Stream::non_blocking();
  kiln::DeviceBuffer<double> x{large}, y{large};
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
    std::printf("| %s |", name);
    for (const std::size_t n : {std::size_t{1} << 10U, std::size_t{1} << 20U})
      if (n < large) std::printf(" %.1f |", microseconds([&] { work(n); }));
    const double time = microseconds([&] { work(large); });
    std::printf(" %.0f |\n", bytes_of_element * static_cast<double>(large) / time * 1e-3);
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

constexpr const char* by_hand = R"(
__global__ void axpy4(float a, const float4* x, float4* y, long n) {
  const long i = (long)blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float4 u = x[i];
  float4 v = y[i];
  v.x += a * u.x, v.y += a * u.y, v.z += a * u.z, v.w += a * u.w;
  y[i] = v;
}
__global__ void every_other_column(const float* x, float* y, unsigned side) {
  const unsigned column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y;
  if (column < side) y[(long)row * side + column] = x[2 * ((long)row * side + column)];
}
__global__ void transpose(const float* x, float* y, unsigned side) {
  __shared__ float tile[32][33];
  const unsigned u = blockIdx.x * 32, v = blockIdx.y * 32;
  for (unsigned k = threadIdx.y; k < 32; k += 8) tile[k][threadIdx.x] = x[(long)(v + k) * side + u + threadIdx.x];
  __syncthreads();
  for (unsigned k = threadIdx.y; k < 32; k += 8) y[(long)(u + k) * side + v + threadIdx.x] = tile[threadIdx.x][k];
})";

void elementwise_times(Bench& bench) {
  const kiln::SourceModule module(by_hand);
  const kiln::Function axpy4 = module.get_function("axpy4");
  const kiln::ElementwiseKernel axpy("float a, const float* x, float* y", "y[i] = a * x[i] + y[i]", {.name = "axpy"});
  const kiln::ElementwiseKernel add("const float* x, const float* y, float* z", "z[i] = x[i] + y[i]", {.name = "add"});
  const kiln::ElementwiseKernel of_double("double a, const double* x, double* y", "y[i] = a * x[i] + y[i]");
  const kiln::ElementwiseKernel of_half("__half a, const __half* x, __half* y", "y[i] = a * x[i] + y[i]");
  const kiln::ElementwiseConfig here{.stream = bench.stream};
  const auto x = [&](std::size_t n) { return bench.of_x(n); };
  const auto y = [&](std::size_t n) { return bench.of_y(n); };
  bench.row("copy, device to device", 8, [&](std::size_t n) {
    kiln::memcpy_dtod_async(bench.y.device_pointer(), bench.x.device_pointer(), n * sizeof(float), bench.stream);
  });
  bench.row("axpy, by hand with float4", 12, [&](std::size_t n) {
    axpy4({.grid = (n / 4 + 255) / 256, .block = 256, .stream = bench.stream}, 2.0f, bench.of_x<float4>(n).address,
          bench.of_y<float4>(n).address, static_cast<long>(n / 4));
  });
  bench.row("axpy", 12, [&](std::size_t n) { axpy(here, 2.0f, x(n), y(n)); });
  bench.row("the same, x one element further", 12, [&](std::size_t n) {
    axpy(here, 2.0f, View<float>{x(n).address + 1, n - 1}, View<float>{y(n).address, n - 1});
  });
  bench.row("the same of double", 24,
            [&](std::size_t n) { of_double(here, 2.0, bench.of_x<double>(n), bench.of_y<double>(n)); });
  bench.row("the same of half", 6,
            [&](std::size_t n) { of_half(here, __float2half(2.0f), bench.of_x<__half>(n), bench.of_y<__half>(n)); });
  bench.row("add in place", 12, [&](std::size_t n) { add(here, x(n), y(n), y(n)); });
}

void strided_times(Bench& bench) {
  const kiln::SourceModule module(by_hand);
  const kiln::Function every_other_column = module.get_function("every_other_column");
  const kiln::Function transpose = module.get_function("transpose");
  const kiln::ElementwiseKernel axpy("float a, const float* x, float* y", "y[i] = a * x[i] + y[i]", {.name = "axpy"});
  const kiln::ElementwiseKernel copy("const float* x, float* y", "y[i] = x[i]", {.name = "copy"});
  const kiln::ElementwiseConfig here{.stream = bench.stream};
  const auto x = [&](long side, long of_row, long of_column) {
    return matrix(bench.of_x(0).address, side, of_row, of_column);
  };
  const auto y = [&](long side, long of_row, long of_column) {
    return matrix(bench.of_y(0).address, side, of_row, of_column);
  };
  bench.row("axpy of column-major matrices", 12, [&](std::size_t n) {
    const long side = side_of(n);
    axpy(here, 2.0f, x(side, 1, side), y(side, 1, side));
  });
  bench.row("every other column, by hand", 8, [&](std::size_t n) {
    const auto side = static_cast<unsigned>(side_of(n));
    every_other_column({.grid = {(side + 255) / 256, side}, .block = 256, .stream = bench.stream},
                       bench.of_x(n).address, bench.of_y(n).address, side);
  });
  bench.row("every other column", 8, [&](std::size_t n) {
    const long side = side_of(n);
    copy(here, x(side, 2 * side, 2), y(side, side, 1));
  });
  bench.row("transposed copy, by hand with tiles", 8, [&](std::size_t n) {
    const auto side = static_cast<unsigned>(side_of(n));
    transpose({.grid = {side / 32, side / 32}, .block = {32, 8}, .stream = bench.stream}, bench.of_x(n).address,
              bench.of_y(n).address, side);
  });
  bench.row("transposed copy", 8, [&](std::size_t n) {
    const long side = side_of(n);
    copy(here, x(side, 1, side), y(side, side, 1));
  });
}

void reduction_and_scan_times(Bench& bench) {
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
  const kiln::ReductionConfig here{.stream = bench.stream};
  const kiln::ScanConfig scan_here{.stream = bench.stream};
  const auto x = [&](std::size_t n) { return bench.of_x(n); };
  const auto y = [&](std::size_t n) { return bench.of_y(n); };
  bench.row("sum", 4, [&](std::size_t n) { (void)sum(here, x(n)); });
  bench.row("dot", 8, [&](std::size_t n) { (void)dot(here, x(n), y(n)); });
  bench.row("min and max in one pass", 4, [&](std::size_t n) { (void)range(here, x(n)); });
  bench.row("inclusive scan of float", 8, [&](std::size_t n) { scan(scan_here, x(n), y(n)); });
  bench.row("inclusive scan of 12 bytes (n / 4 values)", 6,
            [&](std::size_t n) { scan_of_three(scan_here, bench.of_x<Three>(n / 4), bench.of_y<Three>(n / 4)); });
}

struct Call {
  const char* name;
  std::function<void()> work;
  std::vector<double> times = {};
};

/// In turn, as some machines change their speed. The first is what the others are compared with.
void measure_calls(Bench& bench, std::vector<Call> all) {
  constexpr int calls = 500;
  for (int round = 0; round < 21; ++round) {
    for (Call& call : all) {
      bench.stream.synchronize();
      call.times.push_back(nanoseconds([&] {
                             for (int k = 0; k < calls; ++k) call.work();
                           }) /
                           calls);
    }
  }
  std::printf("\n| a call, on the host | us | over the first |\n|---|---|---|\n");
  for (const Call& call : all)
    std::printf("| %s | %.2f | %+.2f |\n", call.name, median(call.times) * 1e-3,
                (median(call.times) - median(all[0].times)) * 1e-3);
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
  measure_calls(bench, {{"Function, 4 arguments", [&] { plain(config, 2.0f, x.address, y.address, long{n}); }},
                        {"ElementwiseKernel", [&] { axpy(here, 2.0f, x, y); }},
                        {"TypedElementwiseKernel", [&] { typed(here, 2.0f, x, y); }},
                        {"ReductionKernel", [&] { (void)sum({.stream = bench.stream}, x); }},
                        {"InclusiveScanKernel", [&] { scan({.stream = bench.stream}, x, y); }}});
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
  Bench bench{argc > 1 ? std::atoi(argv[1]) : 20,
              argc > 2 ? std::strtoull(argv[2], nullptr, 10) : std::size_t{1} << 28U};
  bench.x.fill(1.0);
  bench.y.fill(1.0);
  std::printf("| what | 2^10, us | 2^20, us | 2^28, GB/s |\n|---|---|---|---|\n");
  elementwise_times(bench);
  strided_times(bench);
  reduction_and_scan_times(bench);
  call_times(bench);
  return 0;
} catch (const std::exception& error) {
  std::fprintf(stderr, "generators: %s\n", error.what());
  return 1;
}
