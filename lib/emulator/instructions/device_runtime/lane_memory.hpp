// Memory access of a lane for functions of the device runtime.
#pragma once

#include "emulator/machine/warp.hpp"

#include <cstdint>
#include <string>

namespace kiln::emulator {

/// For the call that the warp executes. Throws Fault as an access of the kernel would.
class LaneMemory {
 public:
  LaneMemory(Warp& warp, unsigned lane) : warp_(warp), lane_(lane) {}

  template <class T>
  T value(std::uint64_t generic_address) const {
    T result;
    read(generic_address, &result, sizeof(T));
    return result;
  }
  /// A string that ends with a zero.
  std::string text(std::uint64_t generic_address) const;

 private:
  void read(std::uint64_t generic_address, void* to, unsigned size) const;

  Warp& warp_;
  unsigned lane_;
};

}  // namespace kiln::emulator
