// What stops a kernel.
#pragma once

#include "emulator/machine/lanes.hpp"

#include <cuda.h>

#include <cstdint>
#include <exception>
#include <string>

namespace kiln::emulator {

/// Thrown by a handler. The report that the machine makes of it names kernel, block, thread, PTX line and source line.
struct Fault : std::exception {
  /// `at_lane` is the (first) lane at fault.
  Fault(CUresult code, unsigned at_lane, std::string message) : result(code), lane(at_lane), text(std::move(message)) {}
  const char* what() const noexcept override { return text.c_str(); }

  CUresult result;
  unsigned lane;
  std::string text;  // "reads 4 bytes at 0x7f.., 12 bytes past the end of an allocation of 4096 bytes at ..."
};

}  // namespace kiln::emulator
