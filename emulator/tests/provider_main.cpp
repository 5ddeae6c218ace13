// Tests of the emulator's exported functions, called as a program calls the driver.
#include <doctest/doctest.h>

#include <cstdlib>

int main(int argc, char** argv) {
  // Read when the first call asks for devices.
  setenv("KILN_EMULATOR_DEVICES", "2", 1);
  setenv("KILN_EMULATOR_ARCH", "9.0", 1);
  return doctest::Context(argc, argv).run();
}
