#include <kiln/array.hpp>
#include <kiln/array_from.hpp>

#include "base/argument_error.hpp"
#include "memory/array_impl.hpp"
#include "memory/array_limits.hpp"
#include "memory/asynchronous_error.hpp"
#include "memory/context.hpp"

#include <string>

namespace kiln {

Array::Impl::~Impl() {
  if (handle != nullptr && !parent)
    release_in(context, [&](const DriverExtras& driver) { return driver.array_destroy(handle); });
}

CUDA_ARRAY3D_DESCRIPTOR driver_descriptor(const ArrayDescriptor& descriptor) {
  CUDA_ARRAY3D_DESCRIPTOR result = {};
  result.Width = descriptor.width;
  result.Height = descriptor.height;
  result.Depth = descriptor.depth;
  result.Format = static_cast<CUarray_format>(descriptor.format);
  result.NumChannels = descriptor.num_channels;
  result.Flags = static_cast<unsigned>(descriptor.flags);
  return result;
}

Array::Array(const ArrayDescriptor& descriptor) {
  const auto impl = std::make_shared<Impl>();
  impl->descriptor = descriptor;
  impl->context = require_context();
  impl->device = current_device();
  check_array(descriptor, impl->device, false);
  const CUDA_ARRAY3D_DESCRIPTOR wanted = driver_descriptor(descriptor);
  check_work(DriverExtras::get().array_3d_create(&impl->handle, &wanted), "cuArray3DCreate",
             " for a " + describe(descriptor));
  impl_ = impl;
}

CUarray Array::handle() const noexcept { return impl_ ? impl_->handle : nullptr; }

const ArrayDescriptor& Array::descriptor() const { return shared()->descriptor; }

int Array::device() const { return shared()->device; }

const std::shared_ptr<const Array::Impl>& Array::shared() const {
  if (!impl_) detail::refuse_null("Array");
  return impl_;
}

void detail::check_element_type(const ArrayDescriptor& descriptor, ArrayFormat format, unsigned num_channels) {
  if (descriptor.format == format && descriptor.num_channels == num_channels) return;
  refuse("Array: element type", std::to_string(descriptor.num_channels) + " x " + name_of(descriptor.format),
         std::to_string(num_channels) + " x " + name_of(format));
}

ArrayDescriptor detail::multichannel_descriptor(const std::array<std::size_t, 3>& shape, Order order,
                                                ArrayFormat format) {
  const bool is_c = order == Order::C;
  const std::size_t channels = shape[is_c ? 2 : 0];
  ArrayDescriptor descriptor;
  descriptor.width = shape[1];
  descriptor.height = shape[is_c ? 0 : 2];
  descriptor.format = format;
  if (descriptor.height == 0) refuse("make_multichannel_2d_array: height", "at least 1", "0");
  if (channels > 4) refuse("make_multichannel_2d_array: channels", "1, 2 or 4", std::to_string(channels));
  descriptor.num_channels = static_cast<unsigned>(channels);
  return descriptor;
}

void detail::check_shape(const std::size_t* shape, std::size_t dimensions, std::size_t count) {
  // By division, as the product may be too large.
  std::size_t left = count;
  std::size_t zeros = 0;
  bool fits = true;
  std::string text;
  for (std::size_t i = 0; i < dimensions; ++i) {
    text += (i == 0 ? "" : " x ") + std::to_string(shape[i]);
    zeros += shape[i] == 0 ? 1 : 0;
    if (shape[i] == 0) continue;
    fits = fits && left % shape[i] == 0;
    left /= shape[i];
  }
  if (count == 0 ? zeros == 0 : zeros != 0 || !fits || left != 1)
    refuse("asfortranarray: values", text + " elements", std::to_string(count));
}

void detail::refuse_null(const char* what) { refuse(what, "one that is there", "one that was moved from"); }

}  // namespace kiln
