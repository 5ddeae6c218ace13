#include <kiln/function.hpp>

#include "launch/argument_check.hpp"
#include "launch/host_transfer.hpp"
#include "launch/kernel.hpp"
#include "memory/context.hpp"

#include <algorithm>

namespace kiln {

namespace {

/// Lets Kiln's own code at what a Function's templates use.
class OpenFunction : public Function {
 public:
  explicit OpenFunction(const Function& function) : Function(function) {}
  using Function::kernel;
};

}  // namespace

Kernel& kernel_of(const Function& function) noexcept { return OpenFunction(function).kernel(); }

const std::string& Function::name() const noexcept { return kernel_->info().name; }

const std::vector<Parameter>& Function::parameters() const { return kernel_->parameters(); }

int Function::attribute(int function_attribute) const {
  return kernel_->attribute(function_attribute, current_device());
}

int Function::max_threads_per_block() const { return attribute(CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK); }
int Function::shared_size_bytes() const { return attribute(CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES); }
int Function::const_size_bytes() const { return attribute(CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES); }
int Function::local_size_bytes() const { return attribute(CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES); }
int Function::num_regs() const { return attribute(CU_FUNC_ATTRIBUTE_NUM_REGS); }
int Function::ptx_version() const { return attribute(CU_FUNC_ATTRIBUTE_PTX_VERSION); }
int Function::binary_version() const { return attribute(CU_FUNC_ATTRIBUTE_BINARY_VERSION); }

CUkernel Function::handle() const { return kernel_->handle(current_device()); }

void Function::check_types(const detail::Signature& signature) const { kernel_->check_types(signature); }

void Function::place_views(void** arguments, const detail::Signature& signature) const {
  kernel_->check_once(signature);
  const std::vector<Parameter>& parameters = kernel_->parameters();
  for (std::size_t i = 0; i < std::min(parameters.size(), signature.count); ++i)
    arguments[i] = const_cast<void*>(place_for(parameters[i], signature.arguments[i], arguments[i]));
}

void Function::launch(const LaunchConfig& config, void** arguments, const detail::Signature& signature) const {
  kernel_->launch(config, arguments, signature);
}

void Function::launch(const LaunchConfig& config, void** arguments, const detail::Signature& signature,
                      const detail::HostSlots& slots) const {
  kernel_->check_once(signature);
  launch_with_slots(*kernel_, config, arguments, slots, config.stream == nullptr);
}

double Function::timed_launch(const LaunchConfig& config, void** arguments, const detail::Signature& signature,
                              const detail::HostSlots& slots) const {
  kernel_->check_once(signature);
  return kiln::timed_launch(*kernel_, config, arguments, slots);
}

}  // namespace kiln
