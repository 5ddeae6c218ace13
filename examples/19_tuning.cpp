// Tuning: seven kernels whose block sizes, tiles and unrolling are left open, and what the fastest values are here.
//
//   19_tuning [--small] [--variants N] [--strategy exhaustive|random|annealing] [--seed N] [--log FOLDER]
//             [--cache FOLDER] [--repetitions N] [--keep-all] [--warm] [--json] [KERNEL...]
//
// Results of a GPU are kept in wisdom (KILN_WISDOM_DIR): later launches of these kernels, by any program with their
// keys, use them.
#include "find_device.hpp"

#include <kiln/kiln.hpp>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>
#include <string>
#include <vector>

namespace {

struct Arguments {
  bool small = false;  // problems for the emulator
  bool json = false;
  std::string log_folder;
  std::string cache_folder;  // files for kernel_tuner's tools
  std::vector<std::string> kernels;
  kiln::TuneOptions options;
};

std::filesystem::path source_file(const std::string& name) {
  return std::filesystem::path(KERNEL_FOLDER) / (name + ".cu");
}

/// Numbers that add up without rounding, whatever the order.
std::vector<float> small_numbers(std::size_t count) {
  std::vector<float> values(count);
  for (std::size_t i = 0; i < count; ++i) values[i] = static_cast<float>((i * 7 + i / 11) % 16);
  return values;
}

std::string text(const kiln::TuneConfiguration& configuration) {
  std::string text;
  for (const auto& [name, value] : configuration) text += (text.empty() ? "" : " ") + name + "=" + value.text();
  return text;
}

void print(const std::string& name, const kiln::TuneResult& result, bool json) {
  const double best = result.best ? result.best->seconds : 0;
  const double first = result.of_default ? result.of_default->seconds : 0;
  const std::size_t ok = result.count(kiln::TuneStatus::ok);
  if (json) {
    std::printf(
        R"({"kernel":"%s","valid":%zu,"tried":%zu,"ok":%zu,"best_us":%.3f,"default_us":%.3f,"configuration":"%s",)"
        R"("seconds":%.3f,"compile_seconds":%.3f,"wait_seconds":%.3f,"measure_seconds":%.3f})"
        "\n",
        name.c_str(), result.valid, result.candidates.size(), ok, best * 1e6, first * 1e6,
        result.best ? text(result.best->configuration).c_str() : "", result.seconds, result.compile_seconds,
        result.wait_seconds, result.measure_seconds);
    return;
  }
  std::printf("%s: %zu of %zu configurations tried, %zu are good\n", name.c_str(), result.candidates.size(),
              result.valid, ok);
  std::printf("  default %.1f us, best %.1f us: %s\n", first * 1e6, best * 1e6,
              result.best ? text(result.best->configuration).c_str() : "none");
  std::printf("  %.2f s: waited for compiles %.2f, measured %.2f\n", result.seconds, result.wait_seconds,
              result.measure_seconds);
}

void write(const std::string& path, const std::string& text) {
  std::ofstream file(path);
  if (!(file << text).flush()) throw kiln::Error(path + " cannot be written");
}

/// Tunes one kernel on its arguments and prints what was found. Whether there is a best one.
template <class... Args>
bool tune(const Arguments& arguments, const kiln::TunableKernel& kernel, const kiln::ProblemSize& problem,
          const Args&... args) {
  kiln::TuneOptions options = arguments.options;
  if (!arguments.log_folder.empty()) options.log_file = arguments.log_folder + "/" + kernel.name() + ".jsonl";
  const kiln::TuneResult result = kiln::tune(kernel, problem, kiln::TuneArguments(args...), options);
  print(kernel.name(), result, arguments.json);
  if (!arguments.cache_folder.empty())
    write(arguments.cache_folder + "/" + kernel.name() + ".json", kiln::kernel_tuner_cache(kernel, problem, result));
  return result.best.has_value();
}

kiln::TunableKernel kernel_of(const std::string& name) {
  return kiln::TunableKernel::from_file(source_file(name), name);
}

bool vector_add(const Arguments& arguments) {
  kiln::TunableKernel kernel = kernel_of("vector_add");
  kernel.tune("BLOCK", {32, 64, 96, 128, 192, 256, 384, 512, 768, 1024}).tune("PER_THREAD", {1, 2, 4, 8});
  kernel.tune("VECTOR", {1, 2, 4});
  kernel.block_size("BLOCK").grid_size("ceil_div(problem_x, BLOCK * PER_THREAD * VECTOR)");
  const int n = arguments.small ? 10'001 : 50'000'001;
  const kiln::DeviceBuffer<float> a(small_numbers(static_cast<std::size_t>(n))), b(a.to_host());
  kiln::DeviceBuffer<float> c(a.size());
  return tune(arguments, kernel, n, c, a, b, n);
}

bool matmul(const Arguments& arguments) {
  kiln::TunableKernel kernel = kernel_of("matmul");
  kernel.tune("BLOCK_X", {8, 16, 32}).tune("BLOCK_Y", {4, 8, 16, 32}).tune("WORK_X", {1, 2, 4});
  kernel.tune("WORK_Y", {1, 2, 4, 8}).tune("TILE_K", {8, 16, 32});
  kernel.restriction("BLOCK_X * BLOCK_Y >= 64");
  kernel.restriction("(BLOCK_Y * WORK_Y + BLOCK_X * WORK_X) * TILE_K * 4 <= max_shared_memory_per_block");
  kernel.default_configuration({{"BLOCK_X", 16}, {"BLOCK_Y", 16}, {"WORK_X", 1}, {"WORK_Y", 1}, {"TILE_K", 16}});
  kernel.block_size("BLOCK_X", "BLOCK_Y");
  kernel.grid_size("ceil_div(problem_x, BLOCK_X * WORK_X)", "ceil_div(problem_y, BLOCK_Y * WORK_Y)");
  const int n = arguments.small ? 70 : 2048;
  const auto count = static_cast<std::size_t>(n) * static_cast<std::size_t>(n);
  const kiln::DeviceBuffer<float> a(small_numbers(count)), b(a.to_host());
  kiln::DeviceBuffer<float> c(count);
  return tune(arguments, kernel, {n, n}, c, a, b, n);
}

bool convolution(const Arguments& arguments) {
  kiln::TunableKernel kernel = kernel_of("convolution");
  kernel.tune("BLOCK_X", {16, 32, 64, 128}).tune("BLOCK_Y", {1, 2, 4, 8, 16}).tune("WORK_X", {1, 2, 4});
  kernel.tune("WORK_Y", {1, 2, 4}).tune("SHARED", {0, 1});
  kernel.restriction("BLOCK_X * BLOCK_Y >= 32");
  kernel.restriction("!SHARED || (BLOCK_X * WORK_X + 8) * (BLOCK_Y * WORK_Y + 8) * 4 <= max_shared_memory_per_block");
  kernel.block_size("BLOCK_X", "BLOCK_Y");
  kernel.grid_size("ceil_div(problem_x, BLOCK_X * WORK_X)", "ceil_div(problem_y, BLOCK_Y * WORK_Y)");
  const int width = arguments.small ? 101 : 4096, height = arguments.small ? 37 : 4096;
  const auto count = static_cast<std::size_t>(width) * static_cast<std::size_t>(height);
  const kiln::DeviceBuffer<float> in(small_numbers(count)), filter(small_numbers(81));
  kiln::DeviceBuffer<float> out(count);
  return tune(arguments, kernel, {width, height}, out, in, filter, width, height);
}

bool stencil(const Arguments& arguments) {
  kiln::TunableKernel kernel = kernel_of("stencil");
  kernel.tune("BLOCK_X", {16, 32, 64, 128, 256}).tune("BLOCK_Y", {1, 2, 4, 8, 16}).tune("WORK_Z", {1, 2, 4, 8, 16});
  kernel.tune("REUSE", {0, 1});
  kernel.block_size("BLOCK_X", "BLOCK_Y");
  kernel.grid_size("ceil_div(problem_x, BLOCK_X)", "ceil_div(problem_y, BLOCK_Y)", "ceil_div(problem_z, WORK_Z)");
  const int n = arguments.small ? 21 : 384;
  const auto side = static_cast<std::size_t>(n);
  const kiln::DeviceBuffer<float> in(small_numbers(side * side * side));
  kiln::DeviceBuffer<float> out(std::vector<float>(in.size(), 0));
  return tune(arguments, kernel, {n, n, n}, out, in, n);
}

bool reduction(const Arguments& arguments) {
  kiln::TunableKernel kernel = kernel_of("reduction");
  kernel.tune("BLOCK", {32, 64, 128, 256, 512, 1024}).tune("PER_THREAD", {1, 2, 4, 8, 16, 32});
  kernel.tune("VECTOR", {1, 2, 4}).tune("SHUFFLE", {0, 1});
  kernel.block_size("BLOCK").grid_size("ceil_div(problem_x, BLOCK * PER_THREAD * VECTOR)");
  const int n = arguments.small ? 10'001 : 50'000'001;
  // The sum is a number that a float has exactly, in whatever order it is added up.
  std::vector<float> values(static_cast<std::size_t>(n), 0);
  for (std::size_t i = 0; i < values.size(); i += 8) values[i] = 1;
  const kiln::DeviceBuffer<float> in(values);
  kiln::DeviceBuffer<float> sum(std::vector<float>{0});
  return tune(arguments, kernel, n, sum, in, n);
}

bool transpose(const Arguments& arguments) {
  kiln::TunableKernel kernel = kernel_of("transpose");
  kernel.tune("TILE", {8, 16, 32, 64}).tune("ROWS", {1, 2, 4, 8, 16, 32}).tune("PADDING", {0, 1});
  kernel.tune("SWIZZLE", {0, 1}).tune("READ_ONLY", {0, 1}).restriction("ROWS <= TILE");
  kernel.block_size("TILE", "ROWS").grid_size("ceil_div(problem_x, TILE)", "ceil_div(problem_y, TILE)");
  const int width = arguments.small ? 101 : 8192, height = arguments.small ? 70 : 8192;
  const auto count = static_cast<std::size_t>(width) * static_cast<std::size_t>(height);
  const kiln::DeviceBuffer<float> in(small_numbers(count));
  kiln::DeviceBuffer<float> out(count);
  return tune(arguments, kernel, {width, height}, out, in, width, height);
}

bool histogram(const Arguments& arguments) {
  kiln::TunableKernel kernel = kernel_of("histogram");
  kernel.tune("BLOCK", {64, 128, 256, 512, 1024}).tune("PER_THREAD", {1, 4, 16, 64}).tune("COPIES", {1, 2, 4, 8});
  kernel.tune("VECTOR", {1, 4});
  kernel.block_size("BLOCK").grid_size("ceil_div(problem_x, BLOCK * PER_THREAD * VECTOR)");
  const int n = arguments.small ? 10'001 : 100'000'001;
  std::vector<unsigned char> bytes(static_cast<std::size_t>(n));
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<unsigned char>(i * 2654435761U >> 13);
  const kiln::DeviceBuffer<unsigned char> in(bytes);
  kiln::DeviceBuffer<unsigned> bins(std::vector<unsigned>(256, 0));
  return tune(arguments, kernel, n, bins, in, n);
}

struct Case {
  const char* name;
  bool (*run)(const Arguments&);
};
constexpr Case cases[] = {{"vector_add", vector_add}, {"matmul", matmul},       {"convolution", convolution},
                          {"stencil", stencil},       {"reduction", reduction}, {"transpose", transpose},
                          {"histogram", histogram}};

kiln::TuneStrategy strategy_of(const std::string& name) {
  if (name == "exhaustive") return kiln::TuneStrategy::exhaustive;
  if (name == "random") return kiln::TuneStrategy::random;
  if (name == "annealing") return kiln::TuneStrategy::annealing;
  throw kiln::Error("there is no strategy " + name + ": exhaustive, random, annealing");
}

Arguments read(int argc, char** argv) {
  Arguments arguments;
  for (int i = 1; i < argc; ++i) {
    const std::string option = argv[i];
    const auto value = [&] {
      if (i + 1 == argc) throw kiln::Error(option + " needs a value");
      return std::string(argv[++i]);
    };
    if (option == "--small")
      arguments.small = true;
    else if (option == "--json")
      arguments.json = true;
    else if (option == "--variants")
      arguments.options.max_variants = std::stoul(value());
    else if (option == "--seed")
      arguments.options.seed = std::stoul(value());
    else if (option == "--strategy")
      arguments.options.strategy = strategy_of(value());
    else if (option == "--repetitions")
      arguments.options.min_repetitions = arguments.options.max_repetitions = std::stoul(value());
    else if (option == "--keep-all")
      arguments.options.give_up_factor = std::numeric_limits<double>::infinity();
    else if (option == "--warm")
      arguments.options.flush_l2 = false;
    else if (option == "--log")
      arguments.log_folder = value();
    else if (option == "--cache")
      arguments.cache_folder = value();
    else
      arguments.kernels.push_back(option);
  }
  return arguments;
}

}  // namespace

int main(int argc, char** argv) try {
  find_device();
  const Arguments arguments = read(argc, argv);
  bool is_good = true;
  for (const Case& one : cases) {
    const auto& wanted = arguments.kernels;
    if (wanted.empty() || std::find(wanted.begin(), wanted.end(), one.name) != wanted.end())
      is_good = one.run(arguments) && is_good;
  }
  return is_good ? EXIT_SUCCESS : EXIT_FAILURE;
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return EXIT_FAILURE;
}
