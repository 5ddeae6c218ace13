// The component module over the fake driver, with real compiles.
#include "fake_cuda.hpp"
#include "scratch_folder.hpp"

#include <doctest/doctest.h>

#include <cstdlib>

int main(int argc, char** argv) {
  // Before anything asks for them: the driver is opened once a process.
  const kiln::test::ScratchFolder cache;
  setenv("KILN_CACHE_DIR", cache.path().c_str(), 1);
  setenv("KILN_DRIVER", fake_cuda::library_path().c_str(), 1);
  fake_cuda::set_devices({90, 80});
  unsetenv("KILN_ARCH");
  unsetenv("KILN_DISABLE_CACHE");
  unsetenv("PYCUDA_DISABLE_CACHE");
  return doctest::Context(argc, argv).run();
}
