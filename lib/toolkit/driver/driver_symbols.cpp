#include "toolkit/driver/driver_symbols.hpp"

namespace kiln {

DriverSymbols::DriverSymbols(const SharedLibrary& library)
    : library_(library), get_proc_address_(reinterpret_cast<GetProcAddress>(library.symbol("cuGetProcAddress_v2"))) {}

void* DriverSymbols::find(const char* name, int version, const char* suffix) const {
  if (get_proc_address_ == nullptr) return library_.symbol((std::string(name) + suffix).c_str());
  void* address = nullptr;
  // A null stream is the legacy default stream, whatever this build's macros say.
  const CUresult result = get_proc_address_(name, &address, version, CU_GET_PROC_ADDRESS_LEGACY_STREAM, nullptr);
  return result == CUDA_SUCCESS ? address : nullptr;
}

std::string DriverSymbols::version_text() const {
  const decltype(&::cuDriverGetVersion) driver_get_version = FunctionAddress{find("cuDriverGetVersion", 2020)};
  int version = 0;
  if (driver_get_version == nullptr || driver_get_version(&version) != CUDA_SUCCESS) return "of unknown version";
  return "for CUDA " + std::to_string(version / 1000) + '.' + std::to_string(version % 1000 / 10);
}

}  // namespace kiln
