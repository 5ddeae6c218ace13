// The floating-point environment in which kernels run and compilers fold constants.
#pragma once

#include <cfenv>

#if defined(__x86_64__)
#define KILN_FLOAT_ENVIRONMENT_IS_X86_64
#endif

namespace kiln {

/// While it lives, the thread computes as a new process does: it rounds to nearest, keeps subnormal numbers, and no
/// exception traps. Then the thread has its own environment back, also the flags of exceptions that were raised. A
/// thread inherits the environment of the one that starts it, and a library built with -Ofast changes that of the
/// thread that loads it, so what computes has one of these and relies on no other.
class DefaultFloatEnvironment {
 public:
  DefaultFloatEnvironment() noexcept;
  ~DefaultFloatEnvironment();
  DefaultFloatEnvironment(const DefaultFloatEnvironment&) = delete;
  DefaultFloatEnvironment& operator=(const DefaultFloatEnvironment&) = delete;

 private:
#ifdef KILN_FLOAT_ENVIRONMENT_IS_X86_64
  bool has_all_;  // whether former_ is to be restored: rare, and the dearer way
  unsigned mxcsr_;
#endif
  std::fenv_t former_;
};

}  // namespace kiln
