// TextureObject: memory as a kernel's texture functions read it.
#pragma once

#include <kiln/array.hpp>
#include <kiln/array_element.hpp>
#include <kiln/detail/argument.hpp>
#include <kiln/detail/array_checks.hpp>
#include <kiln/detail/array_element.hpp>
#include <kiln/detail/passkey.hpp>
#include <kiln/detail/texture_memory.hpp>
#include <kiln/device_buffer.hpp>
#include <kiln/driver_types.hpp>
#include <kiln/export.hpp>
#include <kiln/mipmapped_array.hpp>
#include <kiln/pitched_buffer.hpp>
#include <kiln/texture_descriptor.hpp>

#include <cstddef>
#include <memory>

namespace kiln {

/// A texture over an array, a mipmapped array or device memory. Copies share it; arrays are kept alive, device memory
/// is the caller's and must outlive it. Passed to a kernel it is a cudaTextureObject_t. It belongs to its memory's
/// device, and the last copy must stay until the work that reads it is done. Reading a copy is safe from several
/// threads; destructors are quiet at process exit. One that was moved from is null and refused by launches. All
/// constructors throw ArgumentError that names the member or limit that does not fit, DriverError where the driver
/// fails. Counterpart: cuTexObjectCreate; PyCUDA has references only.
class KILN_EXPORT TextureObject {
 public:
  /// Counterpart: CU_RESOURCE_TYPE_ARRAY.
  explicit TextureObject(const Array& array, const TextureDescriptor& descriptor = {});
  /// Needs normalised coordinates. Counterpart: CU_RESOURCE_TYPE_MIPMAPPED_ARRAY.
  explicit TextureObject(const MipmappedArray& array, const TextureDescriptor& descriptor = {});
  /// Linear memory, which kernels read with tex1Dfetch: outside of it that gives 0.
  template <class T>
  explicit TextureObject(const DeviceBuffer<T>& buffer, const TextureDescriptor& descriptor = {})
      : TextureObject(linear(buffer.data(), buffer.size(), descriptor)) {}
  /// A plane of rows with a pitch.
  template <class T>
  explicit TextureObject(const PitchedBuffer<T>& buffer, const TextureDescriptor& descriptor = {})
      : TextureObject(pitched(buffer.data(), buffer.width(), buffer.height(), buffer.pitch(), descriptor)) {}

  /// The same as the constructors; throws ArgumentError too unless the elements of the array are T.
  template <class T>
  static TextureObject of(const Array& array, const TextureDescriptor& descriptor = {}) {
    check_type<T>(array.descriptor());
    return TextureObject(array, descriptor);
  }
  template <class T>
  static TextureObject of(const MipmappedArray& array, const TextureDescriptor& descriptor = {}) {
    check_type<T>(array.descriptor());
    return TextureObject(array, descriptor);
  }
  /// `size` elements of T from a device address, which must be aligned to the device's TEXTURE_ALIGNMENT (what
  /// DeviceBuffer and cudaMalloc give is). Counterpart: CU_RESOURCE_TYPE_LINEAR.
  template <class T>
  static TextureObject linear(const T* pointer, std::size_t size, const TextureDescriptor& descriptor = {}) {
    return TextureObject(memory(pointer, size, 0, 0), descriptor);
  }
  /// `height` rows of `width` elements, `pitch` bytes apart, 0 for no gap: a multiple of the device's
  /// TEXTURE_PITCH_ALIGNMENT, as cuMemAllocPitch gives. Counterpart: CU_RESOURCE_TYPE_PITCH2D.
  template <class T>
  static TextureObject pitched(const T* pointer, std::size_t width, std::size_t height, std::size_t pitch,
                               const TextureDescriptor& descriptor = {}) {
    if (pitch == 0) pitch = width * sizeof(T);
    return TextureObject(memory(pointer, width, height, pitch), descriptor);
  }

  /// 0 where it was moved from.
  CUtexObject handle() const noexcept { return handle_ ? *handle_ : 0; }
  /// handle().
  operator CUtexObject() const noexcept { return handle(); }  // NOLINT(google-explicit-constructor): typed functions

  /// For Kiln itself: memory of the current device.
  TextureObject(detail::Passkey, const detail::TextureMemory& memory, const TextureDescriptor& descriptor)
      : TextureObject(memory, descriptor) {}

 private:
  TextureObject(const detail::TextureMemory& memory, const TextureDescriptor& descriptor);
  template <class T>
  static void check_type(const ArrayDescriptor& descriptor) {
    detail::require_array_element<T>();
    detail::check_element_type(descriptor, ArrayElement<T>::format, ArrayElement<T>::num_channels);
  }
  template <class T>
  static detail::TextureMemory memory(const T* pointer, std::size_t width, std::size_t height, std::size_t pitch) {
    detail::require_array_element<T>();
    return {reinterpret_cast<CUdeviceptr>(pointer),
            ArrayElement<T>::format,
            ArrayElement<T>::num_channels,
            width,
            height,
            pitch};
  }

  std::shared_ptr<const CUtexObject> handle_;
};

namespace detail {
template <>
struct Passed<TextureObject> {
  using type = CUtexObject;
  static CUtexObject pass(const TextureObject& texture) {
    if (texture.handle() == 0) refuse_null("TextureObject");
    return texture.handle();
  }
};
}  // namespace detail

}  // namespace kiln
