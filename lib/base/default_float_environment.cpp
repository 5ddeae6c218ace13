#include "base/default_float_environment.hpp"

#ifdef KILN_FLOAT_ENVIRONMENT_IS_X86_64
#include <xmmintrin.h>
#endif

namespace kiln {

#ifdef KILN_FLOAT_ENVIRONMENT_IS_X86_64

// fegetenv and fesetenv take 600 ns together, and every call of the emulator has one of these objects. float and double
// need only MXCSR, which takes 16 ns. The x87 unit, for long double, usually has the default already.
namespace {

constexpr unsigned default_mxcsr = 0x1f80;
constexpr unsigned short default_x87_control = 0x037f;
constexpr unsigned short x87_exceptions = 0x3f;

bool is_x87_default() noexcept {
  unsigned short control = 0;
  unsigned short status = 0;
  asm volatile("fnstcw %0" : "=m"(control));
  asm volatile("fnstsw %0" : "=m"(status));
  return control == default_x87_control && (status & x87_exceptions) == 0;
}

}  // namespace

DefaultFloatEnvironment::DefaultFloatEnvironment() noexcept : has_all_(!is_x87_default()), mxcsr_(_mm_getcsr()) {
  if (has_all_) {
    std::fegetenv(&former_);
    std::fesetenv(FE_DFL_ENV);
  }
  _mm_setcsr(default_mxcsr);
}

DefaultFloatEnvironment::~DefaultFloatEnvironment() {
  if (has_all_)
    std::fesetenv(&former_);
  else if (!is_x87_default())
    std::fesetenv(FE_DFL_ENV);
  _mm_setcsr(mxcsr_);
}

#else

DefaultFloatEnvironment::DefaultFloatEnvironment() noexcept {
  std::fegetenv(&former_);
  std::fesetenv(FE_DFL_ENV);
}

DefaultFloatEnvironment::~DefaultFloatEnvironment() { std::fesetenv(&former_); }

#endif

}  // namespace kiln
