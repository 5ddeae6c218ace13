#include <kiln/mipmapped_array.hpp>

#include "base/argument_error.hpp"
#include "base/passkey.hpp"
#include "memory/array_impl.hpp"
#include "memory/array_limits.hpp"
#include "memory/asynchronous_error.hpp"
#include "memory/context.hpp"

#include <algorithm>

namespace kiln {

namespace {

bool has_layers(const ArrayDescriptor& descriptor) {
  return has_flags(descriptor.flags, ArrayFlags::layered) || has_flags(descriptor.flags, ArrayFlags::cubemap);
}

unsigned most_levels(const ArrayDescriptor& descriptor) {
  const std::size_t depth = has_layers(descriptor) ? 0 : descriptor.depth;
  unsigned levels = 0;
  for (std::size_t size = std::max({descriptor.width, descriptor.height, depth}); size != 0; size /= 2) ++levels;
  return levels;
}

ArrayDescriptor level_descriptor(ArrayDescriptor descriptor, unsigned level) {
  const auto shrink = [&](std::size_t& size) {
    if (size != 0) size = std::max<std::size_t>(size >> level, 1);
  };
  shrink(descriptor.width);
  shrink(descriptor.height);
  if (!has_layers(descriptor)) shrink(descriptor.depth);
  return descriptor;
}

}  // namespace

MipmappedArray::Impl::~Impl() {
  if (handle != nullptr)
    release_in(context, [&](const DriverExtras& driver) { return driver.mipmapped_array_destroy(handle); });
}

MipmappedArray::MipmappedArray(const ArrayDescriptor& descriptor, unsigned levels) {
  const auto impl = std::make_shared<Impl>();
  impl->descriptor = descriptor;
  impl->context = require_context();
  impl->device = current_device();
  check_array(descriptor, impl->device, true);
  const unsigned most = most_levels(descriptor);
  if (levels > most)
    refuse("MipmappedArray: levels", "at most " + std::to_string(most) + " for a " + describe(descriptor),
           std::to_string(levels));
  impl->levels = levels == all_levels ? most : levels;
  const CUDA_ARRAY3D_DESCRIPTOR wanted = driver_descriptor(descriptor);
  check_work(DriverExtras::get().mipmapped_array_create(&impl->handle, &wanted, impl->levels), "cuMipmappedArrayCreate",
             " for " + std::to_string(impl->levels) + " levels of a " + describe(descriptor));
  impl_ = impl;
}

CUmipmappedArray MipmappedArray::handle() const noexcept { return impl_ ? impl_->handle : nullptr; }

const ArrayDescriptor& MipmappedArray::descriptor() const { return shared()->descriptor; }

unsigned MipmappedArray::levels() const { return shared()->levels; }

int MipmappedArray::device() const { return shared()->device; }

Array MipmappedArray::level(unsigned index) const {
  if (index >= levels()) refuse("MipmappedArray: level", "0 to " + std::to_string(levels() - 1), std::to_string(index));
  const auto impl = std::make_shared<Array::Impl>();
  impl->descriptor = level_descriptor(impl_->descriptor, index);
  impl->context = impl_->context;
  impl->device = impl_->device;
  impl->parent = impl_;
  const ContextGuard guard(impl_->context);
  check_work(DriverExtras::get().mipmapped_array_get_level(&impl->handle, impl_->handle, index),
             "cuMipmappedArrayGetLevel", " for level " + std::to_string(index));
  return Array(passkey, impl);
}

const std::shared_ptr<const MipmappedArray::Impl>& MipmappedArray::shared() const {
  if (!impl_) detail::refuse_null("MipmappedArray");
  return impl_;
}

}  // namespace kiln
