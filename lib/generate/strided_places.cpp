#include "generate/strided_places.hpp"

#include "base/argument_error.hpp"

#include <kiln/error.hpp>

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <string>

namespace kiln {

namespace {

using detail::ElementLayout;

[[noreturn]] void refuse_view(const VectorArguments& all, std::size_t k, const std::string& expected,
                              const std::string& given) {
  throw ArgumentError(
      "kernel " + all.kernel + ": " + all.parameters[k].name + ": expected " + expected + ", given " + given,
      all.kernel, k, expected, given);
}

/// Of the standard's own views none has: each stride is at least what the dimensions of smaller strides span.
bool has_two_in_one_place(const ElementLayout& layout) {
  std::vector<std::pair<long, long>> dimensions;  // strides and extents
  for (unsigned d = 0; d < layout.rank; ++d)
    if (layout.extents[d] != 1) dimensions.emplace_back(std::labs(layout.strides[d]), layout.extents[d]);
  std::sort(dimensions.begin(), dimensions.end());
  long span = 1;
  for (const auto& [stride, extent] : dimensions) {
    if (stride < span) return true;
    span = stride * extent;
  }
  return false;
}

void check_view(const VectorArguments& all, const detail::VectorCall& call, std::size_t k) {
  const ElementLayout& layout = call.layouts[k];
  if (!all.parameters[k].is_vector) refuse_view(all, k, "a scalar", "a view");
  if (!layout.is_strided) refuse_view(all, k, "a view with strides", text_of(layout));
  if (call.types->arguments[k].pointee.kind == detail::Pointee::Kind::untyped && !all.parameters[k].is_of_bytes)
    refuse_view(all, k, "a view of the vector's own elements", "one of bytes");
  if (!all.uses[k].only_at_i)
    refuse_view(all, k, "elements one behind the other, as the operation uses it not at [i] alone", text_of(layout));
  if (!all.parameters[k].is_const && has_two_in_one_place(layout))
    refuse_view(all, k, "a view that has each of its elements once, as the operation may write it", text_of(layout));
}

/// Views that are not flat or have several dimensions: these determine the extents.
bool tells_extents(const ElementLayout& layout) { return layout.is_shaped && (layout.rank > 1 || !is_flat(layout)); }

bool same_extents(const ElementLayout& one, const ElementLayout& other) {
  return one.rank == other.rank && std::equal(one.extents, one.extents + one.rank, other.extents);
}

std::vector<long> flat_strides(const std::vector<long>& extents) {
  std::vector<long> strides(extents.size());
  long stride = 1;
  for (std::size_t d = extents.size(); d-- > 0; stride *= extents[d]) strides[d] = stride;
  return strides;
}

}  // namespace

bool has_strided_views(const detail::VectorCall& call) noexcept {
  if (call.layouts == nullptr) return false;
  const ElementLayout* first = nullptr;
  for (std::size_t k = 0; k < call.count; ++k) {
    const ElementLayout& layout = call.layouts[k];
    if (!is_flat(layout)) return true;
    if (!tells_extents(layout)) continue;
    if (first != nullptr && !same_extents(*first, layout)) return true;
    first = &layout;
  }
  return false;
}

StridedPlaces::StridedPlaces(const VectorArguments& all, const detail::VectorCall& call, bool is_any_order) {
  std::size_t first = call.count;
  for (std::size_t k = 0; k < call.count; ++k) {
    const ElementLayout& layout = call.layouts[k];
    if (!kiln::is_flat(layout)) check_view(all, call, k);
    if (!tells_extents(layout) || !all.uses[k].only_at_i) continue;
    if (first == call.count) first = k;
    if (!same_extents(layout, call.layouts[first]))
      refuse_view(
          all, k,
          text_of(call.layouts[first]) + " or others of these extents, as " + all.parameters[first].name + " has",
          text_of(layout));
  }
  if (first != call.count)
    extents_.assign(call.layouts[first].extents, call.layouts[first].extents + call.layouts[first].rank);
  else
    extents_ = {static_cast<long>(all.length(call))};
  std::size_t leader = 0;  // whose order is the best one
  for (std::size_t k = 0; k < call.count; ++k) {
    if (!all.uses[k].only_at_i) continue;
    const ElementLayout& layout = call.layouts[k];
    if (k == first || (tells_extents(layout) && !all.parameters[k].is_const)) leader = strides_.size();
    strides_.push_back(tells_extents(layout) ? std::vector<long>(layout.strides, layout.strides + layout.rank)
                                             : flat_strides(extents_));
  }
  place_addresses(call);
  drop_single();
  if (is_any_order && !strides_.empty()) order_by_strides(leader);
  merge();
  if (dimensions() > most_dimensions)
    throw ArgumentError(
        "kernel " + all.kernel + ": views of " + std::to_string(dimensions()) +
            " dimensions that cannot be taken as fewer; the most are " + std::to_string(most_dimensions),
        all.kernel, first, std::to_string(most_dimensions) + " dimensions at most", std::to_string(dimensions()));
}

void StridedPlaces::place_addresses(const detail::VectorCall& call) {
  constexpr std::size_t indices = 4;
  pointers_.assign(call.pointers, call.pointers + call.count + indices);
  addresses_.reserve(call.count);
  for (std::size_t k = 0; k < call.count; ++k) {
    if (call.layouts[k].begin == 0) continue;
    const CUdeviceptr address = *static_cast<const CUdeviceptr*>(call.pointers[k]);
    pointers_[k] = &addresses_.emplace_back(address + static_cast<CUdeviceptr>(call.layouts[k].begin));
  }
}

void StridedPlaces::drop_single() {
  for (std::size_t d = extents_.size(); d-- > 0;) {
    if (extents_[d] != 1 || extents_.size() == 1) continue;
    extents_.erase(extents_.begin() + static_cast<std::ptrdiff_t>(d));
    for (std::vector<long>& strides : strides_) strides.erase(strides.begin() + static_cast<std::ptrdiff_t>(d));
  }
}

void StridedPlaces::order_by_strides(std::size_t vector) {
  std::vector<std::size_t> order(extents_.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const std::vector<long> by = strides_[vector];
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t one, std::size_t other) { return std::labs(by[one]) > std::labs(by[other]); });
  const auto reorder = [&](std::vector<long>& numbers) {
    const std::vector<long> before = numbers;
    for (std::size_t d = 0; d < order.size(); ++d) numbers[d] = before[order[d]];
  };
  reorder(extents_);
  for (std::vector<long>& strides : strides_) reorder(strides);
}

void StridedPlaces::merge() {
  for (std::size_t d = extents_.size(); d-- > 1;) {
    const bool are_one = std::all_of(strides_.begin(), strides_.end(), [&](const std::vector<long>& strides) {
      return strides[d - 1] == strides[d] * extents_[d];
    });
    if (!are_one) continue;
    const auto at = static_cast<std::ptrdiff_t>(d);
    extents_[d - 1] *= extents_[d];
    extents_.erase(extents_.begin() + at);
    for (std::vector<long>& strides : strides_) strides.erase(strides.begin() + at - 1);
  }
}

bool StridedPlaces::is_flat() const {
  return dimensions() == 1 && std::all_of(strides_.begin(), strides_.end(), [this](const std::vector<long>& strides) {
           return strides[0] == 1 || extents_[0] == 1;
         });
}

std::vector<long> StridedPlaces::numbers() const {
  std::vector<long> all = extents_;
  for (const std::vector<long>& strides : strides_) all.insert(all.end(), strides.begin(), strides.end());
  return all;
}

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
