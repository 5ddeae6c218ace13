#include <kiln/prepared_function.hpp>

#include "base/passkey.hpp"
#include "launch/host_transfer.hpp"
#include "launch/launch_limits.hpp"
#include "launch/prepared_plan.hpp"

#include <kiln/error.hpp>
#include <kiln/function.hpp>

namespace kiln {

namespace {

/// Calls `launch` with the configuration, with the prepared block and references where it leaves them out.
template <class Launch>
auto complete(const PreparedPlan& plan, const LaunchConfig& config, const Launch& launch) {
  const bool lacks_block = plan.has_block && config.block.is_left_out();
  const bool lacks_texrefs = plan.has_texrefs && config.texrefs.empty();
  if (!lacks_texrefs) return lacks_block ? launch(detail::changed(config, plan.block, config.stream)) : launch(config);
  LaunchConfig full = detail::changed(config, lacks_block ? BlockDim(plan.block) : config.block, config.stream);
  full.texrefs = plan.texrefs;
  return launch(full);
}

std::vector<std::string> strings(std::initializer_list<std::string_view> codes) { return {codes.begin(), codes.end()}; }

template <class Codes>
PreparedFunction prepared(const std::shared_ptr<Kernel>& kernel, const Codes& codes, const Dim3* block,
                          const TextureReferences& texrefs) {
  return PreparedFunction(
      passkey, std::make_shared<const PreparedPlan>(kernel, read_codes(kernel->display_name(), codes), block, texrefs));
}

}  // namespace

PreparedFunction Function::prepare(std::string_view codes, const TextureReferences& texrefs) const {
  return prepared(kernel_, codes, nullptr, texrefs);
}
PreparedFunction Function::prepare(std::string_view codes, const Dim3& block, const TextureReferences& texrefs) const {
  return prepared(kernel_, codes, &block, texrefs);
}
PreparedFunction Function::prepare(std::initializer_list<std::string_view> codes,
                                   const TextureReferences& texrefs) const {
  return prepared(kernel_, strings(codes), nullptr, texrefs);
}
PreparedFunction Function::prepare(std::initializer_list<std::string_view> codes, const Dim3& block,
                                   const TextureReferences& texrefs) const {
  return prepared(kernel_, strings(codes), &block, texrefs);
}
PreparedFunction Function::prepare(const std::vector<std::string>& codes, const TextureReferences& texrefs) const {
  return prepared(kernel_, codes, nullptr, texrefs);
}
PreparedFunction Function::prepare(const std::vector<std::string>& codes, const Dim3& block,
                                   const TextureReferences& texrefs) const {
  return prepared(kernel_, codes, &block, texrefs);
}
PreparedFunction Function::prepare_types(const detail::Signature& signature, const Dim3* block,
                                         const TextureReferences& texrefs) const {
  kernel_->check_types(signature);
  return PreparedFunction(passkey, std::make_shared<const PreparedPlan>(kernel_, codes_of(signature), block, texrefs));
}

void PreparedFunction::place_views(void** arguments, const detail::Signature& signature) const noexcept {
  plan_->place_views(arguments, signature);
}

bool PreparedFunction::has_block() const noexcept { return plan_->has_block; }

const Dim3& PreparedFunction::prepared_block() const {
  if (plan_->has_block) return plan_->block;
  const std::string& kernel = plan_->kernel->display_name();
  throw ArgumentError("kernel " + kernel +
                          " was prepared without a block: give it to prepare(), or here behind the grid, such "
                          "as prepared_call(64, {256}, ...)",
                      kernel, ArgumentError::no_index, "a block", "none");
}

const Dim3& PreparedFunction::only_block(const Dim3& given) const {
  if (!plan_->has_block) return given;
  const std::string& kernel = plan_->kernel->display_name();
  throw ArgumentError("kernel " + kernel + " was prepared with a block of " + text_of(plan_->block) +
                          ", so none is given behind the grid; a LaunchConfig takes another one",
                      kernel, ArgumentError::no_index, "no block", text_of(given));
}

void PreparedFunction::launch(const LaunchConfig& config, void** arguments, std::uint64_t* converted,
                              const detail::Signature& signature) const {
  plan_->fit(arguments, converted, signature);
  complete(*plan_, config, [&](const LaunchConfig& full) { plan_->kernel->launch(full, arguments); });
}

void PreparedFunction::launch(const LaunchConfig& config, void** arguments, std::uint64_t* converted,
                              const detail::Signature& signature, const detail::HostSlots& slots, bool wait) const {
  plan_->fit(arguments, converted, signature);
  complete(*plan_, config,
           [&](const LaunchConfig& full) { launch_with_slots(*plan_->kernel, full, arguments, slots, wait); });
}

double PreparedFunction::timed_launch(const LaunchConfig& config, void** arguments, std::uint64_t* converted,
                                      const detail::Signature& signature, const detail::HostSlots& slots) const {
  plan_->fit(arguments, converted, signature);
  return complete(*plan_, config,
                  [&](const LaunchConfig& full) { return kiln::timed_launch(*plan_->kernel, full, arguments, slots); });
}

}  // namespace kiln
