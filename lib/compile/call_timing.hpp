// What one call of compile() takes, where CompileOptions::timing asks for it.
#pragma once

#include "compile/compiler/compiler_times.hpp"

#include <kiln/code_object.hpp>
#include <kiln/compile_timing.hpp>

#include <chrono>
#include <memory>
#include <optional>
#include <type_traits>

namespace kiln {

/// Begins with the look-up. For one thread.
class CallTiming {
 public:
  using Clock = std::chrono::steady_clock;

  void begin_compile() { pass(timing_.look_up); }
  /// There are several compiles where nvcc is asked after NVRTC; the phases are those of the last one.
  void end_compile(const std::optional<CompilerTimes>& times);
  /// The entry is written. Not for code that is not kept.
  void end_store() { pass(timing_.store.emplace()); }
  /// The code with the times, at the call's end.
  CodeObject on(const CodeObject& code);

 private:
  /// Adds the time since the last part ended.
  void pass(std::chrono::microseconds& part);

  Clock::time_point last_ = Clock::now();
  CompileTiming timing_;
};

/// What `find` or `compile` gives, with its times where `is_wanted`; it gets the CallTiming, or null.
template <class Make>
auto with_timing(bool is_wanted, const Make& make) {
  if (!is_wanted) return make(static_cast<CallTiming*>(nullptr));
  CallTiming timing;
  auto made = make(&timing);
  if constexpr (std::is_same_v<decltype(made), CodeObject>)
    return timing.on(made);
  else
    return made ? decltype(made)(timing.on(*made)) : made;
}

}  // namespace kiln
