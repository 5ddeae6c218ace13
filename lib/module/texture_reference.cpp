#include "module/texture_reference.hpp"

#include "base/passkey.hpp"
#include "memory/context.hpp"

#include <kiln/device.hpp>

#include <limits>

namespace kiln {

namespace {

std::size_t texture_alignment() {
  const int alignment = Device::current().attribute(CU_DEVICE_ATTRIBUTE_TEXTURE_ALIGNMENT);
  return alignment > 0 ? static_cast<std::size_t>(alignment) : 1;
}

template <class Object>
BoundObject bound_object(Object object) {
  const auto owner = std::make_shared<const Object>(std::move(object));
  return {owner->handle(), owner};
}

/// An Array or a MipmappedArray.
template <class SomeArray>
void bind_array(TextureReference::Impl& reference, const SomeArray& array) {
  const ArrayDescriptor& descriptor = array.descriptor();
  reference.check_element(descriptor.format, descriptor.num_channels);
  reference.check_type(descriptor);
  reference.bind(array.device(), array);
}

std::size_t dimension_index(const TextureReference::Impl& reference, int dimension) {
  if (dimension < 0 || dimension > 2) reference.refuse("dimension 0, 1 or 2", std::to_string(dimension));
  return static_cast<std::size_t>(dimension);
}

}  // namespace

TextureReference::Impl::Impl(std::string name, std::string symbol, const ReferenceVariable& variable,
                             std::shared_ptr<const void> keeps)
    : Reference(std::move(name), std::move(symbol), variable),
      format(static_cast<ArrayFormat>(variable.format)),
      num_channels(variable.channels),
      filter_mode(static_cast<FilterMode>(variable.filter_mode)),
      module(std::move(keeps)) {
  address_mode.fill(static_cast<AddressMode>(variable.address_mode));
  if (variable.reads_floats == 0 && format != ArrayFormat::float32) flags |= TRSF_READ_AS_INTEGER;
  if (variable.normalized != 0) flags |= TRSF_NORMALIZED_COORDINATES;
}

TextureDescriptor TextureReference::Impl::descriptor(bool is_linear) const {
  TextureDescriptor result;
  result.read_mode = declared().read_mode();
  if (is_linear) return result;  // read by element numbers, whatever the modes say
  result.normalized_coords = (flags & TRSF_NORMALIZED_COORDINATES) != 0;
  result.srgb = (flags & TRSF_SRGB) != 0;
  result.address_mode = address_mode;
  for (AddressMode& mode : result.address_mode)
    if (!result.normalized_coords && mode != AddressMode::border) mode = AddressMode::clamp;
  result.filter_mode = filter_mode;
  result.mipmap_filter_mode = filter_mode;
  result.max_anisotropy = max_anisotropy;
  result.border_color = border_color;
  return result;
}

void TextureReference::Impl::check_element(ArrayFormat given, unsigned given_channels) const {
  if (!reads_element(declared(), given, given_channels))
    refuse("elements of " + element_name(static_cast<ArrayFormat>(declared().format), declared().channels),
           "elements of " + element_name(given, given_channels));
}

detail::TextureMemory TextureReference::Impl::memory_of(const Linear& linear) const {
  return {linear.pointer, format, num_channels, linear.bytes / (channel_size(format) * num_channels), 0, 0};
}

BoundObject TextureReference::Impl::make(int device) const {
  const auto* source = bound.find(device);
  if (source == nullptr) return {};
  try {
    if (const auto* array = std::get_if<Array>(source)) return bound_object(TextureObject(*array, descriptor(false)));
    if (const auto* array = std::get_if<MipmappedArray>(source))
      return bound_object(TextureObject(*array, descriptor(false)));
    if (const auto* linear = std::get_if<Linear>(source))
      return bound_object(TextureObject(passkey, memory_of(*linear), descriptor(true)));
    return bound_object(TextureObject(passkey, std::get<detail::TextureMemory>(*source), descriptor(false)));
  } catch (const ArgumentError& error) {
    throw ArgumentError("texture reference \"" + name() + "\": " + error.what(), error.kernel(), error.index(),
                        error.expected(), error.given());
  }
}

void TextureReference::set_array(const Array& array) { bind_array(*impl_, array); }

void TextureReference::set_mipmapped_array(const MipmappedArray& array) { bind_array(*impl_, array); }

std::size_t TextureReference::set_address(CUdeviceptr pointer, std::size_t bytes, bool allow_offset) {
  if (impl_->declared().type != 1)
    impl_->refuse("memory bound to a 1-D texture", "a " + type_text(impl_->declared().type) + " one",
                  ": bind an array, or set_address_2d");
  if (pointer == 0) impl_->refuse("an address of device memory", "null");
  const std::size_t element = channel_size(impl_->format) * impl_->num_channels;
  const std::size_t offset = static_cast<std::size_t>(pointer % texture_alignment());
  if (offset != 0 && !allow_offset)
    impl_->refuse("an address that is a multiple of " + std::to_string(texture_alignment()),
                  "one with an offset of " + std::to_string(offset) + " bytes",
                  ": bind the start of an allocation, or allow the offset and have the kernel add it");
  if (bytes < element || bytes > std::numeric_limits<std::size_t>::max() - offset)
    impl_->refuse("at least one element, " + std::to_string(element) + " bytes", std::to_string(bytes));
  impl_->bind(current_device(), Impl::Linear{pointer - offset, offset + bytes});
  return offset;
}

void TextureReference::set_address_2d(CUdeviceptr pointer, const ArrayDescriptor& descriptor, std::size_t pitch) {
  if (impl_->declared().type != 2)
    impl_->refuse("pitched memory bound to a 2-D texture", "a " + type_text(impl_->declared().type) + " one");
  impl_->check_element(descriptor.format, descriptor.num_channels);
  if (pointer == 0) impl_->refuse("an address of device memory", "null");
  if (pitch < descriptor.width * descriptor.element_size() || descriptor.width == 0 || descriptor.height == 0)
    impl_->refuse("rows of at least one element that fit the pitch",
                  std::to_string(descriptor.height) + " rows of " +
                      std::to_string(descriptor.width * descriptor.element_size()) + " bytes, " +
                      std::to_string(pitch) + " bytes apart");
  impl_->bind(current_device(), detail::TextureMemory{pointer, descriptor.format, descriptor.num_channels,
                                                      descriptor.width, descriptor.height, pitch});
}

void TextureReference::set_format(ArrayFormat format, unsigned num_channels) {
  impl_->check_element(format, num_channels);
  impl_->num_channels = num_channels;
  impl_->set(impl_->format, format);
}

void TextureReference::set_address_mode(int dimension, AddressMode mode) {
  impl_->set(impl_->address_mode[dimension_index(*impl_, dimension)], mode);
}

void TextureReference::set_filter_mode(FilterMode mode) { impl_->set(impl_->filter_mode, mode); }

void TextureReference::set_flags(unsigned flags) {
  constexpr unsigned known = TRSF_READ_AS_INTEGER | TRSF_NORMALIZED_COORDINATES | TRSF_SRGB;
  if ((flags & ~known) != 0)
    impl_->refuse("TRSF_READ_AS_INTEGER, TRSF_NORMALIZED_COORDINATES and TRSF_SRGB", "flags " + std::to_string(flags));
  impl_->set(impl_->flags, flags);
}

void TextureReference::set_max_anisotropy(unsigned value) {
  if (value > 16) impl_->refuse("an anisotropy of at most 16", std::to_string(value));
  impl_->set(impl_->max_anisotropy, value);
}

void TextureReference::set_border_color(const std::array<float, 4>& color) { impl_->set(impl_->border_color, color); }

Array TextureReference::get_array() const {
  const auto* source = impl_->bound.find(current_device());
  const auto* array = source != nullptr ? std::get_if<Array>(source) : nullptr;
  if (array == nullptr) impl_->refuse("an array bound on the current device", "none");
  return *array;
}

CUdeviceptr TextureReference::get_address() const {
  const auto* source = impl_->bound.find(current_device());
  if (source != nullptr) {
    if (const auto* linear = std::get_if<Impl::Linear>(source)) return linear->pointer;
    if (const auto* memory = std::get_if<detail::TextureMemory>(source)) return memory->pointer;
  }
  impl_->refuse("memory bound on the current device", "none");
}

std::pair<ArrayFormat, unsigned> TextureReference::get_format() const { return {impl_->format, impl_->num_channels}; }
AddressMode TextureReference::get_address_mode(int dimension) const {
  return impl_->address_mode[dimension_index(*impl_, dimension)];
}
FilterMode TextureReference::get_filter_mode() const { return impl_->filter_mode; }
unsigned TextureReference::get_flags() const { return impl_->flags; }
unsigned TextureReference::get_max_anisotropy() const { return impl_->max_anisotropy; }
std::array<float, 4> TextureReference::get_border_color() const { return impl_->border_color; }
const std::string& TextureReference::name() const noexcept { return impl_->name(); }

BoundObject SurfaceReference::Impl::make(int device) const {
  const Array* array = bound.find(device);
  return array != nullptr ? bound_object(SurfaceObject(*array)) : BoundObject{};
}

void SurfaceReference::set_array(const Array& array) {
  if (!has_flags(array.descriptor().flags, ArrayFlags::surface_load_store))
    impl_->refuse("an array made with ArrayFlags::surface_load_store", "one without");
  impl_->check_type(array.descriptor());
  impl_->bind(array);
}

Array SurfaceReference::get_array() const {
  const Array* array = impl_->bound.find(current_device());
  if (array == nullptr) impl_->refuse("an array bound on the current device", "none");
  return *array;
}

const std::string& SurfaceReference::name() const noexcept { return impl_->name(); }

}  // namespace kiln
