// A view with dimensions as std::mdspan is one, which libstdc++ has from GCC 16 on.
#pragma once

#include <array>
#include <cstddef>

namespace mdspan_like {

template <class Index, std::size_t... sizes>
struct extents {
  using index_type = Index;
  static constexpr std::size_t rank() noexcept { return sizeof...(sizes); }
  Index extent(std::size_t d) const { return values[d]; }
  std::array<Index, sizeof...(sizes)> values;
};

/// The place of an element by the mapping's strides.
template <class Index, class Mapping, class... Indices>
Index place_of(const Mapping& mapping, Index begin, Indices... indices) {
  const std::array<Index, sizeof...(Indices)> all = {static_cast<Index>(indices)...};
  for (std::size_t d = 0; d < all.size(); ++d) begin += all[d] * mapping.stride(d);
  return begin;
}

template <class Extents>
struct any_mapping {
  using index_type = typename Extents::index_type;
  const Extents& extents() const { return extents_; }
  static bool is_strided() { return true; }
  template <class... Indices>
  index_type operator()(Indices... indices) const {
    return place_of(*this, begin_, indices...);
  }
  index_type stride(std::size_t d) const { return strides_[d]; }

  Extents extents_;
  std::array<index_type, Extents::rank()> strides_;
  index_type begin_ = 0;  // as cuda::layout_stride_relaxed has one
};

struct layout_stride {
  template <class Extents>
  using mapping = any_mapping<Extents>;
};
struct layout_right {
  template <class Extents>
  struct mapping {
    using index_type = typename Extents::index_type;
    const Extents& extents() const { return extents_; }
    static bool is_strided() { return true; }
    template <class... Indices>
    index_type operator()(Indices... indices) const {
      return place_of(*this, index_type{0}, indices...);
    }
    index_type stride(std::size_t d) const {
      index_type result = 1;
      for (std::size_t k = d + 1; k < Extents::rank(); ++k) result *= extents_.extent(k);
      return result;
    }
    Extents extents_;
  };
};
struct layout_left {
  template <class Extents>
  struct mapping : layout_right::mapping<Extents> {
    using index_type = typename Extents::index_type;
    index_type stride(std::size_t d) const {
      index_type result = 1;
      for (std::size_t k = 0; k < d; ++k) result *= this->extents_.extent(k);
      return result;
    }
  };
};

template <class T, class Extents, class Layout = layout_right>
class mdspan {
 public:
  using element_type = T;
  using reference = T&;
  using mapping_type = typename Layout::template mapping<Extents>;
  mdspan(T* address, mapping_type mapping) : address_(address), mapping_(mapping) {}
  T* const& data_handle() const { return address_; }
  const Extents& extents() const { return mapping_.extents(); }
  const mapping_type& mapping() const { return mapping_; }

 private:
  T* address_;
  mapping_type mapping_;
};

inline constexpr std::size_t any = static_cast<std::size_t>(-1);
template <class T>
using matrix = mdspan<T, extents<int, any, any>>;
template <class T>
using left_matrix = mdspan<T, extents<int, any, any>, layout_left>;
template <class T>
using strided_matrix = mdspan<T, extents<long, any, any>, layout_stride>;

}  // namespace mdspan_like
