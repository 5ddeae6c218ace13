// SurfaceObject: an array that a kernel may write.
#pragma once

#include <kiln/array.hpp>
#include <kiln/detail/argument.hpp>
#include <kiln/detail/array_checks.hpp>
#include <kiln/detail/array_element.hpp>
#include <kiln/driver_types.hpp>
#include <kiln/export.hpp>
#include <kiln/texture_object.hpp>

#include <memory>

namespace kiln {

/// A surface over an array, or over a level of a mipmapped one, made with ArrayFlags::surface_load_store. Kernels read
/// and write it with surf2Dread, surf2Dwrite and the like, whose x counts bytes. Passed to a kernel it is a
/// cudaSurfaceObject_t. Shared, kept and given back as a TextureObject; it keeps its array alive.
/// Counterpart: cuSurfObjectCreate; PyCUDA has references only.
class KILN_EXPORT SurfaceObject {
 public:
  /// Throws ArgumentError for an array that is not made for surfaces, DriverError where the driver fails.
  explicit SurfaceObject(const Array& array);
  /// The same; throws ArgumentError too unless the elements of the array are T.
  template <class T>
  static SurfaceObject of(const Array& array) {
    detail::require_array_element<T>();
    detail::check_element_type(array.descriptor(), ArrayElement<T>::format, ArrayElement<T>::num_channels);
    return SurfaceObject(array);
  }

  /// 0 where it was moved from.
  CUsurfObject handle() const noexcept { return handle_ ? *handle_ : 0; }
  /// handle().
  operator CUsurfObject() const noexcept { return handle(); }  // NOLINT(google-explicit-constructor): typed functions

 private:
  std::shared_ptr<const CUsurfObject> handle_;
};

namespace detail {
template <>
struct Passed<SurfaceObject> {
  using type = CUsurfObject;
  static CUsurfObject pass(const SurfaceObject& surface) {
    if (surface.handle() == 0) refuse_null("SurfaceObject");
    return surface.handle();
  }
};
}  // namespace detail

}  // namespace kiln
