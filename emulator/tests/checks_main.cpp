// The checks are chosen by the environment, once in a process.
#include <doctest/doctest.h>

#include <cstdlib>

int main(int argc, char** argv) {
  setenv("KILN_EMULATOR_CHECK", "race,init", 1);
  return doctest::Context(argc, argv).run();
}
