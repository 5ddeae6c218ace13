#include "emulator/texture/objects.hpp"

#include "emulator/core/call_error.hpp"
#include "emulator/core/handle_table.hpp"

#include <mutex>

namespace kiln::emulator {
namespace {

// The driver has integers as handles of objects, the table pointers.
struct TextureKey;
struct SurfaceKey;

using Arrays = HandleTable<CUarray, Array>;
using MipmappedArrays = HandleTable<CUmipmappedArray, MipmappedArray>;
using Textures = HandleTable<TextureKey*, Texture>;
using Surfaces = HandleTable<SurfaceKey*, Surface>;

template <class Object>
std::shared_ptr<Object> required(std::shared_ptr<Object> object, const char* what) {
  if (object == nullptr)
    throw CallError(CUDA_ERROR_INVALID_HANDLE, std::string("this is no ") + what + ", or one that was destroyed");
  return object;
}

void end_levels(MipmappedArray& array) {
  for (const std::shared_ptr<Array>& level : array.levels) level->set_gone();
  const std::lock_guard lock(array.mutex);
  for (const auto& handle : array.handles) (void)Arrays::get().take(handle.second);
  array.handles.clear();
}

}  // namespace

CUarray add_array(std::shared_ptr<Array> array) { return Arrays::get().add(std::move(array)); }

std::shared_ptr<Array> array_of(CUarray handle) { return required(Arrays::get().find(handle), "array"); }

void destroy_array(CUarray handle) {
  if (array_of(handle)->is_level())
    throw CallError(CUDA_ERROR_INVALID_HANDLE, "a level ends with the mipmapped array it belongs to");
  required(Arrays::get().take(handle), "array")->set_gone();
}

CUmipmappedArray add_mipmapped_array(std::shared_ptr<MipmappedArray> array) {
  return MipmappedArrays::get().add(std::move(array));
}

std::shared_ptr<MipmappedArray> mipmapped_array_of(CUmipmappedArray handle) {
  return required(MipmappedArrays::get().find(handle), "mipmapped array");
}

CUarray level_handle(CUmipmappedArray handle, unsigned level) {
  const std::shared_ptr<MipmappedArray> array = mipmapped_array_of(handle);
  if (level >= array->levels.size())
    throw CallError(CUDA_ERROR_INVALID_VALUE, "level " + std::to_string(level) + " of a mipmapped array of " +
                                                  std::to_string(array->levels.size()) + " levels");
  const std::lock_guard lock(array->mutex);
  CUarray& known = array->handles[level];
  if (known == nullptr) known = Arrays::get().add(array->levels[level]);
  return known;
}

void destroy_mipmapped_array(CUmipmappedArray handle) {
  end_levels(*required(MipmappedArrays::get().take(handle), "mipmapped array"));
}

CUtexObject add_texture(std::shared_ptr<Texture> texture) {
  return reinterpret_cast<CUtexObject>(Textures::get().add(std::move(texture)));
}
std::shared_ptr<const Texture> find_texture(CUtexObject handle) {
  return Textures::get().find(reinterpret_cast<TextureKey*>(handle));
}
void destroy_texture(CUtexObject handle) {
  (void)required(Textures::get().take(reinterpret_cast<TextureKey*>(handle)), "texture object");
}

CUsurfObject add_surface(std::shared_ptr<Surface> surface) {
  return reinterpret_cast<CUsurfObject>(Surfaces::get().add(std::move(surface)));
}
std::shared_ptr<const Surface> find_surface(CUsurfObject handle) {
  return Surfaces::get().find(reinterpret_cast<SurfaceKey*>(handle));
}
void destroy_surface(CUsurfObject handle) {
  (void)required(Surfaces::get().take(reinterpret_cast<SurfaceKey*>(handle)), "surface object");
}

void destroy_objects_of(const Context& context) {
  const auto is_owned = [&](const auto& object) { return object.owner.context == &context; };
  (void)Textures::get().take_all(is_owned);
  (void)Surfaces::get().take_all(is_owned);
  for (const std::shared_ptr<MipmappedArray>& array : MipmappedArrays::get().take_all(is_owned)) end_levels(*array);
  for (const std::shared_ptr<Array>& array : Arrays::get().take_all(is_owned)) array->set_gone();
}

}  // namespace kiln::emulator
