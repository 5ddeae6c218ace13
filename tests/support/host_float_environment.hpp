// Floating-point environments that a host program may have, and the state of a thread's.
#pragma once

#include <cfenv>
#include <cstdint>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#ifdef __x86_64__
#include <xmmintrin.h>
#endif

namespace kiln::test {

/// All that a thread can read: rounding, raised flags, traps, and the control registers.
struct FloatState {
  int rounding = std::fegetround();
  int flags = std::fetestexcept(FE_ALL_EXCEPT);
  int traps = ::fegetexcept();
#ifdef __x86_64__
  unsigned mxcsr = _mm_getcsr();
#endif

  bool operator==(const FloatState&) const = default;
  friend std::ostream& operator<<(std::ostream& out, const FloatState& state) {
    return out << "rounding " << state.rounding << ", flags " << state.flags << ", traps " << state.traps;
  }
};

/// Gives the calling thread the environment of that name while it lives.
class HostFloatEnvironment {
 public:
  /// "nearest" has raised flags; "flush" is that of a program built with -Ofast.
  static const std::vector<std::string>& names() {
    static const std::vector<std::string> all{"nearest", "upward", "downward", "toward zero", "flush", "traps"};
    return all;
  }
  explicit HostFloatEnvironment(const std::string& name) {
    std::fegetenv(&former_);
    if (name == "nearest") std::feraiseexcept(FE_OVERFLOW | FE_INVALID);
    if (name == "upward") std::fesetround(FE_UPWARD);
    if (name == "downward") std::fesetround(FE_DOWNWARD);
    if (name == "toward zero") std::fesetround(FE_TOWARDZERO);
    if (name == "traps") std::feclearexcept(FE_ALL_EXCEPT);  // those that were raised before would trap
    if (name == "traps") ::feenableexcept(FE_INVALID | FE_DIVBYZERO | FE_OVERFLOW | FE_INEXACT);
    if (name == "flush") flush();
  }
  ~HostFloatEnvironment() { std::fesetenv(&former_); }
  HostFloatEnvironment(const HostFloatEnvironment&) = delete;
  HostFloatEnvironment& operator=(const HostFloatEnvironment&) = delete;

 private:
  static void flush() {
#if defined(__x86_64__)
    _mm_setcsr(_mm_getcsr() | 0x8040);  // flush to zero, and treat subnormal operands as zero
#elif defined(__aarch64__)
    std::uint64_t control = 0;
    asm volatile("mrs %0, fpcr" : "=r"(control));
    asm volatile("msr fpcr, %0" : : "r"(control | std::uint64_t{1} << 24));
#endif
  }
  std::fenv_t former_;
};

}  // namespace kiln::test
