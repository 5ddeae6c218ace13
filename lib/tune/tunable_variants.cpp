#include "tune/tunable_variants.hpp"

#include "launch/kernel.hpp"
#include "launch/launch_limits.hpp"

#include <kiln/source_module.hpp>

namespace kiln {

void check_limits_of(const Function& function, const LaunchConfig& config, int device) {
  Kernel& kernel = kernel_of(function);
  check_limits(config, {kernel.display_name(), kernel.handle(device), device});
  kernel.allow_shared(config.shared_size, device);
}

TunableVariants::Variant& TunableVariants::variant(const TuneConfiguration& values) {
  std::string key;
  for (const auto& [name, value] : values) key += value.json() + ",";
  const std::lock_guard lock(mutex_);
  std::unique_ptr<Variant>& place = variants_[key];
  if (!place) place = std::make_unique<Variant>();
  return *place;
}

const Function& TunableVariants::function(const TuneConfiguration& values) {
  Variant& one = variant(values);
  const std::lock_guard lock(one.mutex);
  if (!one.function) {
    const TunableRequest request = request_of(definition_, values);
    one.function = SourceModule(definition_.source, request.options).get_function(request.function);
  }
  return *one.function;
}

void TunableVariants::keep(const TuneConfiguration& values, const Function& function) {
  Variant& one = variant(values);
  const std::lock_guard lock(one.mutex);
  if (!one.function) one.function = function;
}

}  // namespace kiln
