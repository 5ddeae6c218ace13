// MipmappedArray: an array and smaller and smaller versions of it, for textures.
#pragma once

#include <kiln/array.hpp>
#include <kiln/driver_types.hpp>
#include <kiln/export.hpp>

#include <cstddef>
#include <memory>

namespace kiln {

/// Level 0 has the descriptor's sizes, each further level half of the former's (rounded down, at least 1; layers and
/// faces stay). Uninitialised: the program fills the levels, which are Arrays. Copies share it; owned, freed and null
/// as an Array. Counterpart: CUmipmappedArray, which PyCUDA lacks.
class KILN_EXPORT MipmappedArray {
 public:
  /// As many levels as there can be: down to a single element.
  static constexpr unsigned all_levels = 0;

  /// On the device that is current. Throws ArgumentError that names the size, channel, flag or number of levels that
  /// cannot be, DriverError where the driver fails.
  explicit MipmappedArray(const ArrayDescriptor& descriptor, unsigned levels = all_levels);
  /// The same, for elements of type T. Counterpart of both: cuMipmappedArrayCreate.
  template <class T>
  static MipmappedArray make(std::size_t width, std::size_t height = 0, std::size_t depth = 0,
                             unsigned levels = all_levels, ArrayFlags flags = ArrayFlags::none) {
    return MipmappedArray(ArrayDescriptor::of<T>(width, height, depth, flags), levels);
  }

  /// The driver's handle; lives as long as a copy of this object.
  CUmipmappedArray handle() const noexcept;
  /// Of level 0. Throws ArgumentError for a null array, as all that follows.
  const ArrayDescriptor& descriptor() const;
  unsigned levels() const;  ///< how many there are
  /// The ordinal of the device that has it.
  int device() const;
  /// That level as an array, which keeps the whole alive. Throws ArgumentError where there is no such level.
  /// Counterpart: cuMipmappedArrayGetLevel.
  Array level(unsigned index) const;

  struct Impl;
  /// For Kiln itself; throws ArgumentError for a null array.
  const std::shared_ptr<const Impl>& shared() const;

 private:
  std::shared_ptr<const Impl> impl_;
};

}  // namespace kiln
