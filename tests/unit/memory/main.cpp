#include "fake_cuda.hpp"

#include <kiln/driver.hpp>

#include <doctest/doctest.h>

// Two devices, so that tests can leave the first.
int main(int argc, char** argv) {
  fake_cuda::set_devices({90, 80});
  kiln::use_driver(fake_cuda::library_path());
  return doctest::Context(argc, argv).run();
}
