// Function's attributes that can be set, and its occupancy.
#include <kiln/function.hpp>

#include "launch/cluster_check.hpp"
#include "launch/kernel.hpp"
#include "launch/occupancy.hpp"
#include "memory/context.hpp"

#include <algorithm>

namespace kiln {

namespace {

KernelOnDevice on_current_device(Kernel& kernel) {
  const int device = current_device();
  return {kernel.display_name(), kernel.handle(device), device};
}

void check_block_limit(const KernelOnDevice& kernel, int block_limit) {
  if (block_limit < 0)
    throw_limit(kernel.name, "block_limit", "at least 0", std::to_string(block_limit), "; 0 is no limit");
}

}  // namespace

int Function::cache_mode_ca() const { return attribute(FunctionAttribute::cache_mode_ca); }

int Function::max_dynamic_shared_size_bytes() const {
  return attribute(FunctionAttribute::max_dynamic_shared_size_bytes);
}

int Function::preferred_shared_memory_carveout() const {
  return attribute(FunctionAttribute::preferred_shared_memory_carveout);
}

Dim3 Function::required_cluster() const { return compiled_cluster(on_current_device(*kernel_)); }

void Function::set_attribute(int function_attribute, int value) const {
  kernel_->set_attribute(function_attribute, value, current_device());
}

void Function::set_cache_config(CacheConfig config) const {
  set_kernel_cache_config(on_current_device(*kernel_), static_cast<CUfunc_cache>(config));
}

int Function::max_active_blocks_per_multiprocessor(const Dim3& block, std::size_t shared_size) const {
  const KernelOnDevice kernel = on_current_device(*kernel_);
  check_limits({1, block}, kernel);
  kernel_->allow_shared(shared_size, kernel.device);
  return max_active_blocks(kernel, block, shared_size);
}

PotentialBlockSize Function::max_potential_block_size(std::size_t shared_size, int block_limit) const {
  const KernelOnDevice kernel = on_current_device(*kernel_);
  check_block_limit(kernel, block_limit);
  kernel_->allow_shared(shared_size, kernel.device);
  return potential_block_size(kernel, shared_size, block_limit);
}

PotentialBlockSize Function::max_potential_block_size(const std::function<std::size_t(int)>& shared_size,
                                                      int block_limit) const {
  const KernelOnDevice kernel = on_current_device(*kernel_);
  check_block_limit(kernel, block_limit);
  if (!shared_size)
    throw_limit(kernel.name, "shared_size", "a callable that gives bytes for a number of threads", "an empty one",
                "; leave it out for a kernel without dynamic shared memory");
  const std::vector<BlockNeed> blocks = block_needs(kernel, shared_size, block_limit);
  const auto needs_less = [](const BlockNeed& a, const BlockNeed& b) { return a.shared_size < b.shared_size; };
  kernel_->allow_shared(std::max_element(blocks.begin(), blocks.end(), needs_less)->shared_size, kernel.device);
  return potential_block_size(kernel, blocks);
}

std::size_t Function::available_dynamic_shared_size(int blocks, const Dim3& block) const {
  const KernelOnDevice kernel = on_current_device(*kernel_);
  if (blocks < 1) throw_limit(kernel.name, "blocks on a multiprocessor", "at least 1", std::to_string(blocks), "");
  check_limits({1, block}, kernel);
  return available_shared_size(kernel, blocks, block);
}

int Function::max_active_clusters(const LaunchConfig& config) const {
  const ContextGuard guard(stream_context(config.stream));
  const KernelOnDevice kernel = on_current_device(*kernel_);
  check_limits(config, kernel);
  kernel_->allow_shared(config.shared_size, kernel.device);
  prepare_cluster(config, kernel);
  return kiln::max_active_clusters(kernel, config);
}

int Function::max_potential_cluster_size(const LaunchConfig& config) const {
  const ContextGuard guard(stream_context(config.stream));
  const KernelOnDevice kernel = on_current_device(*kernel_);
  check_limits(config, kernel);
  kernel_->allow_shared(config.shared_size, kernel.device);
  check_clusters_here(kernel);
  return kiln::max_potential_cluster_size(kernel, config);
}

}  // namespace kiln
