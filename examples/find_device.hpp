// Which device the examples run on.
#pragma once

#include <kiln/device.hpp>
#include <kiln/driver.hpp>

#include <cstdio>
#include <cstdlib>

/// The GPU; where none is found, Kiln's emulator of one, and the first line says so. To be called first of all, because
/// a process has one driver. A program of your own would say which it wants, or leave that to KILN_DRIVER. Returns
/// whether there is a GPU.
inline bool find_device() {
  if (kiln::Device::count() == 0 && std::getenv("KILN_DRIVER") == nullptr) kiln::use_driver("emulator");
  if (kiln::Device::count() == 0) return false;
  const bool is_gpu = kiln::Device(0).name() != "Kiln PTX emulator";
  if (!is_gpu) std::puts("No GPU is used: this runs on Kiln's PTX emulator, on the CPU.");
  return is_gpu;
}
