#include "module/module_images.hpp"

#include "memory/context.hpp"
#include "module/instance_errors.hpp"
#include "module/name_lookup.hpp"
#include "module/reference_variable.hpp"
#include "toolkit/names/kernel_name.hpp"

#include <kiln/error.hpp>

#include <algorithm>
#include <set>
#include <utility>

namespace kiln {

namespace {

/// What is known of a kernel that only the driver lists.
KernelInfo info_of(const std::string& symbol) {
  KernelInfo info;
  info.name = symbol;
  add_readable_name(info);
  return info;
}

class CodeOfImages final : public KernelCode {
 public:
  CodeOfImages(std::shared_ptr<DeviceImages> images, std::string symbol)
      : images_(std::move(images)), symbol_(std::move(symbol)) {}

  CUkernel handle(int device) override {
    const CUkernel handle = images_->image(device).find_kernel(symbol_);
    if (handle == nullptr) throw_driver_error(CUDA_ERROR_NOT_FOUND, "cuLibraryGetKernel", " for kernel " + symbol_);
    return handle;
  }
  ParameterKinds kinds() override {
    const auto& data = images_->code().data();
    return data->listed_info() == nullptr ? data->fatbin_kinds() : ParameterKinds();
  }
  std::optional<CalledFunction> largest_called() override {
    return largest_called_function(images_->code().bytes(), symbol_);
  }

