// The tests that need a device: a GPU, or Kiln's emulator of one. Without either the program says so and exits with 77,
// which the test runner counts as skipped. Usage: gpu_tests [gpu-only | doctest's options]; with the word, those
// that the emulator cannot run, and without it the others.
#define DOCTEST_CONFIG_IMPLEMENT
#include "gpu_only.hpp"
#include "scratch_folder.hpp"

#include <doctest/doctest.h>
#include <kiln/device.hpp>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>

namespace {

constexpr int skipped = 77;

using kiln::test::gpu_only_tests;

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

}  // namespace

int main(int argc, char** argv) {
  if (kiln::Device::count() == 0) {
    std::puts("skipped: this machine has no CUDA device, and KILN_DRIVER does not name the emulator");
    return skipped;
  }
  const bool gpu_only = argc > 1 && argv[1] == std::string("gpu-only");
  if (gpu_only && kiln::test::on_emulator()) return say_why_none_runs();
  // A cache of this run's own, also for the programs that the tests start.
  const kiln::test::ScratchFolder cache;
  setenv("KILN_CACHE_DIR", cache.path().c_str(), 1);
  doctest::Context tests(argc, argv);
  if (gpu_only || argc == 1 || kiln::test::on_emulator())
    tests.addFilter(gpu_only ? "test-case" : "test-case-exclude", names().c_str());
  return tests.run();
}
