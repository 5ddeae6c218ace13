// The steps of one call that compiles or links: their ranges, and their times where CompileOptions::timing asks for
// them.
#pragma once

#include "base/range.hpp"
#include "compile/compiler/compiler_times.hpp"

#include <kiln/code_object.hpp>
#include <kiln/compile_timing.hpp>

#include <chrono>
#include <memory>
#include <optional>
#include <string_view>
#include <type_traits>

namespace kiln {

struct TimedCall {
  const char* work;       // the kind of the range of what makes the code: "compile", "link"
  std::string_view name;  // of the source
  bool has_times;         // whether the code gets them
};

/// Begins with the look-up. For one thread.
class CallTiming {
 public:
  using Clock = std::chrono::steady_clock;

  explicit CallTiming(const TimedCall& call);
  ~CallTiming();
  CallTiming(const CallTiming&) = delete;
  CallTiming& operator=(const CallTiming&) = delete;

  void begin_compile();
  /// There are several compiles where nvcc is asked after NVRTC; the phases are those of the last one.
  void end_compile(const std::optional<CompilerTimes>& times);
  /// Not for code that is not kept, nor where another one compiled it meanwhile.
  void begin_store() { range_.emplace("store", call_.name); }
  /// The entry is written.
  void end_store();
  /// The code with the times, at the call's end.
  CodeObject on(const CodeObject& code);

 private:
  /// Adds the time since the last part ended.
  void pass(std::chrono::microseconds& part);
  /// A compile that began and did not end has failed.
  void mark_failure() noexcept;

  const TimedCall call_;
  Clock::time_point last_ = Clock::now();
  CompileTiming timing_;
  std::optional<Range> range_;  // of the step that it is in
  bool compiles_ = false;
};

/// What `find` or `compile` gives, with its times where they are wanted; it gets the CallTiming, or null where neither
/// times nor ranges are.
template <class Make>
auto with_timing(const TimedCall& call, const Make& make) {
  if (!call.has_times && range_sink() == nullptr) return make(static_cast<CallTiming*>(nullptr));
  CallTiming timing(call);
  auto made = make(&timing);
  if (!call.has_times) return made;
  if constexpr (std::is_same_v<decltype(made), CodeObject>)
    return timing.on(made);
  else
    return made ? decltype(made)(timing.on(*made)) : made;
}

}  // namespace kiln
