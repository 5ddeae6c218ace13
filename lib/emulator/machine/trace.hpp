// KILN_EMULATOR_TRACE: what one thread does, instruction by instruction.
#pragma once

#include "emulator/machine/warp.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace kiln::emulator {

/// Writes each instruction of the thread to standard error, with the values of its registers before and after it, and
/// the source line where that is another.
class Trace {
 public:
  /// Null unless the setting asks for a thread of this warp.
  static std::unique_ptr<Trace> made(const Warp& warp);

  explicit Trace(unsigned lane) : lane_(lane) {}
  ~Trace() { end(); }
  Trace(const Trace&) = delete;
  Trace& operator=(const Trace&) = delete;
  /// The group comes to the step before its pc: the lanes of `active` do it, the others pass it by.
  void step(const Group& group, LaneMask active);

 private:
  struct Value {
    const ptx::Register* source;
    std::uint32_t offset;
    std::string_view type;  // as which the instruction takes it
    std::string before;
  };

  void begin(const Group& group, bool active);
  void end();

  const unsigned lane_;
  const Code* code_ = nullptr;  // of the instruction at hand
  const std::byte* registers_ = nullptr;
  std::uint32_t step_ = 0;
  bool active_ = false;
  std::vector<Value> values_;
  std::string source_;
};

}  // namespace kiln::emulator
