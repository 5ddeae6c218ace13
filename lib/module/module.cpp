#include <kiln/device.hpp>
#include <kiln/error.hpp>
#include <kiln/module.hpp>

#include "base/argument_error.hpp"
#include "memory/context.hpp"
#include "module/module_impl.hpp"
#include "module/name_lookup.hpp"
#include "module/overload.hpp"
#include "toolkit/kernel_name.hpp"

#include <algorithm>

namespace kiln {

namespace {

/// The kernel of that name. `signature` picks among overloads; null where the caller stated no types.
std::shared_ptr<Kernel> find(Module::Impl& module, std::string_view name, const detail::Signature* signature,
                             std::optional<int> device) {
  if (auto kernel = module.main.find_kernel(std::string(name))) return kernel;
  if (const std::string symbol = module.main.lowered_symbol(name); !symbol.empty())
    if (auto kernel = module.main.find_kernel(symbol)) return kernel;

  const std::vector<KernelInfo>& kernels = module.main.kernels();
  std::vector<const KernelInfo*> found = find_kernels(name, kernels);
  if (found.size() > 1 && signature != nullptr) {
    const std::vector<const KernelInfo*> picked = pick_overload(found, *signature);
    if (!picked.empty()) found = picked;
  }
  if (found.size() > 1) throw ambiguous_kernel(name, found);
  if (found.size() == 1) return module.main.kernel(*found.front());

  const CodeData& code = *module.main.code().data();
  const Recipe* recipe = code.recipe.get();
  const bool has_templates = recipe != nullptr && recipe->options.language == Language::cuda;
  if (has_templates && names_instance(name))
    return module.instances.kernel(take_apart(name).qualified_name, module.main, device);
  if (is_linked(code) && names_instance(name)) throw instance_not_linked(name, kernels);
  throw unknown_kernel(name, kernels, has_templates ? recipe->source : std::string_view());
}

Function find_and_load(Module::Impl& module, std::string_view name, const detail::Signature* signature) {
  const std::optional<int> device = usable_device();
  std::shared_ptr<Kernel> kernel = find(module, name, signature, device);
  if (module.has_references.load(std::memory_order_acquire)) module.hook_launches();  // of an instance's new image
  // Now rather than inside a launch, which may be under stream capture.
  if (device) kernel->preload(*device);
  return Function(std::move(kernel));
}

}  // namespace

std::string find_global_symbol(const KernelSet& code, std::string_view name) {
  if (std::string symbol = code.lowered_symbol("&" + std::string(name)); !symbol.empty()) return symbol;
  const std::vector<std::string> found = find_globals(name, code.globals());
  if (found.size() > 1) throw ambiguous_global(name, found);
  if (found.empty()) return {};
  // Linked code has a variable for each source in which it is static, and the driver would give any of them.
  if (std::count(code.globals().begin(), code.globals().end(), found.front()) > 1) throw global_in_two_sources(name);
  return found.front();
}

Module::Module(CodeObject code) : impl_(std::make_shared<Impl>(std::move(code), usable_device())) {}

Module::Impl& Module::impl() const {
  if (impl_ == nullptr)
    throw_argument_error(
        "this module has no code yet: call compile(), which makes it from the text, or link(), "
        "which makes it from what was added",
        "a module that was compiled or linked", "one that was not");
  return *impl_;
}

Function Module::get_function(std::string_view name) const { return find_and_load(impl(), name, nullptr); }

Function Module::find_function(std::string_view name, const detail::Signature& signature) const {
  return find_and_load(impl(), name, &signature);
}

GlobalVariable Module::get_global(std::string_view name) const {
  Impl& module = impl();
  const int device = current_device();
  KernelSet* owner = &module.main;
  std::string symbol = find_global_symbol(*owner, name);
  const auto instances = module.instances.images();  // kept for as long as `owner` may point there
  for (const auto& instance : instances) {
    std::string another = find_global_symbol(*instance, name);
    if (another.empty()) continue;
    if (!symbol.empty()) throw global_in_two_images(name);
    owner = instance.get();
    symbol = std::move(another);
  }
  // A fatbin of others does not tell its variables, so the driver is asked for the name as it is.
  const auto variable = owner->image(device).find_global(symbol.empty() ? std::string(name) : symbol);
  if (!variable) throw unknown_global(name, module.main.globals());
  return *variable;
}

std::vector<std::string> Module::function_names() const {
  std::vector<std::string> names;
  for (const KernelInfo& kernel : impl().main.kernels()) names.push_back(kernel.readable_name);
  return names;
}

void Module::preload(const std::vector<int>& devices) const {
  Impl& module = impl();
  for (const int ordinal : devices) {
    const ContextGuard guard(Device(ordinal).ordinal());
    module.main.preload(ordinal);
    for (const auto& instance : module.instances.images()) instance->preload(ordinal);
  }
}

const CodeObject& Module::code() const { return impl().main.code(); }

}  // namespace kiln
