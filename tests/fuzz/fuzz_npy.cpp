// Files in NumPy's format.
#include "../../tools/kiln/npy_file.hpp"
#include "fuzz.hpp"

#include <kiln/error.hpp>

#include <algorithm>
#include <optional>

namespace fuzz_npy {

using namespace kiln::fuzz;
using namespace kiln::tool;

namespace {

std::optional<Array> read_array(std::string_view file) {
  try {
    return read_npy(file);
  } catch (const kiln::Error& error) {
    check_said(error.what());
    return std::nullopt;
  }
}

}  // namespace

int run(const std::uint8_t* data, std::size_t size) {
  const std::optional<Array> array = read_array(view_of(data, size));
  if (!array) return 0;
  std::size_t bytes = 0;
  require(array_bytes(*array->type, array->shape, bytes) && bytes == array->bytes.size(),
          "the shape is that of the data");
  const std::string file = write_npy(*array);
  const std::optional<Array> again = read_array(file);
  require(again && again->type == array->type && again->shape == array->shape && again->bytes == array->bytes,
          "an array that was written is read as it was");
  for (std::size_t cut = 0; cut < std::min<std::size_t>(file.size(), 300); ++cut)
    require(!read_array(std::string_view(file).substr(0, cut)), "a file that is cut is refused");
  return 0;
}

}  // namespace fuzz_npy
