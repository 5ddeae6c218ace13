// One of the recording calls, and the function of the C library that it replaces.
#pragma once

#include <dlfcn.h>

#include <cerrno>
#include <type_traits>

// In the preloaded library: the name by which every C library has it. Before glibc 2.34 it is in libdl.
#ifdef KILN_OLDEST_LIBC
#ifdef __aarch64__
__asm__(".symver dlsym, dlsym@GLIBC_2.17");
#else
__asm__(".symver dlsym, dlsym@GLIBC_2.2.5");
#endif
#endif

namespace kiln {

/// They lie in a section of their own, one after the other: a compiler's own alignment would leave gaps.
struct alignas(32) RecordedCall {
  const char* name;
  const void* own;
  void* real;  // atomic; looked up at the first call

  /// Calls the real one, of the same type. Fails with ENOSYS where this C library has none: a program that looks
  /// functions up by name finds ours.
  template <typename Result, typename... Parameters, typename... Arguments>
  Result call(Result (*)(Parameters...), Arguments... arguments) noexcept {
    return call_as<Result(Parameters...), Result>(arguments...);
  }
  template <typename Result, typename... Parameters, typename... Arguments>
  Result call(Result (*)(Parameters..., ...), Arguments... arguments) noexcept {
    return call_as<Result(Parameters..., ...), Result>(arguments...);
  }

  /// Whether libraries that are opened from now on find this one.
  bool is_exported() const noexcept { return ::dlsym(RTLD_DEFAULT, name) == own; }

 private:
  template <typename Function, typename Result, typename... Arguments>
  Result call_as(Arguments... arguments) noexcept {
    void* function = __atomic_load_n(&real, __ATOMIC_RELAXED);
    if (function == nullptr) {
      function = ::dlsym(RTLD_NEXT, name);
      __atomic_store_n(&real, function, __ATOMIC_RELAXED);
    }
    if (function != nullptr) return reinterpret_cast<Function*>(function)(arguments...);
    errno = ENOSYS;
    if constexpr (std::is_pointer_v<Result>)
      return nullptr;
    else
      return -1;
  }
};

static_assert(sizeof(RecordedCall) == 32);

}  // namespace kiln
