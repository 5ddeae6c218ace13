#include "tune/element_difference.hpp"

#include <kiln/detail/template_value.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>

namespace kiln {

namespace {

template <class Real>
struct Reals {
  const std::vector<std::byte>& given;
  const std::vector<std::byte>& wanted;
  const double tolerance;

  static Real at(const std::vector<std::byte>& bytes, std::size_t place) {
    Real value;
    std::memcpy(&value, bytes.data() + place * sizeof value, sizeof value);
    return value;
  }
  bool differ(std::size_t place) const {
    const double a = at(given, place), b = at(wanted, place);
    if (a == b || (std::isnan(a) && std::isnan(b))) return false;
    return !(std::abs(a - b) <= tolerance + tolerance * std::abs(b)) || std::isinf(b);
  }
  std::string text(std::size_t place) const {
    return std::to_string(at(given, place)) + " is not " + std::to_string(at(wanted, place));
  }
};

struct Bytes {
  const std::vector<std::byte>& given;
  const std::vector<std::byte>& wanted;
  const std::size_t size;

  bool differ(std::size_t place) const {
    const std::size_t begin = place * size, count = std::min(size, given.size() - begin);
    return std::memcmp(given.data() + begin, wanted.data() + begin, count) != 0;
  }
  static std::string text(std::size_t /*place*/) { return "other bytes"; }
};

template <class Elements>
std::optional<std::string> first_of(const Elements& elements, std::size_t count) {
  std::size_t first = count, differing = 0;
  for (std::size_t i = 0; i < count; ++i) {
    if (!elements.differ(i)) continue;
    first = std::min(first, i);
    ++differing;
  }
  if (differing == 0) return std::nullopt;
  return "element " + std::to_string(first) + ": " + elements.text(first) + "; " + std::to_string(differing) + " of " +
         std::to_string(count) + " differ";
}

}  // namespace

std::optional<std::string> element_difference(const std::vector<std::byte>& given, const std::vector<std::byte>& wanted,
                                              const detail::Pointee& element, double tolerance) {
  const bool is_real = element.levels == 1 && element.kind == detail::Pointee::Kind::floating;
  if (is_real && element.size == sizeof(float))
    return first_of(Reals<float>{given, wanted, tolerance}, given.size() / sizeof(float));
  if (is_real && element.size == sizeof(double))
    return first_of(Reals<double>{given, wanted, tolerance}, given.size() / sizeof(double));
  const std::size_t size = element.levels == 1 && element.size != 0 ? element.size : 1;
  return first_of(Bytes{given, wanted, size}, (given.size() + size - 1) / size);
}

}  // namespace kiln
