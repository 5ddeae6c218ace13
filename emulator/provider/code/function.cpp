#include "emulator/provider/code/function.hpp"

#include "emulator/core/device_attributes.hpp"
#include "emulator/provider/context/call.hpp"
#include "emulator/ptx/parse.hpp"

#include <utility>

namespace kiln::emulator {

LibraryState::LibraryState(std::string text) : text_(std::move(text)), parsed_(ptx::parse(text_)) {
  unread_ = parsed_->unread;
  for (const ptx::Function& function : parsed_->functions) {
    if (!function.is_entry || !function.has_body) continue;
    auto state = std::make_shared<KernelState>();
    state->name = function.name;
    states_.push_back(std::move(state));
  }
}

LibraryState::~LibraryState() {
  for (const auto& state : states_)
    for (const auto& [context, function] : state->functions) (void)Functions::get().take(function);
  for (const CUkernel kernel : kernels_) (void)Kernels::get().take(kernel);
}

void LibraryState::publish(CUlibrary handle) {
  for (const auto& state : states_) {
    state->library = weak_from_this();
    state->library_handle = handle;
    kernels_.push_back(Kernels::get().add(state));
  }
}

CUkernel LibraryState::kernel(std::string_view name) const {
  for (std::size_t i = 0; i < kernels_.size(); ++i)
    if (states_[i]->name == name) return kernels_[i];
  return nullptr;
}

std::shared_ptr<const Image> LibraryState::image(Context& context) {
  const std::lock_guard lock(mutex_);
  return image_locked(context);
}

const std::shared_ptr<const Image>& LibraryState::image_locked(Context& context) {
  const auto found = images_.find(&context);
  if (found != images_.end()) return found->second;
  ptx::Module module = parsed_ ? std::move(*parsed_) : ptx::parse(text_);
  parsed_.reset();
  std::shared_ptr<const Image> image = Image::load(std::move(module), context.device(), device_arch());
  return images_.emplace(&context, std::move(image)).first->second;
}

CUfunction LibraryState::function(KernelState& kernel, Context& context) {
  std::shared_ptr<FunctionSettings> its_settings = settings(kernel, context.device());
  const std::lock_guard lock(mutex_);
  const auto known = kernel.functions.find(&context);
  if (known != kernel.functions.end()) return known->second;
  auto function = std::make_shared<FunctionState>();
  function->image = image_locked(context);
  function->kernel = function->image->kernel(kernel.name);
  if (function->kernel == nullptr) throw CallError(CUDA_ERROR_NOT_FOUND, "");
  function->context = &context;
  function->settings = std::move(its_settings);
  return kernel.functions[&context] = Functions::get().add(std::move(function));
}

std::shared_ptr<FunctionSettings> LibraryState::settings(KernelState& kernel, int device) {
  const std::lock_guard lock(mutex_);
  std::shared_ptr<FunctionSettings>& settings = kernel.settings[device];
  if (settings == nullptr) settings = std::make_shared<FunctionSettings>();
  return settings;
}

void LibraryState::drop(const Context& context) {
  const std::lock_guard lock(mutex_);
  for (const auto& state : states_) {
    const auto known = state->functions.find(&context);
    if (known == state->functions.end()) continue;
    (void)Functions::get().take(known->second);
    state->functions.erase(known);
  }
  images_.erase(&context);
}

std::shared_ptr<KernelState> kernel_of(CUkernel handle) {
  std::shared_ptr<KernelState> kernel = Kernels::get().find(handle);
  if (kernel == nullptr)
    throw CallError(CUDA_ERROR_INVALID_HANDLE, "this is no kernel, or one whose library was unloaded");
  return kernel;
}

std::shared_ptr<FunctionState> function_of(CUfunction handle, Context* context) {
  if (std::shared_ptr<FunctionState> function = Functions::get().find(handle)) return function;
  const std::shared_ptr<KernelState> kernel = Kernels::get().find(reinterpret_cast<CUkernel>(handle));
  const std::shared_ptr<LibraryState> library = kernel == nullptr ? nullptr : kernel->library.lock();
  if (library == nullptr)
    throw CallError(CUDA_ERROR_INVALID_HANDLE, "this is no function, or one whose module was unloaded");
  return Functions::get().find(library->function(*kernel, context != nullptr ? *context : current_context()));
}

}  // namespace kiln::emulator
