#include "generate/element_layout.hpp"

#include "base/argument_error.hpp"

#include <algorithm>

namespace kiln {

namespace {

constexpr unsigned most_dimensions = detail::ElementLayout::most_dimensions;

std::string joined(const long* numbers, unsigned count, const char* between) {
  std::string text;
  for (unsigned d = 0; d < count; ++d) text += (d == 0 ? "" : between) + std::to_string(numbers[d]);
  return text;
}

}  // namespace

bool is_flat(const detail::ElementLayout& layout) noexcept {
  if (!layout.is_shaped) return true;
  if (std::find(layout.extents, layout.extents + layout.rank, 0) != layout.extents + layout.rank) return true;
  if (!layout.is_strided || layout.begin != 0) return false;
  long stride = 1;
  for (unsigned d = layout.rank; d-- > 0;) {
    if (layout.extents[d] != 1 && layout.strides[d] != stride) return false;
    stride *= layout.extents[d];
  }
  return true;
}

std::string text_of(const detail::ElementLayout& layout) {
  if (layout.rank == 0) return "1 element";
  const std::string elements = joined(layout.extents, layout.rank, " x ") + " elements";
  return elements +
         (layout.is_strided ? ", strides " + joined(layout.strides, layout.rank, ", ") : ", which have no strides");
}

std::size_t detail::element_count(const ElementLayout& layout) {
  if (layout.rank > most_dimensions)
    refuse("a view as a vector", std::to_string(most_dimensions) + " dimensions at most", std::to_string(layout.rank));
  std::size_t count = 1;
  for (unsigned d = 0; d < layout.rank; ++d) count *= static_cast<std::size_t>(layout.extents[d]);
  return count;
}

std::size_t detail::flat_count(const ElementLayout& layout) {
  const std::size_t count = element_count(layout);
  if (!is_flat(layout))
    refuse("a view as a vector", "elements that lie one behind the other in C order (layout_right)", text_of(layout),
           "; an ElementwiseKernel takes strided views; where the order is of no matter, pass a span of the memory");
  return count;
}

}  // namespace kiln
