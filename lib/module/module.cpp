#include <kiln/device.hpp>
#include <kiln/error.hpp>
#include <kiln/module.hpp>

#include "base/argument_error.hpp"
#include "base/passkey.hpp"
#include "memory/context.hpp"
#include "module/instance_errors.hpp"
#include "module/module_impl.hpp"
#include "module/name_lookup.hpp"
#include "module/overload.hpp"
#include "module/refused_code.hpp"

namespace kiln {

namespace {

/// The symbol among the kernels of the module's own code; empty where there is none. `signature` picks among overloads;
/// null where the caller stated no types. `has_templates`: an instance with these types may be compiled.
std::string find_symbol(ModuleImage& code, std::string_view name, const detail::Signature* signature,
                        bool has_templates) {
  if (code.find_kernel(std::string(name)) != nullptr) return std::string(name);
  if (std::string symbol = code.lowered_symbol(name); !symbol.empty() && code.find_kernel(symbol) != nullptr)
    return symbol;
  std::vector<const KernelInfo*> found = find_kernels(name, code.kernels());
  if (!found.empty() && signature != nullptr) {
    const std::vector<const KernelInfo*> picked = pick_overload(found, *signature);
    if (picked.empty() && has_templates && names_instance(name)) return {};
    if (picked.empty() && found.size() > 1) throw no_kernel_takes(name, found);
    if (!picked.empty()) found = picked;
  }
  if (found.size() > 1) throw ambiguous_kernel(name, found);
  return found.empty() ? std::string() : found.front()->name;
}

/// With the template instances that were compiled later.
std::vector<KernelInfo> kernels_of(ModuleImages& images) {
  std::vector<KernelInfo> kernels;
  for (const auto& image : images.all())
    kernels.insert(kernels.end(), image->kernels().begin(), image->kernels().end());
  return kernels;
}

std::shared_ptr<Kernel> find(Module::Impl& module, std::string_view name, const detail::Signature* signature,
                             std::optional<int> device) {
  ModuleImage& main = module.images.main();
  const CodeData& code = *main.code().data();
  const Recipe* recipe = code.recipe.get();
  const bool has_templates = recipe != nullptr && recipe->options.language == Language::cuda;
  if (const std::string symbol = find_symbol(main, name, signature, has_templates); !symbol.empty())
    return module.images.give_kernel(symbol);

  if (has_templates && names_instance(name))
    return module.instances.kernel(instance_name(name, signature), module.images, device);
  const ArgumentError unknown = unknown_kernel(name, kernels_of(module.images), main.globals(),
                                               has_templates ? recipe->source : std::string_view());
  throw is_linked(code) && names_instance(name) ? instance_not_linked(unknown) : unknown;
}

Function find_and_load(Module::Impl& module, std::string_view name, const detail::Signature* signature) {
  refuse_deep_name(name);
  const std::optional<int> device = usable_device();
  std::shared_ptr<Kernel> kernel = find(module, name, signature, device);
  if (module.has_references.load(std::memory_order_acquire)) module.hook_launches();  // of an instance's new image
  // Now rather than inside a launch, which may be under stream capture.
  if (device) kernel->preload(*device);
  return Function(passkey, std::move(kernel));
}

}  // namespace

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

GlobalVariable Module::get_global(std::string_view name) const { return impl().images.give_variable(name); }

std::vector<std::string> Module::function_names() const {
  std::vector<std::string> names;
  for (const KernelInfo& kernel : impl().images.main().kernels()) names.push_back(kernel.readable_name);
  return names;
}

void Module::preload(const std::vector<int>& devices) const {
  Impl& module = impl();
  for (const int ordinal : devices) {
    const ContextGuard guard(Device(ordinal).ordinal());
    for (const auto& image : module.images.all()) image->preload(ordinal);
  }
}

const CodeObject& Module::code() const { return impl().images.main().code(); }

}  // namespace kiln
