#include "compile/store/call_timing.hpp"

#include "base/passkey.hpp"

#include <algorithm>

namespace kiln {

using std::chrono::microseconds;

CallTiming::CallTiming(const TimedCall& call) : call_(call) { range_.emplace("look-up", call.name); }

CallTiming::~CallTiming() { mark_failure(); }

void CallTiming::mark_failure() noexcept {
  if (compiles_) mark_in_range("failed", call_.name);
}

void CallTiming::begin_compile() {
  mark_failure();
  compiles_ = true;
  pass(timing_.look_up);
  range_.emplace(call_.work, call_.name);
}

void CallTiming::end_compile(const std::optional<CompilerTimes>& times) {
  compiles_ = false;
  range_.reset();
  microseconds time{};
  pass(time);
  if (times) {
    const auto& [front_end, headers, optimizer, ptxas, slowest_headers, precompiled_header, measuring] = *times;
    time = std::max(microseconds(), time - measuring);
    timing_.front_end = front_end;
    timing_.headers = headers;
    timing_.optimizer = optimizer;
    timing_.ptxas = ptxas;
    timing_.slowest_headers = slowest_headers;
    timing_.precompiled_header = precompiled_header;
  }
  timing_.compile = timing_.compile.value_or(microseconds()) + time;
}

void CallTiming::end_store() {
  pass(timing_.store.emplace());
  range_.reset();
}

CodeObject CallTiming::on(const CodeObject& code) {
  if (!timing_.compile) pass(timing_.look_up);
  return CodeObject(passkey, code.data(), code.from_cache(), std::make_shared<const CompileTiming>(timing_));
}

void CallTiming::pass(microseconds& part) {
  const Clock::time_point now = Clock::now();
  part += std::chrono::duration_cast<microseconds>(now - last_);
  last_ = now;
}

}  // namespace kiln
