#include "generate/index_range.hpp"

#include "base/argument_error.hpp"

#include <algorithm>

namespace kiln {

namespace {

long step_of(const Slice& slice, const std::string& kernel) {
  const long step = slice.step.value_or(1);
  if (step == 0) refuse("kernel " + kernel + ": Slice", "a step other than 0", "0");
  return step;
}

}  // namespace

std::size_t IndexRange::count() const {
  // As unsigned numbers, whose differences fit.
  const auto from = static_cast<std::size_t>(start), to = static_cast<std::size_t>(stop);
  const auto width = static_cast<std::size_t>(step);
  if (step > 0) return start < stop ? (to - from - 1) / width + 1 : 0;
  return start > stop ? (from - to - 1) / (std::size_t{0} - width) + 1 : 0;
}

long IndexRange::end() const {
  if (count() == 0) return 0;
  return std::max(start, start + static_cast<long>(count() - 1) * step) + 1;
}

bool IndexRange::is_within(std::size_t length) const {
  if (count() == 0) return true;
  const long last = start + static_cast<long>(count() - 1) * step;
  const auto [least, most] = std::minmax(start, last);
  return least >= 0 && static_cast<std::size_t>(most) < length;
}

std::string IndexRange::text() const {
  return std::to_string(start) + ":" + std::to_string(stop) + ":" + std::to_string(step);
}

IndexRange index_range(const Slice& slice, const std::string& kernel) {
  if (!slice.stop) refuse("kernel " + kernel + ": range", "a stop", "none");
  return {slice.start.value_or(0), *slice.stop, step_of(slice, kernel)};
}

IndexRange clipped_range(const Slice& slice, std::size_t length, const std::string& kernel) {
  const long step = step_of(slice, kernel);
  const auto n = static_cast<long>(length);
  const long least = step < 0 ? -1 : 0, most = step < 0 ? n - 1 : n;
  const auto clipped = [&](const std::optional<std::ptrdiff_t>& index, long left_out) {
    if (!index) return left_out;
    return std::clamp(*index < 0 ? static_cast<long>(*index) + n : static_cast<long>(*index), least, most);
  };
  return {clipped(slice.start, step < 0 ? most : 0), clipped(slice.stop, step < 0 ? least : n), step};
}

}  // namespace kiln
