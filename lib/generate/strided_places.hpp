// Vectors of an elementwise kernel whose elements do not lie one after the other: where element i of each is.
#pragma once

#include "generate/vector_arguments.hpp"

#include <kiln/detail/element_layout.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace kiln {

/// Whether a call has views of other than one flat shape.
bool has_strided_views(const detail::VectorCall& call) noexcept;

/// Those of one call, with as few dimensions as describe them all.
class StridedPlaces {
 public:
  /// Throws ArgumentError where vectors have different extents, a view has no strides or is used at others than [i],
  /// one that is written has two elements in one place, or more than `most_dimensions` are left. `is_any_order`: the
  /// elements of the dimensions may come in another order than C's.
  StridedPlaces(const VectorArguments& all, const detail::VectorCall& call, bool is_any_order);

  static constexpr std::size_t most_dimensions = 4;

  /// Whether one dimension is left, and elements lie one after the other in it.
  bool is_flat() const;
  std::size_t dimensions() const { return extents_.size(); }
  /// As the kernel takes them: the extents, then the strides of each vector that is used at [i] alone.
  std::vector<long> numbers() const;
  /// The call's pointers, and those to its four indices, with the first elements' addresses for those of the views.
  /// They live as long as this object, which stays where it is.
  std::vector<void*>& pointers() { return pointers_; }

 private:
  void place_addresses(const detail::VectorCall& call);
  void order_by_strides(std::size_t vector);
  void drop_single();
  void merge();

  std::vector<long> extents_;
  std::vector<std::vector<long>> strides_;  // of each vector that is used at [i] alone
  std::vector<CUdeviceptr> addresses_;
  std::vector<void*> pointers_;
};

/// Whether the elements lie one after the other in C order, the last index fastest, from the address on.
bool is_flat(const detail::ElementLayout& layout) noexcept;
/// "2 x 3 elements, strides 1 and 2".
std::string text_of(const detail::ElementLayout& layout);

}  // namespace kiln
