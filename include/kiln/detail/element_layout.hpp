// How the elements of an argument lie in memory, where that may be otherwise than one after the other.
#pragma once

#include <kiln/detail/device_address_of.hpp>
#include <kiln/export.hpp>

#include <cstddef>
#include <type_traits>
#include <utility>

namespace kiln::detail {

/// Of a view with dimensions. Strides are in elements. A value.
struct ElementLayout {
  static constexpr unsigned most_dimensions = 8;

  bool is_shaped = false;   // it is such a view
  bool is_strided = false;  // each step along a dimension is as far as any other
  unsigned rank = 0;        // its dimensions, of which no more than that are here
  long extents[most_dimensions] = {};
  long strides[most_dimensions] = {};
  long begin = 0;  // where the first element is, in bytes from the address that is passed
};

/// `value` where T has a layout, and get().
template <class T, class = void>
struct LayoutOf : std::false_type {};

template <class Mapping, std::size_t... dimension>
long first_offset(const Mapping& mapping, std::index_sequence<dimension...>) {
  return static_cast<long>(mapping(((void)dimension, typename Mapping::index_type{})...));
}

/// Of std::mdspan and its kin.
template <class T>
struct LayoutOf<T, std::enable_if_t<is_mdspan<T> && is_device_view<T>>> : std::true_type {
  static ElementLayout get(const T& view) {
    const auto& mapping = view.mapping();
    using Extents = std::decay_t<decltype(mapping.extents())>;
    constexpr std::size_t rank = Extents::rank();
    ElementLayout layout;
    layout.is_shaped = true;
    layout.is_strided = mapping.is_strided();
    layout.rank = rank;
    bool is_empty = false;
    if constexpr (rank > 0 && rank <= ElementLayout::most_dimensions) {
      for (std::size_t d = 0; d < rank; ++d) {
        layout.extents[d] = static_cast<long>(mapping.extents().extent(d));
        if (layout.is_strided) layout.strides[d] = static_cast<long>(mapping.stride(d));
        is_empty = is_empty || layout.extents[d] == 0;
      }
    }
    if (!is_empty)
      layout.begin =
          first_offset(mapping, std::make_index_sequence<rank>()) * static_cast<long>(sizeof(*view.data_handle()));
    return layout;
  }
};

template <class T>
ElementLayout element_layout(const T& argument) {
  if constexpr (LayoutOf<T>::value)
    return LayoutOf<T>::get(argument);
  else
    return (void)argument, ElementLayout{};
}

/// The product of the extents. Throws ArgumentError for more dimensions than a layout has.
KILN_EXPORT std::size_t element_count(const ElementLayout& layout);
/// The same of elements that lie one after the other in C order. Throws ArgumentError where they do not.
KILN_EXPORT std::size_t flat_count(const ElementLayout& layout);

}  // namespace kiln::detail
