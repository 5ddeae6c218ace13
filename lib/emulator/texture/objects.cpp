#include "emulator/texture/objects.hpp"

#include "emulator/provider/call.hpp"

#include <map>
#include <mutex>
#include <shared_mutex>
#include <unordered_map>

namespace kiln::emulator {
namespace {

/// Objects by number; numbers count up from `first`, so that each kind's are known by their range.
template <class T>
class Table {
 public:
  explicit Table(std::uint64_t first) : first_(first), next_(first) {}

  std::uint64_t add(std::shared_ptr<T> object) {
    const std::unique_lock lock(mutex_);
    const std::uint64_t handle = next_;
    next_ += step;
    objects_.emplace(handle, std::move(object));
    return handle;
  }
  std::shared_ptr<T> find(std::uint64_t handle) const {
    const std::shared_lock lock(mutex_);
    const auto found = objects_.find(handle);
    return found == objects_.end() ? nullptr : found->second;
  }
  std::shared_ptr<T> take(std::uint64_t handle) {
    const std::unique_lock lock(mutex_);
    const auto found = objects_.find(handle);
    if (found == objects_.end()) return nullptr;
    const std::shared_ptr<T> object = std::move(found->second);
    objects_.erase(found);
    return object;
  }
  bool was_given(std::uint64_t handle) const {
    const std::shared_lock lock(mutex_);
    return handle >= first_ && handle < next_ && (handle - first_) % step == 0;
  }
  template <class IsOne>
  std::vector<std::uint64_t> handles(IsOne is_one) const {
    std::vector<std::uint64_t> found;
    const std::shared_lock lock(mutex_);
    for (const auto& [handle, object] : objects_)
      if (is_one(*object)) found.push_back(handle);
    return found;
  }

 private:
  static constexpr std::uint64_t step = 16;
  mutable std::shared_mutex mutex_;
  const std::uint64_t first_;
  std::uint64_t next_;
  std::unordered_map<std::uint64_t, std::shared_ptr<T>> objects_;
};

struct Tables {
  Table<Array> arrays{0xA0ull << 40};
  Table<MipmappedArray> mipmapped{0xA8ull << 40};
  Table<Texture> textures{0xB0ull << 40};
  Table<Surface> surfaces{0xB8ull << 40};

  std::mutex level_mutex;
  std::map<std::uint64_t, std::map<unsigned, std::uint64_t>> level_handles;  // by mipmapped array
  std::unordered_map<std::uint64_t, std::uint64_t> level_parents;            // by array
};

/// Never destroyed: destructors of static objects call the driver still.
Tables& tables() {
  static Tables& all = *new Tables;
  return all;
}

template <class Handle>
std::uint64_t number(Handle handle) {
  return reinterpret_cast<std::uint64_t>(handle);
}

template <class Pointer>
Pointer required(Pointer object, const char* what) {
  if (object == nullptr)
    throw CallError(CUDA_ERROR_INVALID_HANDLE, std::string("the handle is of no ") + what + " (or of a destroyed one)");
  return object;
}

}  // namespace

CUarray add_array(std::shared_ptr<Array> array) {
  return reinterpret_cast<CUarray>(tables().arrays.add(std::move(array)));
}

std::shared_ptr<Array> array_of(CUarray handle) { return required(tables().arrays.find(number(handle)), "array"); }

void destroy_array(CUarray handle) {
  {
    const std::lock_guard lock(tables().level_mutex);
    if (tables().level_parents.count(number(handle)) != 0)
      throw CallError(CUDA_ERROR_INVALID_HANDLE, "a level of a mipmapped array ends with the mipmapped array");
  }
  required(tables().arrays.take(number(handle)), "array")->set_gone();
}

CUmipmappedArray add_mipmapped_array(std::shared_ptr<MipmappedArray> array) {
  return reinterpret_cast<CUmipmappedArray>(tables().mipmapped.add(std::move(array)));
}

std::shared_ptr<MipmappedArray> mipmapped_array_of(CUmipmappedArray handle) {
  return required(tables().mipmapped.find(number(handle)), "mipmapped array");
}

CUarray level_handle(CUmipmappedArray handle, unsigned level) {
  const std::shared_ptr<MipmappedArray> array = mipmapped_array_of(handle);
  if (level >= array->levels.size())
    throw CallError(CUDA_ERROR_INVALID_VALUE, "level " + std::to_string(level) + " of a mipmapped array of " +
                                                  std::to_string(array->levels.size()) + " levels");
  const std::lock_guard lock(tables().level_mutex);
  std::uint64_t& level_number = tables().level_handles[number(handle)][level];
  if (level_number == 0) {
    level_number = tables().arrays.add(array->levels[level]);
    tables().level_parents.emplace(level_number, number(handle));
  }
  return reinterpret_cast<CUarray>(level_number);
}

void destroy_mipmapped_array(CUmipmappedArray handle) {
  const auto array = required(tables().mipmapped.take(number(handle)), "mipmapped array");
  for (const std::shared_ptr<Array>& level : array->levels) level->set_gone();
  const std::lock_guard lock(tables().level_mutex);
  for (const auto& level : tables().level_handles[number(handle)]) {
    tables().arrays.take(level.second);
    tables().level_parents.erase(level.second);
  }
  tables().level_handles.erase(number(handle));
}

CUtexObject add_texture(std::shared_ptr<Texture> texture) { return tables().textures.add(std::move(texture)); }
std::shared_ptr<const Texture> find_texture(CUtexObject handle) { return tables().textures.find(handle); }
void destroy_texture(CUtexObject handle) { required(tables().textures.take(handle), "texture"); }

CUsurfObject add_surface(std::shared_ptr<Surface> surface) { return tables().surfaces.add(std::move(surface)); }
std::shared_ptr<const Surface> find_surface(CUsurfObject handle) { return tables().surfaces.find(handle); }
void destroy_surface(CUsurfObject handle) { required(tables().surfaces.take(handle), "surface"); }

std::string absence(std::uint64_t handle, ObjectKind wanted) {
  const bool texture = wanted == ObjectKind::texture;
  const char* const name = texture ? "texture" : "surface";
  const bool destroyed = texture ? tables().textures.was_given(handle) : tables().surfaces.was_given(handle);
  if (destroyed) return std::string("a ") + name + " object that was destroyed";
  const bool other = texture ? tables().surfaces.was_given(handle) : tables().textures.was_given(handle);
  if (other) return std::string("a ") + (texture ? "surface" : "texture") + " object where a " + name + " is wanted";
  return "the number " + std::to_string(handle) + ", which is the handle of no " + name + " object";
}

void destroy_objects_of(const void* context) {
  const auto is_owned = [&](const auto& object) { return object.owner.context == context; };
  Tables& all = tables();
  for (const std::uint64_t handle : all.textures.handles(is_owned)) all.textures.take(handle);
  for (const std::uint64_t handle : all.surfaces.handles(is_owned)) all.surfaces.take(handle);
  for (const std::uint64_t handle : all.mipmapped.handles(is_owned))
    destroy_mipmapped_array(reinterpret_cast<CUmipmappedArray>(handle));
  for (const std::uint64_t handle :
       all.arrays.handles([&](const Array& array) { return array.owner().context == context; }))
    if (const std::shared_ptr<Array> array = all.arrays.take(handle)) array->set_gone();
}

}  // namespace kiln::emulator
