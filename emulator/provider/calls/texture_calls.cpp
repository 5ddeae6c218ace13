// Texture and surface objects.
#include "emulator/provider/calls/current_owner.hpp"
#include "emulator/provider/context/call.hpp"
#include "emulator/texture/objects.hpp"

namespace {

using namespace kiln::emulator;

std::shared_ptr<const Texture> texture_of(CUtexObject handle) {
  std::shared_ptr<const Texture> texture = find_texture(handle);
  require(texture != nullptr, "this is no texture object, or one that was destroyed");
  return texture;
}

}  // namespace

KILN_EMULATOR_API cuTexObjectCreate(CUtexObject* handle, const CUDA_RESOURCE_DESC* resource,
                                    const CUDA_TEXTURE_DESC* descriptor, const CUDA_RESOURCE_VIEW_DESC* view) {
  return call(__func__, [&] {
    require(handle != nullptr && resource != nullptr && descriptor != nullptr);
    if (view != nullptr) return not_supported("cuTexObjectCreate", "a resource view");
    *handle = add_texture(make_texture(*resource, *descriptor, current_owner()));
    return CUDA_SUCCESS;
  });
}

KILN_EMULATOR_API cuTexObjectDestroy(CUtexObject handle) {
  return call(__func__, [&] {
    destroy_texture(handle);
    return CUDA_SUCCESS;
  });
}

KILN_EMULATOR_API cuTexObjectGetResourceDesc(CUDA_RESOURCE_DESC* resource, CUtexObject handle) {
  return call(__func__, [&] {
    require(resource != nullptr);
    *resource = texture_of(handle)->resource;
    return CUDA_SUCCESS;
  });
}

KILN_EMULATOR_API cuTexObjectGetTextureDesc(CUDA_TEXTURE_DESC* descriptor, CUtexObject handle) {
  return call(__func__, [&] {
    require(descriptor != nullptr);
    *descriptor = texture_of(handle)->descriptor;
    return CUDA_SUCCESS;
  });
}

KILN_EMULATOR_API cuTexObjectGetResourceViewDesc(CUDA_RESOURCE_VIEW_DESC* view, CUtexObject handle) {
  return call(__func__, [&] {
    require(view != nullptr);
    (void)texture_of(handle);
    return CUDA_ERROR_INVALID_VALUE;  // as the driver, if the texture was made without one
  });
}

KILN_EMULATOR_API cuSurfObjectCreate(CUsurfObject* handle, const CUDA_RESOURCE_DESC* resource) {
  return call(__func__, [&] {
    require(handle != nullptr && resource != nullptr);
    *handle = add_surface(make_surface(*resource, current_owner()));
    return CUDA_SUCCESS;
  });
}

KILN_EMULATOR_API cuSurfObjectDestroy(CUsurfObject handle) {
  return call(__func__, [&] {
    destroy_surface(handle);
    return CUDA_SUCCESS;
  });
}

KILN_EMULATOR_API cuSurfObjectGetResourceDesc(CUDA_RESOURCE_DESC* resource, CUsurfObject handle) {
  return call(__func__, [&] {
    require(resource != nullptr);
    const std::shared_ptr<const Surface> surface = find_surface(handle);
    require(surface != nullptr, "this is no surface object, or one that was destroyed");
    *resource = surface->resource;
    return CUDA_SUCCESS;
  });
}
