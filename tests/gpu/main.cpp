// The tests that need a device: a GPU, or Kiln's emulator of one. Without either the program says so and exits with 77,
// which the test runner counts as skipped.
// Usage: gpu_tests [gpu-only | needs SUITE | generators | others] [doctest's options]
// gpu-only: those that the emulator cannot run; needs: those of a suite of needs.hpp; generators: those of kernels that
// Kiln writes; others, or nothing: all the others. Doctest's options alone choose from all.
#include "gpu_only.hpp"
#include "scratch_folder.hpp"

#include <cuda.h>
#include <doctest/doctest.h>
#include <kiln/kiln.hpp>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <string>
#include <utility>

namespace {

constexpr int skipped = 77;

using kiln::test::gpu_only_tests;

/// The sources of tests whose kernels are Kiln's own, which must be clean under all of the emulator's checks.
constexpr const char* generators =
    "*test_algorithms.cpp,*test_cumath.cpp,*test_dlpack.cpp,*test_elementwise.cpp,*test_generated_names.cpp,"
    "*test_generated_types.cpp,*test_other_vectors.cpp,*test_random.cpp,*test_reduction.cpp,*test_scan.cpp,"
    "*test_strided.cpp,*test_views.cpp";

struct Need {
  const char* suite;
  bool (*is_met)();
};

bool has_nvcc() {
  try {
    (void)kiln::compile("", kiln::CompileOptions{}.with_backend(kiln::Backend::nvcc).with_cache(false));
    return true;
  } catch (const kiln::ToolkitError&) {
    return false;
  }
}

bool has_two_devices() { return kiln::Device::count() >= 2; }

bool has_persisting_l2() {
  return kiln::Device::current().attribute(CU_DEVICE_ATTRIBUTE_MAX_PERSISTING_L2_CACHE_SIZE) > 0;
}

bool has_large_gpu() { return !kiln::test::on_emulator() && kiln::mem_get_info().free >= 12'000'000'000; }

constexpr Need needs[] = {
    {"two devices", has_two_devices},
    {"compute capability 9", [] { return kiln::Device::current().compute_capability().first >= 9; }},
    {"sm_90a", [] { return kiln::Device::current().compute_capability() == std::pair(9, 0); }},
    {"persisting L2", has_persisting_l2},
    {"two devices and persisting L2", [] { return has_two_devices() && has_persisting_l2(); }},
    {"GPU with 12 GB", has_large_gpu},
    {"nvcc", has_nvcc},
};

/// For doctest, which takes a comma for the end of a name.
std::string names() {
  std::string list;
  for (const auto& one : gpu_only_tests) {
    std::string name = one.test_case;
    std::replace(name.begin(), name.end(), ',', '?');
    list += (list.empty() ? "" : ",") + name;
  }
  return list;
}

int say_why_none_runs() {
  std::printf("skipped: %zu test cases need a GPU\n", gpu_only_tests.size());
  for (const auto& one : gpu_only_tests) std::printf("  %s: %s\n", one.test_case, one.reason);
  return skipped;
}

int run_needing(const std::string& suite, doctest::Context& tests) {
  const auto need =
      std::find_if(std::begin(needs), std::end(needs), [&](const Need& one) { return suite == one.suite; });
  if (need == std::end(needs)) return std::printf("no tests need %s\n", suite.c_str()), 2;
  if (!need->is_met()) return std::printf("skipped: this machine has not: %s\n", suite.c_str()), skipped;
  tests.addFilter("test-suite", need->suite);
  tests.addFilter("test-case-exclude", names().c_str());
  return tests.run();
}

void exclude_unmet(doctest::Context& tests) {
  for (const Need& need : needs)
    if (!need.is_met()) tests.addFilter("test-suite-exclude", need.suite);
}

int run_gpu_only(doctest::Context& tests) {
  if (kiln::test::on_emulator()) return say_why_none_runs();
  tests.addFilter("test-case", names().c_str());
  exclude_unmet(tests);
  return tests.run();
}

int run_chosen(doctest::Context& tests) {
  if (kiln::test::on_emulator()) tests.addFilter("test-case-exclude", names().c_str());
  exclude_unmet(tests);
  return tests.run();
}

/// `filter` is doctest's, of the generators' sources.
int run_all_others(const char* filter, doctest::Context& tests) {
  tests.addFilter(filter, generators);
  tests.addFilter("test-case-exclude", names().c_str());
  tests.addFilter("test-suite-exclude", "races on purpose");
  for (const Need& need : needs) tests.addFilter("test-suite-exclude", need.suite);
  return tests.run();
}

}  // namespace

int main(int argc, char** argv) {
  if (kiln::Device::count() == 0) {
    std::puts("skipped: this machine has no CUDA device, and KILN_DRIVER does not name the emulator");
    return skipped;
  }
  // A cache of this run's own, also for the programs that the tests start.
  const kiln::test::ScratchFolder cache;
  setenv("KILN_CACHE_DIR", cache.path().c_str(), 1);
  doctest::Context tests(argc, argv);
  const std::string word = argc > 1 ? argv[1] : "";
  if (word == "gpu-only") return run_gpu_only(tests);
  if (word == "needs" && argc > 2) return run_needing(argv[2], tests);
  if (word == "generators") return run_all_others("source-file", tests);
  return word.empty() || word == "others" ? run_all_others("source-file-exclude", tests) : run_chosen(tests);
}
