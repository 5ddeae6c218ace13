// Fills of any element size, out of the driver's fills of 1, 2 and 4 bytes.
#include <kiln/detail/fill.hpp>
#include <kiln/memset.hpp>

#include <cstdint>
#include <cstring>

namespace kiln {

namespace {

template <class Unit>
struct Fills;
template <>
struct Fills<std::uint8_t> {
  static constexpr auto all = memset_d8;
  static constexpr auto all_async = memset_d8_async;
  static constexpr auto rows = memset_d2d8;
  static constexpr auto rows_async = memset_d2d8_async;
};
template <>
struct Fills<std::uint16_t> {
  static constexpr auto all = memset_d16;
  static constexpr auto all_async = memset_d16_async;
  static constexpr auto rows = memset_d2d16;
  static constexpr auto rows_async = memset_d2d16_async;
};
template <>
struct Fills<std::uint32_t> {
  static constexpr auto all = memset_d32;
  static constexpr auto all_async = memset_d32_async;
  static constexpr auto rows = memset_d2d32;
  static constexpr auto rows_async = memset_d2d32_async;
};

template <class Unit>
Unit unit_at(const void* value, std::size_t index) {
  Unit unit;
  std::memcpy(&unit, static_cast<const char*>(value) + index * sizeof(Unit), sizeof unit);
  return unit;
}

// Where the units of an element differ, each is a column of a matrix with one element a row.
template <class Unit>
void fill_by(CUdeviceptr dest, const void* value, std::size_t size, std::size_t count, const CUstream* stream) {
  const std::size_t units = size / sizeof(Unit);
  bool alike = true;
  for (std::size_t i = 1; i < units; ++i) alike = alike && unit_at<Unit>(value, i) == unit_at<Unit>(value, 0);
  const auto set_all = [&](Unit unit) {
    stream != nullptr ? Fills<Unit>::all_async(dest, unit, count * units, *stream)
                      : Fills<Unit>::all(dest, unit, count * units);
  };
  const auto set_column = [&](std::size_t column, Unit unit) {
    const CUdeviceptr first = dest + column * sizeof(Unit);
    stream != nullptr ? Fills<Unit>::rows_async(first, size, unit, 1, count, *stream)
                      : Fills<Unit>::rows(first, size, unit, 1, count);
  };
  if (alike) return set_all(unit_at<Unit>(value, 0));
  for (std::size_t i = 0; i < units; ++i) set_column(i, unit_at<Unit>(value, i));
}

}  // namespace

void detail::fill(DeviceAddress dest, const void* value, std::size_t size, std::size_t count, const CUstream* stream) {
  if (size % 4 == 0) return fill_by<std::uint32_t>(dest, value, size, count, stream);
  if (size % 2 == 0) return fill_by<std::uint16_t>(dest, value, size, count, stream);
  fill_by<std::uint8_t>(dest, value, size, count, stream);
}

}  // namespace kiln
