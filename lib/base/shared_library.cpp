#include "base/shared_library.hpp"

#include "base/fork_safe_mutex.hpp"

#include <kiln/error.hpp>

#include <dlfcn.h>
#include <link.h>

#include <cstddef>

namespace kiln {

namespace {

/// How many objects the loader has added since the process began; 0 where that cannot be queried. It never shrinks.
unsigned long long objects_added() noexcept {
  // The count is behind a lock of the loader that a child may inherit closed.
  if (fork_generation() != 0) return 0;
  unsigned long long added = 0;
  ::dl_iterate_phdr(
      [](dl_phdr_info* object, std::size_t, void* count) {
        *static_cast<unsigned long long*>(count) = object->dlpi_adds;
        return 1;  // every object reports the same
      },
      &added);
  return added;
}

/// The loader's reason often begins with the name.
std::string error_text(const std::string& name, const std::string& reason) {
  return reason.compare(0, name.size() + 2, name + ": ") == 0 ? reason : name + ": " + reason;
}

}  // namespace

SharedLibrary SharedLibrary::open(const std::string& name_or_path) {
  // Symbols are bound now, so that a library that lacks one fails here with a message and not in the middle of a call.
  void* handle = ::dlopen(name_or_path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) {
    const char* reason = ::dlerror();
    throw Error(error_text(name_or_path, reason != nullptr ? reason : "the loader gave no reason"));
  }
  return SharedLibrary(handle, name_or_path);
}

bool SharedLibrary::is_loaded(const std::string& name_or_path) noexcept {
  void* handle = ::dlopen(name_or_path.c_str(), RTLD_LAZY | RTLD_NOLOAD);
  if (handle == nullptr) {
    ::dlerror();  // or a later caller would get this error
    return false;
  }
  ::dlclose(handle);  // gives back only the count that the question added
  return true;
}

void* SharedLibrary::symbol(const char* name) const noexcept {
  void* address = ::dlsym(handle_, name);
  if (address != nullptr) return address;
  // A successful call clears the loader's error, which a later caller of dlerror would get. dlerror itself would make a
  // text of it first, which takes 10 us in a new process.
  link_map* ignored = nullptr;
  ::dlinfo(handle_, RTLD_DI_LINKMAP, &ignored);
  return nullptr;
}

std::string SharedLibrary::path() const {
  link_map* map = nullptr;
  if (::dlinfo(handle_, RTLD_DI_LINKMAP, &map) == 0 && map != nullptr && map->l_name != nullptr && *map->l_name != '\0')
    return map->l_name;
  return name_;
}

std::string own_library() {
  Dl_info place = {};
  void* map = nullptr;
  const bool known = ::dladdr1(reinterpret_cast<void*>(&own_library), &place, &map, RTLD_DL_LINKMAP) != 0;
  return known && map != nullptr ? static_cast<const link_map*>(map)->l_name : "";
}

void keep_own_code_loaded() {
  const std::string library = own_library();
  if (!library.empty()) ::dlopen(library.c_str(), RTLD_NOW | RTLD_NOLOAD | RTLD_NODELETE);
}

bool LibraryWatch::is_loaded() noexcept {
  // Before the search: what is added meanwhile makes the next call search again.
  const unsigned long long now = objects_added();
  if (now != 0 && objects_without_.load(std::memory_order_relaxed) == now) return false;
  if (SharedLibrary::is_loaded(name_)) return true;
  objects_without_.store(now, std::memory_order_relaxed);
  return false;
}

}  // namespace kiln
