// Functions of the device runtime that no PTX defines: vprintf, __assertfail, malloc, free.
#pragma once

#include "emulator/machine/code.hpp"
#include "emulator/machine/warp.hpp"

#include <cstring>
#include <string_view>

namespace kiln::emulator {

/// A call of such a function, by lanes that call it together. Arguments and results are at the places of the caller's
/// .param variables.
struct BuiltinCall {
  Warp& warp;
  LaneMask active;
  const std::vector<ParamPlace>& arguments;  // in the caller's frame
  const std::vector<ParamPlace>& results;

  template <class T>
  T argument(unsigned lane, std::size_t number) const {
    T value;
    std::memcpy(&value, place(lane, arguments.at(number)), sizeof(T));
    return value;
  }
  template <class T>
  void set_result(unsigned lane, T value) const {
    if (!results.empty()) std::memcpy(place(lane, results.front()), &value, sizeof(T));
  }

 private:
  std::byte* place(unsigned lane, const ParamPlace& param) const {
    const Frame& frame = warp.frame();
    return frame.params + std::size_t{lane} * frame.code->param_bytes + param.offset;
  }
};

using Builtin = void (*)(BuiltinCall&);
/// Null for a function that the emulator does not have.
Builtin builtin_named(std::string_view name);
/// Functions of libcudadevrt, which is machine code: launches from kernels.
constexpr bool is_of_device_runtime(std::string_view name) {
  return name.starts_with("__cudaCDP2") || name.starts_with("cudaCDP");
}

}  // namespace kiln::emulator
