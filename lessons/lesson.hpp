// What all lessons share: how they begin, and what they say about results.
#pragma once

#include <kiln/kiln.hpp>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

/// Begins a lesson: on the emulator, unless KILN_DRIVER names another driver. To be called first of all, because a
/// process has one driver. With `--source` the program prints its kernels, for `kiln run`, and ends; where there is no
/// device it ends with 77, which test runners take as a skip. Returns whether it runs on the emulator.
inline bool begin(int argc, char** argv, const char* source) {
  if (argc == 2 && argv[1] == std::string("--source")) {
    std::fputs(source, stdout);
    std::exit(0);
  }
  if (argc != 1) {
    std::fprintf(stderr, "usage: %s [--source]\n", argv[0]);
    std::exit(2);
  }
  if (std::getenv("KILN_DRIVER") == nullptr) kiln::use_driver("emulator");
  if (kiln::Device::count() == 0) {
    std::puts("There is no device: Kiln's PTX emulator is not installed, or KILN_DRIVER names a driver without one.");
    std::exit(77);
  }
  return kiln::Device(0).name() == "Kiln PTX emulator";
}

/// Says whether the kernel's results are those that the host computed, and returns it.
template <class T>
bool is_right(const char* kernel, const std::vector<T>& results, const std::vector<T>& expected) {
  const bool right = results == expected;
  std::printf("%s: the results are %s\n", kernel, right ? "right" : "WRONG");
  return right;
}
