// Memory access of a lane for functions of the device runtime.
#pragma once

#include "emulator/machine/warp.hpp"
#include "emulator/memory/access.hpp"

#include <cstddef>
#include <cstdint>
#include <string>

namespace kiln::emulator {

/// For the call that the warp executes. Values have the size of an access of the kernel, and throw Fault as it would.
class LaneMemory {
 public:
  LaneMemory(Warp& warp, unsigned lane) : warp_(warp), lane_(lane) {}

  template <class T>
  T value(std::uint64_t generic_address) const {
    T result;
    read(generic_address, &result, sizeof(T));
    return result;
  }
  template <class T>
  void store(std::uint64_t generic_address, const T& value) const {
    write(generic_address, &value, sizeof(T));
  }
  /// A string that ends with a zero.
  std::string text(std::uint64_t generic_address) const;

 private:
  void read(std::uint64_t generic_address, void* to, unsigned size) const;
  void write(std::uint64_t generic_address, const void* from, unsigned size) const;
  std::byte* host(std::uint64_t generic_address, unsigned size, Access access) const;

  Warp& warp_;
  unsigned lane_;
};

}  // namespace kiln::emulator
