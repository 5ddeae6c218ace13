// Five kernels on what KILN_DRIVER says, with their results checked: a tiled product of matrices, n-body, CUB's sort by
// digits, stencils in two and three dimensions, a histogram. Seconds, and thread-instructions a second, on one core of
// the emulator and on all. Each in a process of its own, because the settings are read once. Usage:
// bench_emulator_kernels [matmul|nbody|sort|stencil|histogram [launches]]; with a kernel's name it runs in this
// process.
#include "emulator_kernels.hpp"
#include "measure.hpp"

#include <kiln/kiln.hpp>

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <random>
#include <string>
#include <vector>

namespace {

using kiln::bench::nanoseconds;

int launches = 3;

// Calls `launch` so many times and returns the fewest seconds. The first call is a warm-up.
double fewest_seconds(const kiln::Stream& stream, const std::function<void()>& launch) {
  double fewest = 1e9;
  for (int i = 0; i < launches; ++i) {
    const double time = nanoseconds([&] {
      launch();
      stream.synchronize();
    });
    fewest = std::min(fewest, time * 1e-9);
  }
  return fewest;
}

struct Result {
  double seconds = 0;
  bool correct = false;
};

bool close(float value, double expected, double scale) { return std::abs(value - expected) <= 1e-5 * scale; }

std::vector<float> random_floats(std::size_t count) {
  std::mt19937 engine(1);
  std::uniform_real_distribution<float> values(-1, 1);
  std::vector<float> all(count);
  for (float& each : all) each = values(engine);
  return all;
}

Result run_matmul() {
  constexpr unsigned n = 256, tile = 16;
  const kiln::SourceModule module(kiln::bench::matmul_source);
  const kiln::Function matmul = module.get_function("matmul");
  const std::vector<float> a = random_floats(n * n), b(a.rbegin(), a.rend());
  const kiln::DeviceBuffer<float> on_device_a(a), on_device_b(b);
  kiln::DeviceBuffer<float> product(n * n);
  const kiln::Stream stream;
  Result result{
      fewest_seconds(
          stream,
          [&] {
            matmul({{n / tile, n / tile}, {tile, tile}, 0, stream}, on_device_a, on_device_b, product, int{n});
          }),
      true};
  const std::vector<float> c = product.to_host();
  for (unsigned row = 0; row < n; ++row)
    for (unsigned column = row % 7; column < n; column += 7) {
      double sum = 0;
      for (unsigned k = 0; k < n; ++k) sum += double{a[row * n + k]} * double{b[k * n + column]};
      result.correct = result.correct && close(c[row * n + column], sum, n);
    }
  return result;
}

struct alignas(16) Four {
  float x, y, z, w;
};

Result run_nbody() {
  constexpr unsigned n = 2048, threads = 256;
  const kiln::SourceModule module(kiln::bench::nbody_source);
  const kiln::Function nbody = module.get_function("nbody");
  const std::vector<float> values = random_floats(std::size_t{n} * 4);
  std::vector<Four> bodies(n);
  std::memcpy(bodies.data(), values.data(), n * sizeof(Four));
  const kiln::DeviceBuffer<Four> on_device(bodies);
  kiln::DeviceBuffer<Four> accelerations(n);
  const kiln::Stream stream;
  Result result{fewest_seconds(stream,
                               [&] {
                                 nbody({n / threads, threads, 0, stream}, on_device, accelerations, int{n});
                               }),
                true};
  const std::vector<Four> found = accelerations.to_host();
  for (unsigned i = 0; i < n; i += 37) {
    double sum[3] = {}, size = 0;
    for (const Four& other : bodies) {
      const double d[3] = {double{other.x} - bodies[i].x, double{other.y} - bodies[i].y, double{other.z} - bodies[i].z};
      const double square = d[0] * d[0] + d[1] * d[1] + d[2] * d[2] + 1e-4;
      const double scale = other.w / (square * std::sqrt(square));
      for (int axis = 0; axis < 3; ++axis) sum[axis] += d[axis] * scale;
      size += std::abs(scale) * std::sqrt(square);
    }
    result.correct = result.correct && close(found[i].x, sum[0], size) && close(found[i].y, sum[1], size) &&
                     close(found[i].z, sum[2], size);
  }
  return result;
}

// Double of what a kernel computes in float, so it may differ by rounding.
std::vector<double> stencil_2d_on_host(const std::vector<float>& in, unsigned width, unsigned height) {
  std::vector<double> out(in.begin(), in.end());
  for (unsigned y = 1; y + 1 < height; ++y)
    for (unsigned x = 1; x + 1 < width; ++x) {
      const std::size_t i = std::size_t{y} * width + x;
      out[i] = 0.5 * in[i] + 0.125 * (double{in[i - 1]} + in[i + 1] + in[i - width] + in[i + width]);
    }
  return out;
}

std::vector<double> stencil_3d_on_host(const std::vector<float>& in, unsigned size) {
  const std::size_t row = size + 2, layer = row * row;
  std::vector<double> out(in.size(), 0);
  for (unsigned z = 1; z <= size; ++z)
    for (unsigned y = 1; y <= size; ++y)
      for (unsigned x = 1; x <= size; ++x) {
        const std::size_t i = z * layer + y * row + x;
        out[i] = 0.4 * in[i] +
                 0.1 * (double{in[i - 1]} + in[i + 1] + in[i - row] + in[i + row] + in[i - layer] + in[i + layer]);
      }
  return out;
}

bool all_close(const std::vector<float>& values, const std::vector<double>& expected) {
  return std::equal(values.begin(), values.end(), expected.begin(), expected.end(),
                    [](float value, double wanted) { return close(value, wanted, 1); });
}

Result run_stencil() {
  constexpr unsigned width = 1000, height = 500, size = 64, padded = (size + 2) * (size + 2) * (size + 2);
  const kiln::SourceModule module(kiln::bench::stencil_source);
  const kiln::Function flat = module.get_function("stencil_2d"), deep = module.get_function("stencil_3d");
  const std::vector<float> plane = random_floats(width * height), room = random_floats(padded);
  const kiln::DeviceBuffer<float> on_device_plane(plane), on_device_room(room);
  kiln::DeviceBuffer<float> new_plane(plane.size()), new_room(std::vector<float>(padded, 0.0F));
  const kiln::Stream stream;
  const double seconds = fewest_seconds(stream, [&] {
    flat({{(width + 31) / 32, (height + 7) / 8}, {32, 8}, 0, stream}, on_device_plane, new_plane, int{width},
         int{height});
    deep({{size / 32, size / 8}, {32, 8}, 0, stream}, on_device_room, new_room, int{size});
  });
  return {seconds, all_close(new_plane.to_host(), stencil_2d_on_host(plane, width, height)) &&
                       all_close(new_room.to_host(), stencil_3d_on_host(room, size))};
}

Result run_histogram() {
  constexpr unsigned count = 1 << 18, blocks = 32, threads = 256;
  const kiln::SourceModule module(kiln::bench::histogram_source);
  const kiln::Function histogram = module.get_function("histogram");
  std::vector<std::uint8_t> values(std::size_t{count} * 4);
  std::mt19937 engine(1);
  // Some values are more frequent than others, as those of pictures are.
  for (std::uint8_t& each : values) each = static_cast<std::uint8_t>((engine() & 0x7F) + (engine() & 0x7F));
  std::vector<unsigned> expected(256);
  for (const std::uint8_t each : values) ++expected[each];
  const kiln::DeviceBuffer<std::uint8_t> on_device(values);
  kiln::DeviceBuffer<unsigned> bins(256);
  const kiln::Stream stream;
  const double seconds = fewest_seconds(stream, [&] {
    bins.fill(0u, stream);
    histogram({blocks, threads, 0, stream}, on_device.device_pointer(), count, bins);
  });
  return {seconds, bins.to_host() == expected};
}

Result run_sort() {
  using namespace kiln::bench;
  constexpr unsigned count = 100'000, tiles = (count + sort_pass_items - 1) / sort_pass_items;
  kiln::CompileOptions options;
  options.name_expressions = {sort_histogram, sort_sums, sort_pass};
  const kiln::SourceModule module(sort_source, options);
  const kiln::Function digits = module.get_function(sort_histogram), sums = module.get_function(sort_sums),
                       pass = module.get_function(sort_pass);
  std::vector<unsigned> keys(count);
  std::mt19937 engine(1);
  for (unsigned& each : keys) each = static_cast<unsigned>(engine());
  const kiln::DeviceBuffer<unsigned> unsorted(keys);
  kiln::DeviceBuffer<unsigned> first(count), second(count), bins(sort_digits * sort_passes);
  kiln::DeviceBuffer<int> states(tiles * sort_digits), counters(sort_passes);
  const kiln::Stream stream;
  struct Empty {};
  const double seconds = fewest_seconds(stream, [&] {
    counters.fill(0, stream);
    bins.fill(0u, stream);
    digits({8, 128, 0, stream}, bins, unsorted, count, 0, 32, Empty{});
    sums({sort_passes, 256, 0, stream}, bins);
    for (unsigned i = 0; i < sort_passes; ++i) {
      const kiln::DeviceBuffer<unsigned>& from = i == 0 ? unsorted : i % 2 == 1 ? first : second;
      kiln::DeviceBuffer<unsigned>& to = i % 2 == 0 ? first : second;
      states.fill(0, stream);
      pass({tiles, sort_pass_threads, 0, stream}, states, counters.device_pointer() + i * sizeof(int), CUdeviceptr{0},
           bins.device_pointer() + i * sort_digits * sizeof(unsigned), to, from, CUdeviceptr{0}, CUdeviceptr{0},
           int{count}, static_cast<int>(i) * 8, 8, Empty{});
    }
  });
  std::sort(keys.begin(), keys.end());
  return {seconds, second.to_host() == keys};
}

struct Row {
  const char* name;
  Result (*run)();
};
constexpr Row rows[] = {{"matmul", run_matmul},
                        {"nbody", run_nbody},
                        {"sort", run_sort},
                        {"stencil", run_stencil},
                        {"histogram", run_histogram}};

// One line for the parent: the seconds, or nothing.
int run_here(const std::string& name) {
  for (const Row& row : rows) {
    if (name != row.name) continue;
    const Result result = row.run();
    if (!result.correct) {
      std::fprintf(stderr, "%s: wrong results\n", row.name);
      return 1;
    }
    std::printf("%.6f\n", result.seconds);
    return 0;
  }
  std::fprintf(stderr, "no such kernel: %s\n", name.c_str());
  return 2;
}

// What the program prints when it runs that kernel, with these changes of the environment. Empty if it fails.
std::string output_of(const char* name, int times, const std::string& environment) {
  const std::string own = std::filesystem::read_symlink("/proc/self/exe").string();
  const std::string command = "env " + environment + " '" + own + "' " + name + " " + std::to_string(times);
  FILE* const pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return "";
  char text[64] = {};
  const bool any = std::fgets(text, sizeof text, pipe) != nullptr;
  return pclose(pipe) == 0 && any ? text : "";
}

// Of one launch of the kernel, or of its kernels: by the emulator's profile. 0 on another driver.
double thread_instructions(const char* name) {
  const kiln::bench::ScratchFolder folder;
  const std::string file = folder.path() / "profile.json";
  output_of(name, 1, "KILN_EMULATOR_PROFILE='" + file + "'");
  const std::string report = kiln::bench::read_whole(file), key = "\"thread_inst_executed_true\":";
  double sum = 0;
  for (std::size_t totals = 0; (totals = report.find("\"totals\":", totals)) != std::string::npos; ++totals) {
    const std::size_t found = report.find(key, totals);
    if (found != std::string::npos) sum += std::strtod(report.c_str() + found + key.size(), nullptr);
  }
  return sum;
}

int run_all() {
  bool failed = false;
  for (const Row& row : rows) {
    const double instructions = thread_instructions(row.name);
    for (const char* cores : {"KILN_EMULATOR_CORES=1", "-u KILN_EMULATOR_CORES"}) {
      const std::string text = output_of(row.name, launches, cores);
      const double seconds = std::strtod(text.c_str(), nullptr);
      failed = failed || text.empty();
      std::printf("%-9s %-9s", row.name, cores[0] == 'K' ? "one core" : "all cores");
      if (text.empty())
        std::printf("  failed\n");
      else if (instructions > 0)
        std::printf("  %8.4f s  %.1f million thread-instructions, %.0f million a second\n", seconds,
                    instructions * 1e-6, instructions * 1e-6 / seconds);
      else
        std::printf("  %8.4f s\n", seconds);
      std::fflush(stdout);
    }
  }
  return failed ? 1 : 0;
}

}  // namespace

int main(int count, char** arguments) try {
  if (count > 2) launches = std::max(1, std::atoi(arguments[2]));
  return count > 1 ? run_here(arguments[1]) : run_all();
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
