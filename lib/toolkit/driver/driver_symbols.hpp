// The functions of a driver library, by name.
#pragma once

#include "base/shared_library.hpp"

#include <cuda.h>

#include <type_traits>

namespace kiln {

class DriverSymbols {
 public:
  explicit DriverSymbols(const SharedLibrary& library);

  /// The function of that name with the prototype that CUDA `version` (12040) brought: so that a driver older than the
  /// headers of this build gives it too, and a newer one does not give the next prototype. A library without
  /// cuGetProcAddress is asked for its symbol `exported`. Null where there is none.
  void* find(const char* name, const char* exported, int version) const;

 private:
  // cuda.h gives this name to an inline function under some macros, so its type is spelled out.
  using GetProcAddress = CUresult (*)(const char*, void**, int, cuuint64_t, CUdriverProcAddressQueryResult*);

  SharedLibrary library_;
  GetProcAddress get_proc_address_;
};

/// For rows of tables: puts an address into a member of the table.
template <auto Member, class Table>
void store_symbol(Table& table, void* address) {
  using Pointer = std::remove_reference_t<decltype(table.*Member)>;
  table.*Member = reinterpret_cast<Pointer>(address);
}

}  // namespace kiln
