#include "module/instances.hpp"

#include <kiln/error.hpp>

namespace kiln {

std::shared_ptr<Instances::Instance> Instances::instance(const std::string& expression) {
  const std::lock_guard lock(mutex_);
  std::shared_ptr<Instance>& entry = by_expression_[expression];
  if (!entry) entry = std::make_shared<Instance>();
  return entry;
}

std::shared_ptr<Kernel> Instances::kernel(const InstanceName& name, ModuleImages& images, std::optional<int> device) {
  const auto entry = instance(name.overload.empty() ? name.expression : name.overload);
  const std::lock_guard lock(entry->mutex);
  if (entry->kernel) return entry->kernel;

  InstanceCode made = compile_instance(*images.main().code().data()->recipe, name, device);
  entry->kernel = images.give_kernel(made.symbol);
  if (!entry->kernel) entry->kernel = images.give_kernel(std::move(made.code), device, made.symbol);
  if (!entry->kernel)
    throw ArgumentError(
        "\"" + name.expression + "\" is no kernel: its symbol " + made.symbol + " is not a __global__ function",
        name.expression, ArgumentError::no_index, "a __global__ function template with arguments", name.expression);
  return entry->kernel;
}

}  // namespace kiln
