#include "expectation.hpp"

#include "base/shared_library.hpp"
#include "element_value.hpp"
#include "toolkit/driver/driver.hpp"

#include <kiln/error.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace kiln::tool {

namespace {

using Value = std::complex<long double>;

constexpr std::size_t shown_differences = 5;

bool is_nan(const Value& value) { return std::isnan(value.real()) || std::isnan(value.imag()); }
bool is_finite(const Value& value) { return std::isfinite(value.real()) && std::isfinite(value.imag()); }

bool are_close(const Value& value, const Value& expected, long double tolerance) {
  if (is_nan(value) || is_nan(expected)) return is_nan(value) && is_nan(expected);
  if (!is_finite(value) || !is_finite(expected)) return value == expected;
  return std::abs(value - expected) <= tolerance + tolerance * std::abs(expected);
}

void note_difference(Comparison& comparison, const Array& values, const Array& expected, std::size_t i) {
  const Value value = element_value(*values.type, values.element(i));
  const Value wanted = element_value(*expected.type, expected.element(i));
  ++comparison.different;
  if (!is_finite(value) || !is_finite(wanted))
    comparison.largest = std::numeric_limits<long double>::quiet_NaN();
  else if (!std::isnan(comparison.largest))
    comparison.largest = std::max(comparison.largest, std::abs(value - wanted));
  if (comparison.first.size() < shown_differences)
    comparison.first.push_back(
        {i, element_text(*values.type, values.element(i)), element_text(*expected.type, expected.element(i))});
}

}  // namespace

Comparison compare(const Array& values, const Array& expected, long double tolerance) {
  if (values.type->is_whole() && expected.type->is_whole()) tolerance = 0;
  Comparison comparison;
  for (std::size_t i = 0; i < values.count(); ++i)
    if (!are_close(element_value(*values.type, values.element(i)), element_value(*expected.type, expected.element(i)),
                   tolerance))
      note_difference(comparison, values, expected, i);
  return comparison;
}

std::string element_place(const std::vector<std::size_t>& shape, std::size_t element) {
  std::string place;
  for (std::size_t i = shape.size(); i-- > 0;) {
    place.insert(0, std::to_string(element % shape[i]) + (place.empty() ? "" : ", "));
    element /= shape[i];
  }
  return "[" + place + "]";
}

namespace {

FunctionAddress emulator_function(const char* name) { return {Driver::get().symbols.exported(name)}; }

/// For each byte, whether it was never written.
std::string unwritten_bytes(const Array& array, CUdeviceptr address, bool is_followed) {
  std::string unwritten(array.bytes.size(), '\0');
  if (!is_followed) {
    std::transform(array.bytes.begin(), array.bytes.end(), unwritten.begin(), [](char byte) { return byte == '\xff'; });
    return unwritten;
  }
  CUresult (*const ask)(CUdeviceptr, std::size_t, char*) = emulator_function("kiln_driver_unwritten");
  if (ask(address, unwritten.size(), unwritten.data()) != CUDA_SUCCESS)
    throw Error("the emulator does not tell which memory was written");
  return unwritten;
}

void add(std::size_t element, std::size_t& count, std::size_t& first) {
  if (count++ == 0) first = element;
}

}  // namespace

bool follow_writes(CUdeviceptr address, std::size_t bytes) {
  CUresult (*const follow)(CUdeviceptr, std::size_t) = emulator_function("kiln_driver_follow_writes");
  return follow != nullptr && follow(address, bytes) == CUDA_SUCCESS;
}

std::optional<NeverWritten> never_written(const Array& array, CUdeviceptr address, bool is_followed) {
  const std::string unwritten = unwritten_bytes(array, address, is_followed);
  NeverWritten elements;
  elements.is_certain = is_followed;
  const auto size = static_cast<std::ptrdiff_t>(array.type->size);
  for (std::size_t i = 0; i < array.count(); ++i) {
    const auto begin = unwritten.begin() + static_cast<std::ptrdiff_t>(i) * size;
    const std::ptrdiff_t bytes = std::count(begin, begin + size, '\1');
    if (bytes == size)
      add(i, elements.count, elements.first);
    else if (bytes != 0 && is_followed)
      add(i, elements.in_part, elements.first_in_part);
  }
  if (elements.count == 0 && elements.in_part == 0) return std::nullopt;
  return elements;
}

std::string never_written_text(const NeverWritten& elements, const Array& array) {
  const std::string all = std::to_string(array.count());
  const auto place = [&](std::size_t element) { return ", the first is " + element_place(array.shape, element); };
  std::string text;
  if (!elements.is_certain)
    text = std::to_string(elements.count) + " of " + all +
           " elements have all bits set, as before the launch, which may never have written them" +
           place(elements.first);
  else if (elements.count == array.count())
    text = elements.count == 1 ? "its only element was never written" : "none of its " + all + " elements was written";
  else if (elements.count != 0)
    text = std::to_string(elements.count) + " of " + all + (elements.count == 1 ? " elements was" : " elements were") +
           " never written" + place(elements.first);
  if (elements.in_part == 0) return text;
  if (!text.empty()) return text + "; " + std::to_string(elements.in_part) + " in part" + place(elements.first_in_part);
  return std::to_string(elements.in_part) + " of " + all + " elements were written in part" +
         place(elements.first_in_part);
}

}  // namespace kiln::tool
