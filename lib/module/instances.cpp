#include "module/instances.hpp"

#include "toolkit/kernel_name.hpp"

#include <kiln/error.hpp>

namespace kiln {

std::shared_ptr<Kernel> Instances::kernel(const std::string& expression, KernelSet& main, std::optional<int> device) {
  const std::string canonical = canonical_spacing(expression);
  std::shared_ptr<Instance> instance;
  {
    const std::lock_guard lock(mutex_);
    std::shared_ptr<Instance>& entry = by_expression_[canonical];
    if (!entry) entry = std::make_shared<Instance>();
    instance = entry;
  }
  const std::lock_guard lock(instance->mutex);
  if (instance->kernel) return instance->kernel;

  const Recipe& recipe = *main.code().data()->recipe;
  CodeObject code = compile_for_device(recipe.source, recipe.options.with_name_expressions({canonical}), device);
  const std::string symbol = code.lowered_name(canonical);
  instance->kernel = main.find_kernel(symbol);
  if (instance->kernel) return instance->kernel;
  auto image = std::make_shared<KernelSet>(std::move(code), device);
  instance->kernel = image->find_kernel(symbol);
  if (!instance->kernel)
    throw ArgumentError("\"" + expression + "\" is no kernel: its symbol " + symbol + " is not a __global__ function",
                        expression, ArgumentError::no_index, "a __global__ function template with arguments",
                        expression);
  instance->image = std::move(image);
  return instance->kernel;
}

std::vector<std::shared_ptr<KernelSet>> Instances::images() const {
  std::vector<std::shared_ptr<Instance>> instances;
  {
    const std::lock_guard lock(mutex_);
    for (const auto& [expression, instance] : by_expression_) instances.push_back(instance);
  }
  std::vector<std::shared_ptr<KernelSet>> images;
  for (const auto& instance : instances) {
    const std::lock_guard lock(instance->mutex);
    if (instance->image) images.push_back(instance->image);
  }
  return images;
}

}  // namespace kiln
