// Texture and surface references by name.
#include <kiln/module.hpp>

#include "base/argument_error.hpp"
#include "base/passkey.hpp"
#include "memory/asynchronous_error.hpp"
#include "memory/context.hpp"
#include "module/module_impl.hpp"
#include "module/name_lookup.hpp"
#include "module/texture_reference.hpp"
#include "toolkit/names/kernel_name.hpp"

namespace kiln {

namespace {

/// Reads a variable on the current device; nothing where it is no reference.
std::optional<ReferenceVariable> read_variable(const GlobalVariable& variable, const std::string& symbol) {
  if (variable.size != sizeof(ReferenceVariable)) return std::nullopt;
  std::string bytes(variable.size, '\0');
  check_work(Driver::get().memcpy_dtoh(bytes.data(), variable.pointer, bytes.size()), "cuMemcpyDtoH",
             " for variable " + symbol);
  return read_reference(bytes);
}

/// For error texts: the names of all references of a kind, and a list of them with what they are declared as.
std::string list_references(ModuleImage& code, bool textures, std::vector<std::string>& names) {
  std::string list;
  for (const std::string& symbol : code.globals()) {
    const auto variable = code.image(current_device()).find_global(symbol);
    const auto reference = variable ? read_variable(*variable, symbol) : std::nullopt;
    if (!reference || reference->is_texture() != textures) continue;
    names.push_back(demangle(symbol));
    list += "\n  " + names.back() + ": " + declaration(*reference);
  }
  return list;
}

[[noreturn]] void refuse(Module::Impl& module, std::string_view name, bool textures, const std::string& why) {
  const std::string kind = textures ? "texture reference" : "surface reference";
  std::string list;
  std::vector<std::string> names;
  for (const auto& image : module.images.all()) list += list_references(*image, textures, names);
  list = list.empty() ? "; the code has none" : "; there are" + list;
  if (const std::string similar = similar_variable(name, names); !similar.empty())
    list += "\nDid you mean \"" + similar + "\"?";
  throw_argument_error("\"" + std::string(name) + "\" is no " + kind + " of the module: " + why + list,
                       "the name of a " + kind, std::string(name));
}

struct Found {
  std::string symbol;
  ReferenceVariable declared;
};

/// In the module's own code, else in the instances that were compiled later.
Found find_reference(Module::Impl& module, std::string_view name, bool texture) {
  const int device = current_device();
  for (const auto& code : module.images.all()) {
    const std::string listed = code->find_global_symbol(name);
    // A fatbin that was not compiled here lists no variables: the driver is asked for the name as it is.
    const std::string symbol = listed.empty() ? std::string(name) : listed;
    const auto variable = code->image(device).find_global(symbol);
    if (!variable) continue;
    const auto declared = read_variable(*variable, symbol);
    if (!declared)
      refuse(module, name, texture,
             "it is a variable of " + std::to_string(variable->size) +
                 " bytes that no texture<> or surface<> declaration compiled by Kiln made");
    if (declared->is_texture() != texture)
      refuse(module, name, texture,
             "it is " + declaration(*declared) + (texture ? ": call get_surfref" : ": call get_texref"));
    return {symbol, *declared};
  }
  refuse(module, name, texture, "it has no such variable");
}

template <class Impl>
std::shared_ptr<Impl> get_reference(Module::Impl& module, std::string_view name, bool texture) {
  const Found found = find_reference(module, name, texture);
  std::shared_ptr<Reference> reference;
  {
    const std::lock_guard lock(module.references->mutex);
    reference = module.references->find(found.symbol);
    if (!reference) {
      reference =
          std::make_shared<Impl>(std::string(name), found.symbol, found.declared, module.images.main().images());
      module.references->references.push_back(reference);
    }
  }
  module.has_references.store(true, std::memory_order_release);
  module.hook_launches();
  return std::static_pointer_cast<Impl>(reference);
}

}  // namespace

void Module::Impl::hook_launches() {
  for (const auto& image : images.all()) image->bind_references(references);
}

TextureReference Module::get_texref(std::string_view name) const {
  return TextureReference(passkey, get_reference<TextureReference::Impl>(impl(), name, true));
}

SurfaceReference Module::get_surfref(std::string_view name) const {
  return SurfaceReference(passkey, get_reference<SurfaceReference::Impl>(impl(), name, false));
}

}  // namespace kiln
