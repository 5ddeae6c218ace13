// A lane's memory as a function of the device runtime reads it.
#pragma once

#include "emulator/machine/warp.hpp"

#include <cstdint>
#include <string>

namespace kiln::emulator {

/// For the call that the warp is at. Throws Fault as an access of the kernel does.
class LaneMemory {
 public:
  LaneMemory(Warp& warp, unsigned lane) : warp_(warp), lane_(lane) {}

  template <class T>
  T value(std::uint64_t generic_address) const {
    T result;
    read(generic_address, &result, sizeof(T));
    return result;
  }
  /// The characters up to a zero.
  std::string text(std::uint64_t generic_address) const;

 private:
  void read(std::uint64_t generic_address, void* to, unsigned size) const;

  Warp& warp_;
  unsigned lane_;
};

}  // namespace kiln::emulator
