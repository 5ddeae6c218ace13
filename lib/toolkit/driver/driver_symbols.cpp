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

}  // namespace kiln
