// The library that provides the CUDA driver API: its choice, and its own functions.
#pragma once

#include <kiln/export.hpp>

#include <string>
#include <type_traits>

namespace kiln {

/// Names the library that provides the driver API, as KILN_DRIVER does: a path, or a name for the loader. To be called
/// before the driver is first needed; afterwards another choice throws Error. Safe to call from any thread. PyCUDA,
/// which is linked with the driver, has no counterpart.
KILN_EXPORT void use_driver(const std::string& name_or_path);

namespace detail {

using AnyFunction = void (*)();
/// The function that the driver library exports under that name; `is_exact`: cuda.h's macros were followed.
KILN_EXPORT AnyFunction exported_driver_function(const char* name, bool is_exact);

template <class Pointer>
Pointer driver_function(const char* name, bool is_exact) {
  static_assert(
      std::is_pointer_v<Pointer> && std::is_function_v<std::remove_pointer_t<Pointer>>,
      "give the type of the function's address: driver_function<decltype(&cuCtxSetLimit)>(\"cuCtxSetLimit\")");
  return reinterpret_cast<Pointer>(exported_driver_function(name, is_exact));
}

}  // namespace detail

/// A function of the driver library that Kiln uses, NVIDIA's or the emulator, so that a program needs no -lcuda:
/// driver_function<decltype(&cuCtxSetLimit)>("cuCtxSetLimit")(CU_LIMIT_STACK_SIZE, 4096). Opens and initialises the
/// driver where nothing did before. Each call looks the name up: keep the pointer, which stays good.
/// The name is the exported one, which includes the version: what cuda.h calls cuCtxCreate is "cuCtxCreate_v2" with
/// CUDA 12 and "cuCtxCreate_v4" with CUDA 13. Nothing checks that the type is that function's; so a name after which
/// cuda.h has another one is refused without its version, and KILN_DRIVER_FUNCTION(cuCtxCreate) takes type and version
/// from the cuda.h of the program.
/// Throws ToolkitError where there is no driver or it lacks the function, DriverError where it cannot be initialised,
/// ArgumentError for such a name, or one that is not a function's of the driver. Safe from any thread. Counterpart:
/// dlsym, cuGetProcAddress; PyCUDA is linked with the driver.
template <class Pointer>
Pointer driver_function(const char* name) {
  return detail::driver_function<Pointer>(name, false);
}

}  // namespace kiln

#define KILN_DETAIL_TEXT(name) #name

/// The same by cuda.h's name: KILN_DRIVER_FUNCTION(cuMemAlloc)(&pointer, bytes). A macro, as only the preprocessor
/// knows what cuda.h makes of the name: the version, and `_ptsz` where streams are per thread.
#define KILN_DRIVER_FUNCTION(name) (::kiln::detail::driver_function<decltype(&::name)>(KILN_DETAIL_TEXT(name), true))
