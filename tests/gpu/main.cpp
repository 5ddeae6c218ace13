// The tests that need a GPU. Without one the program says so and exits with 77, which the test runner counts as
// skipped.
#define DOCTEST_CONFIG_IMPLEMENT
#include "scratch_folder.hpp"

#include <doctest/doctest.h>
#include <kiln/device.hpp>

#include <cstdio>
#include <cstdlib>

int main(int argc, char** argv) {
  if (kiln::Device::count() == 0) {
    std::puts("skipped: this machine has no CUDA device");
    return 77;
  }
  // A cache of this run's own, also for the programs that the tests start.
  const kiln::test::ScratchFolder cache;
  setenv("KILN_CACHE_DIR", cache.path().c_str(), 1);
  return doctest::Context(argc, argv).run();
}