 private:
  const std::shared_ptr<DeviceImages> images_;
  const std::string symbol_;
};

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

ModuleImage::ModuleImage(CodeObject code, std::optional<int> device, Recompile recompile)
    : images_(std::make_shared<DeviceImages>(std::move(code), device, std::move(recompile))) {}

const std::vector<KernelInfo>& ModuleImage::kernels() {
  if (const CodeInfo* info = code().data()->listed_info()) return info->kernels;
  std::call_once(listed_, [this] { list_driver_kernels(); });
  return driver_kernels_;
}

void ModuleImage::list_driver_kernels() {
  for (const std::string& symbol : image(current_device()).kernel_symbols()) driver_kernels_.push_back(info_of(symbol));
}

const std::vector<std::string>& ModuleImage::globals() const {
  const CodeInfo* info = code().data()->listed_info();
  return info != nullptr ? info->globals : no_globals_;
}

std::string ModuleImage::lowered_symbol(std::string_view expression) const {
  const auto& lowered_names = code().data()->lowered_names;
  if (lowered_names.empty()) return {};
  const std::string canonical = canonical_spacing(expression);
  for (const auto& [name, symbol] : lowered_names)
    if (name == canonical) return symbol;
  return {};
}

std::string ModuleImage::find_global_symbol(std::string_view name) const {
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

std::shared_ptr<Kernel> ModuleImage::find_kernel(const std::string& symbol) {
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

std::shared_ptr<Kernel> ModuleImage::kernel(const KernelInfo& info) {
  const std::lock_guard lock(mutex_);
  std::shared_ptr<Kernel>& kernel = cache_[info.name];
  if (kernel) return kernel;
  auto code = std::make_unique<CodeOfImages>(images_, info.name);
  kernel = std::make_shared<Kernel>(info, !only_driver_knows(), std::move(code));
  set_hooks(*kernel, info);
  return kernel;
}

void ModuleImage::set_hooks(Kernel& kernel, const KernelInfo& info) {
  if (auto capture =
          capture_hook(info, code(), [images = images_](int device) { return variables_of(*images, device); })) {
    if (hook_) capture->set_inner(hook_);
    kernel.set_hook(capture);
    captures_.emplace(&kernel, std::move(capture));
  } else if (hook_) {
    kernel.set_hook(hook_);
  }
}

void ModuleImage::bind_references(const std::shared_ptr<ReferenceTable>& table) {
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

void ModuleImage::preload(int device) {
  (void)image(device);
  for (const KernelInfo& info : kernels()) kernel(info)->preload(device);
}

namespace {

bool contains(const std::vector<std::string>& list, const std::string& text) {
  return std::find(list.begin(), list.end(), text) != list.end();
}

void note(std::vector<std::string>& list, const std::string& text) {
  if (!contains(list, text)) list.push_back(text);
}

/// From the code's PTX, for which machine code is compiled once more. Null where the compiler gives none.
std::unique_ptr<const VariableUse> read_use(const CodeObject& code) {
  const CodeData& data = *code.data();
  if (data.target == Target::ptx) return std::make_unique<const VariableUse>(std::string(data.bytes));
  CompileOptions options = data.recipe->options.with_target(Target::ptx).with(&CompileOptions::keep, false);
  options.nvcc.code.clear();
  try {
    const CodeObject ptx = compile_for_device(data.recipe->source, options, usable_device());
    return std::make_unique<const VariableUse>(std::string(ptx.bytes()));
  } catch (const CompileStopped&) {
    throw;
  } catch (const Error&) {
    return nullptr;
  }
}

}  // namespace

ModuleImages::ModuleImages(CodeObject code, std::optional<int> device, Recompile recompile) {
  images_.push_back(std::make_shared<ModuleImage>(std::move(code), device, std::move(recompile)));
}

std::vector<std::shared_ptr<ModuleImage>> ModuleImages::all() const {
  const std::lock_guard lock(mutex_);
  return images_;
}

std::shared_ptr<Kernel> ModuleImages::give_kernel(const std::string& symbol) {
  const std::lock_guard lock(mutex_);
  return find_and_note(symbol);
}

std::shared_ptr<Kernel> ModuleImages::give_kernel(CodeObject code, std::optional<int> device,
                                                  const std::string& symbol) {
  auto image = std::make_shared<ModuleImage>(std::move(code), device);
  const std::lock_guard lock(mutex_);
  images_.push_back(std::move(image));
  try {
    if (auto kernel = find_and_note(symbol)) return kernel;
  } catch (...) {
    images_.pop_back();
    throw;
  }
  images_.pop_back();
  return nullptr;
}

std::shared_ptr<Kernel> ModuleImages::find_and_note(const std::string& symbol) {
  std::vector<ModuleImage*> owners;
  for (const auto& image : images_)
    if (image->find_kernel(symbol) != nullptr) owners.push_back(image.get());
  if (owners.empty()) return nullptr;

  const auto is_free = [&](const ModuleImage* image) {
    return image->globals().empty() || contains(image->given.kernels, symbol) || is_only_giver(*image);
  };
  auto owner = std::find_if(owners.begin(), owners.end(), is_free);
  std::string split;
  for (auto next = owners.begin(); owner == owners.end() && next != owners.end(); ++next) {
    split = variable_split_by(**next, symbol);
    if (split.empty()) owner = next;
  }
  if (owner == owners.end()) throw kernel_splits_variable(demangle(symbol), split, instances_given());
  if (!(*owner)->globals().empty()) note((*owner)->given.kernels, symbol);
  return (*owner)->find_kernel(symbol);
}

GlobalVariable ModuleImages::give_variable(std::string_view name) {
  const int device = current_device();
  const std::lock_guard lock(mutex_);
  std::vector<std::pair<ModuleImage*, std::string>> owners;
  std::set<std::string> names;
  for (const auto& image : images_) {
    std::string symbol = image->find_global_symbol(name);
    if (symbol.empty()) continue;
    names.insert(demangle(symbol));
    owners.emplace_back(image.get(), std::move(symbol));
  }
  if (names.size() > 1) throw ambiguous_global(name, {names.begin(), names.end()});
  // A fatbin that was not compiled here lists no variables: the driver is asked for the name as it is.
  if (owners.empty()) owners.emplace_back(images_.front().get(), std::string(name));
  const std::string variable = names.empty() ? std::string(name) : *names.begin();

  const auto is_free = [&](const auto& owner) {
    return contains(owner.first->given.variables, variable) || is_only_giver(*owner.first);
  };
  auto owner = std::find_if(owners.begin(), owners.end(), is_free);
  if (owner == owners.end())
    owner = std::find_if(owners.begin(), owners.end(),
                         [&](const auto& one) { return !has_users_elsewhere(*one.first, variable, Access::any); });
  if (owner == owners.end()) throw global_in_two_images(name, instances_given());
  auto found = owner->first->image(device).find_global(owner->second);
  if (!found) throw no_variable(name);
  note(owner->first->given.variables, variable);
  found->name = variable;
  found->code = owner->first->images();
  return *found;
}

ArgumentError ModuleImages::no_variable(std::string_view name) {
  const CodeData& code = *main().code().data();
  const CodeInfo* const listed = code.listed_info();
  return unknown_global(name, main().globals(), listed != nullptr ? listed->kernels : std::vector<KernelInfo>(),
                        code.recipe != nullptr ? std::string_view(code.recipe->source) : std::string_view());
}

bool ModuleImages::is_only_giver(const ModuleImage& image) const {
  return std::all_of(images_.begin(), images_.end(),
                     [&](const auto& other) { return other.get() == &image || other->given.is_empty(); });
}

/// Every image was compiled from the same source, so another one that was read will do. Null where none knows the
/// kernel: nvcc gives what is in an unnamed namespace another symbol in each compile.
const VariableUse* ModuleImages::use_of(ModuleImage& image, const std::string& kernel) {
  for (const auto& other : images_)
    if (other->given.use != nullptr && other->given.use->knows(kernel)) return other->given.use.get();
  if (!image.given.was_read) image.given.use = read_use(image.code());
  image.given.was_read = true;
  return image.given.use != nullptr && image.given.use->knows(kernel) ? image.given.use.get() : nullptr;
}

std::vector<ModuleImages::Variable> ModuleImages::variables_of(ModuleImage& image, const std::string& kernel) {
  std::vector<Variable> variables;
  if (const VariableUse* use = use_of(image, kernel)) {
    for (const auto& [variable, may_write] : use->of(kernel))
      if (!read_reference(variable->bytes))
        variables.push_back({demangle(std::string(variable->symbol)), variable->is_constant, may_write});
    return variables;
  }
  for (const std::string& symbol : image.globals()) variables.push_back({demangle(symbol), false, true});
  return variables;
}

/// Whether a kernel that was given out of the image uses the variable so.
bool ModuleImages::uses(ModuleImage& image, const std::string& variable, Access access) {
  for (const std::string& kernel : image.given.kernels)
    for (const Variable& used : variables_of(image, kernel))
      if (used.name == variable && (access == Access::any || used.may_write)) return true;
  return false;
}

bool ModuleImages::has_users_elsewhere(const ModuleImage& image, const std::string& variable, Access access) {
  return std::any_of(images_.begin(), images_.end(),
                     [&](const auto& other) { return other.get() != &image && uses(*other, variable, access); });
}

/// A variable that the kernel would not share with what other images gave out; empty where there is none.
std::string ModuleImages::variable_split_by(ModuleImage& image, const std::string& kernel) {
  for (const Variable& variable : variables_of(image, kernel)) {
    for (const auto& other : images_)
      if (other.get() != &image && contains(other->given.variables, variable.name)) return variable.name;
    const Access harmful = variable.may_write ? Access::any : Access::write;
    if (!variable.is_constant && has_users_elsewhere(image, variable.name, harmful)) return variable.name;
  }
  return {};
}

/// As name expressions.
std::vector<std::string> ModuleImages::instances_given() const {
  std::vector<std::string> names;
  for (const auto& image : images_)
    for (const std::string& symbol : image->given.kernels) {
      const std::string name = parse_demangled(demangle(symbol)).qualified_name;
      if (names_instance(name)) note(names, name);
    }
  return names;
}

}  // namespace kiln
