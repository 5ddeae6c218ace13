// Generated kernels in new processes that have a context. First use: nothing knows the source, but the headers that its
// types need were compiled before. Warm start: its code is on disk; beside a SourceModule of the same text. Each
// process measures one constructor. Needs a driver, which may be the emulator. Usage: generator_start [rounds]
#include "own_processes.hpp"
#include "raw_driver.hpp"

#include <kiln/kiln.hpp>

#include <algorithm>
#include <complex>
#include <fstream>
#include <string>
#include <vector>

using namespace kiln::bench;

namespace {

/// Constructs one, whose name makes it another source, and returns its text.
struct Kind {
  const char* name;
  std::string (*make)(const std::string& kernel);
};

std::string axpy_of(const std::string& type, const std::string& kernel) {
  return kiln::ElementwiseKernel(type + " a, const " + type + "* x, " + type + "* y", "y[i] = a * x[i] + y[i]",
                                 {.name = kernel})
      .source();
}
template <class T>
std::string sum_of(const std::string& kernel) {
  return kiln::ReductionKernel<T>({.neutral = "0", .reduce_expr = "a + b", .name = kernel}).source();
}
template <class T>
std::string scan_of(const std::string& kernel) {
  return kiln::InclusiveScanKernel<T>("a + b", {.name = kernel}).source();
}

constexpr Kind kinds[] = {
    {"ElementwiseKernel, float", [](const std::string& kernel) { return axpy_of("float", kernel); }},
    {"ElementwiseKernel, __half", [](const std::string& kernel) { return axpy_of("__half", kernel); }},
    {"ReductionKernel<float>", sum_of<float>},
    {"ReductionKernel<std::complex<float>>", sum_of<std::complex<float>>},
    {"InclusiveScanKernel<float>", scan_of<float>},
    {"InclusiveScanKernel<std::complex<float>>", scan_of<std::complex<float>>},
};

/// "--kernel KIND NAME FILE" leaves the text in the file; "--module NAME FILE" compiles that as it is.
int child(const std::vector<std::string>& arguments) {
  if (!make_context()) return 1;
  double time = 0;
  if (arguments[0] == "--kernel") {
    std::string text;
    time = nanoseconds([&] { text = kinds[std::stoul(arguments.at(1))].make(arguments.at(2)); });
    std::ofstream(arguments.at(3), std::ios::binary) << text;
  } else {
    const std::string text = read_whole(arguments.at(2));
    time = nanoseconds([&] { (void)kiln::SourceModule(text).get_function(arguments.at(1)); });
  }
  return send({Clock::now(), time / 1e6});
}

double milliseconds(const std::vector<std::string>& arguments) {
  OwnProcess process(arguments);
  process.finish();
  wait_for_descendants();
  return process.report().first;
}

/// Cells of the table: medians.
void measure(std::size_t kind, int rounds) {
  const ScratchFolder scratch;
  ::setenv("KILN_CACHE_DIR", (scratch.path() / "cache").c_str(), 1);
  ::setenv("KILN_PCH_DIR", (scratch.path() / "pch").c_str(), 1);
  ::setenv("KILN_PCH", "on", 1);
  const std::string file = (scratch.path() / "text.cu").string();
  const auto kernel = [&](int number) {
    return std::vector<std::string>{"--kernel", std::to_string(kind), "kernel_" + std::to_string(number), file};
  };
  std::vector<double> first, warm, module;
  const double unknown = milliseconds(kernel(0));
  for (int round = 1; round <= rounds; ++round) first.push_back(milliseconds(kernel(round)));
  const std::vector<std::string> as_module = {"--module", "kernel_" + std::to_string(rounds), file};
  milliseconds(as_module);  // has options of its own, so code of its own
  for (int round = 0; round < rounds; ++round) {
    warm.push_back(milliseconds(kernel(rounds)));
    module.push_back(milliseconds(as_module));
  }
  std::printf("| %s | %.0f | %.0f | %.2f | %.2f |\n", kinds[kind].name, unknown, median(first), median(warm),
              median(module));
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc > 1 && argv[1][0] == '-') return child({argv + 1, argv + argc});
  if (!make_context()) {
    std::puts("generator_start: skipped, there is no driver with a device (KILN_DRIVER may name one)");
    return 0;
  }
  adopt_orphans();
  std::printf(
      "| ms | first use, unknown headers | known headers | warm start | of a SourceModule |\n|---|---|---|---|---|\n");
  for (std::size_t kind = 0; kind < std::size(kinds); ++kind) measure(kind, argc > 1 ? std::atoi(argv[1]) : 11);
  return 0;
} catch (const std::exception& error) {
  std::fprintf(stderr, "generator_start: %s\n", error.what());
  return 1;
}
