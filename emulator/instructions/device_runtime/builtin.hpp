// Functions that no PTX defines: vprintf, __assertfail, malloc, free, and those of the device runtime.
#pragma once

#include "emulator/machine/code.hpp"
#include "emulator/machine/warp.hpp"
#include "emulator/memory/windows.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
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
struct BuiltinRow {
  std::string_view name;
  Builtin run;
};
/// Null for a function that the emulator does not have.
Builtin builtin_named(std::string_view name);
/// A function of libcudadevrt that the emulator does not have.
bool is_unsupported_builtin(std::string_view name);

// Functions of libcudadevrt, whose machine code the emulator cannot run; names without "cuda".
std::span<const BuiltinRow> launch_function_rows();
std::span<const BuiltinRow> stream_function_rows();
std::span<const BuiltinRow> query_function_rows();
std::span<const BuiltinRow> copy_function_rows();

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
