#include <kiln/surface_object.hpp>

#include "base/argument_error.hpp"
#include "memory/array_impl.hpp"
#include "memory/array_limits.hpp"
#include "memory/asynchronous_error.hpp"
#include "memory/context.hpp"

namespace kiln {

namespace {

struct OwnedSurface {
  OwnedSurface() = default;
  ~OwnedSurface() {
    if (handle != 0)
      release_in(array->context, [&](const DriverExtras& driver) { return driver.surf_object_destroy(handle); });
  }
  OwnedSurface(const OwnedSurface&) = delete;
  OwnedSurface& operator=(const OwnedSurface&) = delete;

  CUsurfObject handle = 0;
  std::shared_ptr<const Array::Impl> array;
};

}  // namespace

SurfaceObject::SurfaceObject(const Array& array) {
  const auto surface = std::make_shared<OwnedSurface>();
  surface->array = array.shared();
  const ArrayDescriptor& descriptor = surface->array->descriptor;
  if (!has_flags(descriptor.flags, ArrayFlags::surface_load_store))
    refuse("SurfaceObject: array", "one made with ArrayFlags::surface_load_store", "a " + describe(descriptor));
  CUDA_RESOURCE_DESC resource = {};
  resource.resType = CU_RESOURCE_TYPE_ARRAY;
  resource.res.array.hArray = surface->array->handle;
  const ContextGuard guard(surface->array->context);
  check_work(DriverExtras::get().surf_object_create(&surface->handle, &resource), "cuSurfObjectCreate",
             " for a surface over a " + describe(descriptor));
  handle_ = {surface, &surface->handle};
}

}  // namespace kiln
