#include "base/shared_library.hpp"

#include <kiln/error.hpp>

#include <dlfcn.h>
#include <link.h>

namespace kiln {

SharedLibrary SharedLibrary::open(const std::string& name_or_path) {
  // Symbols are bound now, so that a library that lacks one fails here with a message and not in the middle of a call.
  void* handle = ::dlopen(name_or_path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) {
    const char* reason = ::dlerror();
    throw Error("cannot load " + name_or_path + ": " + (reason != nullptr ? reason : "the loader gave no reason"));
  }
  return SharedLibrary(handle, name_or_path);
}

bool SharedLibrary::is_loaded(const std::string& name_or_path) noexcept {
  void* handle = ::dlopen(name_or_path.c_str(), RTLD_LAZY | RTLD_NOLOAD);
  if (handle == nullptr) {
    ::dlerror();  // or a later caller would be told of this
    return false;
  }
  ::dlclose(handle);  // gives back only the count that the question added
  return true;
}

void* SharedLibrary::symbol(const char* name) const noexcept {
  void* address = ::dlsym(handle_, name);
  if (address == nullptr) ::dlerror();
  return address;
}

std::string SharedLibrary::path() const {
  link_map* map = nullptr;
  if (::dlinfo(handle_, RTLD_DI_LINKMAP, &map) == 0 && map != nullptr && map->l_name != nullptr && *map->l_name != '\0')
    return map->l_name;
  return name_;
}

}  // namespace kiln
