// TextureReference: a `texture<...>` variable of a module, as CUDA had them before version 12.
#pragma once

#include <kiln/array.hpp>
#include <kiln/array_format.hpp>
#include <kiln/detail/kept_view.hpp>
#include <kiln/detail/passkey.hpp>
#include <kiln/driver_types.hpp>
#include <kiln/export.hpp>
#include <kiln/mipmapped_array.hpp>
#include <kiln/texture_modes.hpp>

#include <array>
#include <cstddef>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>

namespace kiln {

/// What TextureReference::set_flags takes, with PyCUDA's names and numbers.
inline constexpr unsigned TRSF_READ_AS_INTEGER = 0x01;
inline constexpr unsigned TRSF_NORMALIZED_COORDINATES = 0x02;
inline constexpr unsigned TRSF_SRGB = 0x10;

/// A texture reference of one Module, got by Module::get_texref; copies are the same reference and keep the module's
/// code. What is set here holds for every launch of the module's kernels that comes later, also of functions that were
/// got before; launches that were made keep what they had. Each device has its own binding: that of an array's device,
/// or of the device that is current where memory is bound. Modes and flags are for all devices, and begin as the
/// source declares them. A launch writes what changed to the module's variable on its own stream; a captured launch
/// writes it always, and its bindings live as long as the module. A launch that reads a reference without a binding
/// gets undefined values, as in CUDA; name it in LaunchConfig::texrefs to have that checked. Launches may run
/// concurrently; changing a reference while another thread launches a kernel of its module may not. Setters throw
/// ArgumentError that names the texture. Counterpart: pycuda.driver.TextureReference.
class KILN_EXPORT TextureReference {
 public:
  // Copied, never moved, so that there is no null one.
  TextureReference(const TextureReference&) = default;
  TextureReference& operator=(const TextureReference&) = default;
  ~TextureReference() = default;

  /// Throws ArgumentError unless the array has the declared element type and dimensions. It is kept alive for as long
  /// as it is bound or a launch reads it. An element of as many channels with as many bits fits, too, and the kernel
  /// gets its bits; half stands for float. Counterpart of this and of all that names no other: TextureReference's of
  /// the same name.
  void set_array(const Array& array);
  /// Needs normalised coordinates. Counterpart: cuTexRefSetMipmappedArray.
  void set_mipmapped_array(const MipmappedArray& array);
  /// `bytes` bytes of device memory for tex1Dfetch, which the caller keeps. Returns how many bytes the first element
  /// of the texture lies before `pointer`, because textures begin at multiples of the device's TEXTURE_ALIGNMENT;
  /// throws ArgumentError where that is not 0, unless the offset is allowed.
  std::size_t set_address(CUdeviceptr pointer, std::size_t bytes, bool allow_offset = false);
  template <class T>
  std::size_t set_address(const T* pointer, std::size_t bytes, bool allow_offset = false) {
    return set_address(reinterpret_cast<CUdeviceptr>(pointer), bytes, allow_offset);
  }
  /// descriptor.height rows of descriptor.width elements of device memory, `pitch` bytes apart, for tex2D.
  void set_address_2d(CUdeviceptr pointer, const ArrayDescriptor& descriptor, std::size_t pitch);
  template <class T>
  void set_address_2d(const T* pointer, const ArrayDescriptor& descriptor, std::size_t pitch) {
    set_address_2d(reinterpret_cast<CUdeviceptr>(pointer), descriptor, pitch);
  }
  /// The elements of memory bound by set_address, before or after; begins as declared, and must agree with that.
  void set_format(ArrayFormat format, unsigned num_channels);

  /// Of dimension 0, 1 or 2. As in CUDA, wrap and mirror mean clamp without normalised coordinates.
  void set_address_mode(int dimension, AddressMode mode);
  /// How elements are combined between their centres.
  void set_filter_mode(FilterMode mode);
  /// TRSF_ values, combined with |. Whether integers are read as such is declared in the source, so that
  /// TRSF_READ_AS_INTEGER changes nothing.
  void set_flags(unsigned flags);
  /// 0 to 16. Counterpart: cuTexRefSetMaxAnisotropy.
  void set_max_anisotropy(unsigned value);
  /// Red, green, blue and alpha, for AddressMode::border. Counterpart: cuTexRefSetBorderColor.
  void set_border_color(const std::array<float, 4>& color);

  /// The array, or the address, that is bound on the current device; throw ArgumentError where there is none.
  Array get_array() const;
  CUdeviceptr get_address() const;  ///< likewise, of linear memory
  /// What was set, or is set where nothing was.
  /// @{
  std::pair<ArrayFormat, unsigned> get_format() const;
  AddressMode get_address_mode(int dimension) const;
  FilterMode get_filter_mode() const;
  unsigned get_flags() const;
  unsigned get_max_anisotropy() const;
  std::array<float, 4> get_border_color() const;
  /// @}

  /// As get_texref was asked for it. Lives as long as a copy of this object.
  const std::string& name() const noexcept;

  struct Impl;
  /// For Kiln itself.
  TextureReference(detail::Passkey, std::shared_ptr<Impl> impl) : impl_(std::move(impl)) {}
  const std::shared_ptr<Impl>& shared() const noexcept { return impl_; }  ///< for Kiln itself

 private:
  std::shared_ptr<Impl> impl_;
};

/// Texture references that the caller keeps: one, or a std::vector, std::array or C array of them. A view, so that a
/// launch without any costs nothing; temporaries are refused.
class TextureReferences : public detail::KeptView<TextureReference> {
 public:
  using KeptView::KeptView;
};

}  // namespace kiln
