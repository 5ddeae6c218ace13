// The floating-point environment in which kernels run and compilers fold constants.
#pragma once

#include <cfenv>

#if defined(__x86_64__)
#define KILN_FLOAT_ENVIRONMENT_IS_X86_64
#endif

namespace kiln {

/// While it lives, the thread computes as a new process does: it rounds to nearest, keeps subnormal numbers, and no
/// exception traps. The destructor restores the thread's own environment, including raised exception flags. A thread
/// inherits the environment of the thread that starts it, and a library built with -Ofast changes that of the thread
/// that loads it. So all code that computes creates one of these.
class DefaultFloatEnvironment {
 public:
  DefaultFloatEnvironment() noexcept;
  ~DefaultFloatEnvironment();
  DefaultFloatEnvironment(const DefaultFloatEnvironment&) = delete;
  DefaultFloatEnvironment& operator=(const DefaultFloatEnvironment&) = delete;

 private:
#ifdef KILN_FLOAT_ENVIRONMENT_IS_X86_64
  bool has_all_;  // whether former_ is to be restored: rare and slower
  unsigned mxcsr_;
#endif
  std::fenv_t former_;
};

}  // namespace kiln
