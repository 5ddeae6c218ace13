#include "fake_cuda.hpp"

#include <kiln/driver.hpp>

#include <doctest/doctest.h>

// One device; the fake's own choice, unless the environment says more.
int main(int argc, char** argv) {
  kiln::use_driver(fake_cuda::library_path());
  return doctest::Context(argc, argv).run();
}
