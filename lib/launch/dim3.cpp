#include <kiln/dim3.hpp>
#include <kiln/error.hpp>

#include <string>

namespace kiln::detail {

void throw_dimension_out_of_range(char axis, bool negative, unsigned long long magnitude) {
  const std::string given = (negative ? "-" : "") + std::to_string(magnitude);
  throw ArgumentError("Dim3: " + std::string(1, axis) + " is " + given + ", but a size is 0 to 4294967295", {},
                      ArgumentError::no_index, "0 to 4294967295", given);
}

}  // namespace kiln::detail
