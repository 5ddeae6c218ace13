// KILN_EMULATOR_TRACE: the instructions of one thread.
#pragma once

#include "emulator/machine/warp.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace kiln::emulator {

/// Writes each instruction of the thread to standard error, with the values of its registers before and after it, and
/// the source line when it changes.
class Trace {
 public:
  /// Null unless the setting names a thread of this warp.
  static std::unique_ptr<Trace> make_if_enabled(const Warp& warp);

  explicit Trace(unsigned lane) : lane_(lane) {}
  ~Trace() { end(); }
  Trace(const Trace&) = delete;
  Trace& operator=(const Trace&) = delete;
  /// The group is at the step before its pc. The lanes of `active` execute it, the others skip it.
  void step(const Group& group, LaneMask active);

 private:
  struct Value {
    const ptx::Register* source;
    std::uint32_t offset;
    std::string_view type;  // that the instruction takes it as
    std::string before;
  };

  void begin(const Group& group, bool active);
  void end();

  const unsigned lane_;
  const Code* code_ = nullptr;  // of the current instruction
  const std::byte* registers_ = nullptr;
  std::uint32_t step_ = 0;
  bool active_ = false;
  std::vector<Value> values_;
  std::string source_;
};

}  // namespace kiln::emulator
