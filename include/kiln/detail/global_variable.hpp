// What GlobalVariable checks, and how it writes a value in a stream.
#pragma once

#include <kiln/driver_types.hpp>
#include <kiln/export.hpp>

#include <cstddef>
#include <string>

namespace kiln::detail {

/// Throw ArgumentError where a variable of `size` bytes does not take, or consist of, what has `given` bytes: a value,
/// a container, elements.
KILN_EXPORT void check_variable_size(const std::string& name, std::size_t size, std::size_t given);
KILN_EXPORT void check_variable_container(const std::string& name, std::size_t size, std::size_t given);
KILN_EXPORT void check_variable_elements(const std::string& name, std::size_t size, std::size_t element_size);

/// Writes `bytes` bytes in the stream's order and reads `value` before it returns.
KILN_EXPORT void write_words(CUdeviceptr dest, const void* value, std::size_t bytes, CUstream stream);

}  // namespace kiln::detail
