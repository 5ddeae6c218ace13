// Array: memory in the layout that texture units and surfaces read.
#pragma once

#include <kiln/array_descriptor.hpp>
#include <kiln/array_element.hpp>
#include <kiln/array_format.hpp>
#include <kiln/array_memory.hpp>
#include <kiln/detail/array_checks.hpp>
#include <kiln/detail/array_element.hpp>
#include <kiln/detail/array_memory.hpp>
#include <kiln/detail/passkey.hpp>
#include <kiln/driver_types.hpp>
#include <kiln/export.hpp>

#include <cstddef>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

namespace kiln {

/// A CUDA array of the device that was current at construction, uninitialised. Copies share it, the last one frees it;
/// it is quiet at process exit, and in a child of fork. Copying and reading the handle are safe from several threads.
/// An array that was moved from is null: its handle is null, and every use throws ArgumentError.
/// Copies go between the array, or a box of it, and a contiguous container of the host (std::vector, std::array, a C
/// array, std::span, PinnedBuffer), a DeviceBuffer, PitchedBuffer, HostRows or DeviceRows. Elements lie as in C: x
/// fastest, then y, then z or the layers; their type is the array's, or that of one channel. Without a stream a copy
/// is ordered as work of the legacy default stream, and with host memory it is done when it returns; on a stream the
/// memory must stay until the stream has come past, and the copy may be captured into a graph. Copies throw
/// ArgumentError for other elements, another number of them, a box that is not in the array and a stream of another
/// device, DriverError where the driver fails. Counterpart: pycuda.driver.Array, and Memcpy2D and Memcpy3D with it.
class KILN_EXPORT Array {
  template <class Source>
  using IfNoArray = std::enable_if_t<!std::is_same_v<std::decay_t<Source>, Array>>;

 public:
  /// 1-D, 2-D or 3-D by which sizes are not 0, layered or a cubemap by the flags. Throws ArgumentError that names the
  /// size, channel or flag that the device cannot have, DriverError where the driver fails, out of memory included.
  explicit Array(const ArrayDescriptor& descriptor);
  /// The same, for elements of type T: Array::make<float4>(width, height). Counterpart: cuArray3DCreate.
  template <class T>
  static Array make(std::size_t width, std::size_t height = 0, std::size_t depth = 0,
                    ArrayFlags flags = ArrayFlags::none) {
    return Array(ArrayDescriptor::of<T>(width, height, depth, flags));
  }

  /// The driver's handle; lives as long as a copy of this object. Counterpart: Array.handle.
  CUarray handle() const noexcept;
  /// Throws ArgumentError for a null array, as all that follows. Counterpart: Array.get_descriptor, get_descriptor_3d.
  const ArrayDescriptor& descriptor() const;
  /// The ordinal of the device that has it.
  int device() const;

  /// Into all of the array or a box of it, from host or device memory. Counterpart: memcpy_htoa, memcpy_dtoa.
  template <class Source>
  void copy_from(const Source& source, const ArrayBox& box = {}) {
    write(detail::ArrayMemoryFor<Source>::memory(source), box, nullptr);
  }
  template <class Source, class = IfNoArray<Source>>
  void copy_from(Source&& source, const ArrayBox& box, CUstream stream) {
    static_assert(detail::outlives_call<Source>, "an asynchronous copy needs memory that outlives the call");
    write(detail::ArrayMemoryFor<Source>::memory(source), box, &stream);
  }
  template <class Source, class = IfNoArray<Source>>
  void copy_from(Source&& source, CUstream stream) {
    copy_from(std::forward<Source>(source), {}, stream);
  }
  /// Out of all of the array or a box of it, to host or device memory. Counterpart: memcpy_atoh, memcpy_atod.
  template <class Target>
  void copy_to(Target&& target, const ArrayBox& box = {}) const {
    static_assert(detail::is_writable_memory<Target>, "a copy cannot write constant memory");
    read(detail::ArrayMemoryFor<Target>::memory(target), box, nullptr);
  }
  template <class Target>
  void copy_to(Target&& target, const ArrayBox& box, CUstream stream) const {
    static_assert(detail::is_writable_memory<Target>, "a copy cannot write constant memory");
    static_assert(detail::outlives_call<Target>, "an asynchronous copy needs memory that outlives the call");
    read(detail::ArrayMemoryFor<Target>::memory(target), box, &stream);
  }
  template <class Target>
  void copy_to(Target&& target, CUstream stream) const {
    copy_to(std::forward<Target>(target), {}, stream);
  }
  /// All elements, or those of a box.
  template <class T>
  std::vector<T> to_host(const ArrayBox& box = {}) const {
    detail::require_array_element<T>();
    std::vector<T> host(count_in(box, ArrayElement<T>::num_channels));
    copy_to(host, box);
    return host;
  }
  /// From another array, which may be another device's. The boxes must have the same sizes, the arrays equal elements.
  /// Counterpart: memcpy_atoa.
  void copy_from(const Array& source, const ArrayBox& box = {}, const ArrayBox& source_box = {});
  void copy_from(const Array& source, const ArrayBox& box, const ArrayBox& source_box, CUstream stream);
  void copy_from(const Array& source, CUstream stream) { copy_from(source, {}, {}, stream); }

  struct Impl;
  /// For Kiln itself; shared() throws ArgumentError for a null array.
  Array(detail::Passkey, std::shared_ptr<const Impl> impl) : impl_(std::move(impl)) {}
  const std::shared_ptr<const Impl>& shared() const;  ///< for Kiln itself

 private:
  /// In the order of `*stream`, where there is one.
  void write(const detail::ArrayMemory& source, const ArrayBox& box, const CUstream* stream);
  void read(const detail::ArrayMemory& target, const ArrayBox& box, const CUstream* stream) const;
  void copy_array(const Array& source, const ArrayBox& box, const ArrayBox& source_box, const CUstream* stream);
  /// Values of a type of so many channels in the box.
  std::size_t count_in(const ArrayBox& box, unsigned num_channels) const;

  std::shared_ptr<const Impl> impl_;
};

}  // namespace kiln
