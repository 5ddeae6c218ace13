#include "module/kernel_set.hpp"

#include "memory/context.hpp"
#include "module/name_lookup.hpp"
#include "toolkit/names/kernel_name.hpp"

#include <kiln/error.hpp>

#include <algorithm>

namespace kiln {

namespace {

/// What is known of a kernel that only the driver lists.
KernelInfo info_of(const std::string& symbol) {
  KernelInfo info;
  info.name = symbol;
  add_readable_name(info);
  return info;
}

/// The program's own, which it may have set.
std::vector<ModuleVariable> variables_of(DeviceImages& images, int device) {
  std::vector<ModuleVariable> variables;
  const CodeInfo* const info = images.code().data()->listed_info();
  if (info == nullptr) return variables;
  for (const std::string& symbol : info->globals) {
    if (is_library_variable(symbol)) continue;
    if (const auto variable = images.image(device).find_global(symbol))
      variables.push_back({symbol, variable->pointer, variable->size});
  }
  return variables;
}

}  // namespace

KernelSet::KernelSet(CodeObject code, std::optional<int> device, Recompile recompile)
    : images_(std::make_shared<DeviceImages>(std::move(code), device, std::move(recompile))) {}

const std::vector<KernelInfo>& KernelSet::kernels() {
  if (const CodeInfo* info = code().data()->listed_info()) return info->kernels;
  std::call_once(listed_, [this] { list_driver_kernels(); });
  return driver_kernels_;
}

void KernelSet::list_driver_kernels() {
  for (const std::string& symbol : image(current_device()).kernel_symbols()) driver_kernels_.push_back(info_of(symbol));
}

const std::vector<std::string>& KernelSet::globals() const {
  const CodeInfo* info = code().data()->listed_info();
  return info != nullptr ? info->globals : no_globals_;
}

std::string KernelSet::lowered_symbol(std::string_view expression) const {
  const auto& lowered_names = code().data()->lowered_names;
  if (lowered_names.empty()) return {};
  const std::string canonical = canonical_spacing(expression);
  for (const auto& [name, symbol] : lowered_names)
    if (name == canonical) return symbol;
  return {};
}

std::string KernelSet::find_global_symbol(std::string_view name) const {
  refuse_deep_name(name);
  if (name.substr(0, 1) == "&") name.remove_prefix(1);  // as in a name expression
  if (std::string symbol = lowered_symbol("&" + std::string(name)); !symbol.empty()) return symbol;
  const std::vector<std::string> found = find_globals(name, globals());
  if (found.size() > 1) throw ambiguous_global(name, found);
  if (found.empty()) return {};
  // Linked code has a variable for each source in which it is static, and the driver would give any of them.
  if (std::count(globals().begin(), globals().end(), found.front()) > 1) throw global_in_two_sources(name);
  return found.front();
}

std::shared_ptr<Kernel> KernelSet::find_kernel(const std::string& symbol) {
  {
    const std::lock_guard lock(mutex_);
    if (const auto found = cache_.find(symbol); found != cache_.end()) return found->second;
  }
  if (only_driver_knows()) {
    // Asked of the driver without the list, which older drivers do not give.
    if (image(current_device()).find_kernel(symbol) == nullptr) return nullptr;
    return kernel(info_of(symbol));
  }
  for (const KernelInfo& info : kernels())
    if (info.name == symbol) return kernel(info);
  return nullptr;
}

std::shared_ptr<Kernel> KernelSet::kernel(const KernelInfo& info) {
  const std::lock_guard lock(mutex_);
  std::shared_ptr<Kernel>& kernel = cache_[info.name];
  if (kernel) return kernel;
  auto loader = [images = images_, symbol = info.name](int device) {
    const CUkernel handle = images->image(device).find_kernel(symbol);
    if (handle == nullptr) throw_driver_error(CUDA_ERROR_NOT_FOUND, "cuLibraryGetKernel", " for kernel " + symbol);
    return handle;
  };
  AskKinds ask_kinds;
  if (only_driver_knows()) ask_kinds = [images = images_] { return images->code().data()->fatbin_kinds(); };
  kernel = std::make_shared<Kernel>(info, !only_driver_knows(), std::move(loader), std::move(ask_kinds));
  set_hooks(*kernel, info);
  return kernel;
}

void KernelSet::set_hooks(Kernel& kernel, const KernelInfo& info) {
  if (auto capture =
          capture_hook(info, code(), [images = images_](int device) { return variables_of(*images, device); })) {
    if (hook_) capture->set_inner(hook_);
    kernel.set_hook(capture);
    captures_.emplace(&kernel, std::move(capture));
  } else if (hook_) {
    kernel.set_hook(hook_);
  }
}

void KernelSet::bind_references(const std::shared_ptr<ReferenceTable>& table) {
  std::shared_ptr<ReferenceHook> hook;
  {
    const std::lock_guard lock(mutex_);
    if (!hook_) {
      hook_ = std::make_shared<ReferenceHook>(table, images_);
      for (const auto& [symbol, kernel] : cache_) {
        if (const auto capture = captures_.find(kernel.get()); capture != captures_.end())
          capture->second->set_inner(hook_);
        else
          kernel->set_hook(hook_);
      }
    }
    hook = hook_;
  }
  hook->prepare();
}

void KernelSet::preload(int device) {
  (void)image(device);
  for (const KernelInfo& info : kernels()) kernel(info)->preload(device);
}

}  // namespace kiln
