// The functions of a driver library, by name.
#pragma once

#include "base/shared_library.hpp"

#include <cuda.h>

#include <string>

namespace kiln {

class DriverSymbols {
 public:
  explicit DriverSymbols(const SharedLibrary& library);
  /// The function of that name with the prototype that CUDA `version` (12040) brought: so that a driver older than the
  /// headers of this build gives it too, and a newer one does not give the next prototype. A library without
  /// cuGetProcAddress is asked for the symbol with that suffix ("_v2"). Null where there is none.
  void* find(const char* name, int version, const char* suffix = "") const;
  /// The symbol of that very name, or null.
  void* exported(const char* name) const noexcept { return library_.symbol(name); }

  /// "for CUDA 12.4", of which version the library says it is.
  std::string version_text() const;

 private:
  // cuda.h gives this name to an inline function under some macros, so its type is spelled out.
  using GetProcAddress = CUresult (*)(const char*, void**, int, cuuint64_t, CUdriverProcAddressQueryResult*);

  SharedLibrary library_;
  GetProcAddress get_proc_address_;
};

}  // namespace kiln
