// The driver's managed memory.
#pragma once

#include <kiln/driver_types.hpp>
#include <kiln/export.hpp>

#include <cstddef>

namespace kiln {
enum class ManagedAttach;
enum class MemAdvice;
}  // namespace kiln

namespace kiln::detail {

KILN_EXPORT CUdeviceptr allocate_managed(std::size_t count, std::size_t element_size, ManagedAttach attach);
KILN_EXPORT void free_managed(CUdeviceptr pointer) noexcept;
KILN_EXPORT void prefetch_managed(CUdeviceptr pointer, std::size_t bytes, int place, CUstream stream);
KILN_EXPORT void advise_managed(CUdeviceptr pointer, std::size_t bytes, MemAdvice advice, int place);

}  // namespace kiln::detail
