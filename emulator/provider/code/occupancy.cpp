#include "emulator/provider/code/occupancy.hpp"

#include "emulator/core/call_error.hpp"
#include "emulator/core/device_attributes.hpp"
#include "emulator/core/occupancy.hpp"

#include <algorithm>
#include <string>

namespace kiln::emulator {

namespace {

std::size_t attribute(const FunctionState& function, CUdevice_attribute attribute) {
  return static_cast<std::size_t>(device_attribute(function.context->device(), attribute));
}

}  // namespace

std::size_t max_dynamic_shared_opt_in(const FunctionState& function) {
  const std::size_t most = attribute(function, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN);
  return most - std::min<std::size_t>(most, function.kernel->static_shared);
}

std::size_t max_dynamic_shared(const FunctionState& function) {
  const int raised = function.settings->max_dynamic_shared;
  if (raised >= 0) return std::min(static_cast<std::size_t>(raised), max_dynamic_shared_opt_in(function));
  const std::size_t usual = attribute(function, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK);
  return usual - std::min<std::size_t>(usual, function.kernel->static_shared);
}

int resident_blocks(const FunctionState& function, int block_size, std::size_t dynamic_shared) {
  const std::size_t shared = function.kernel->static_shared + dynamic_shared;
  if (block_size <= 0 || static_cast<std::uint32_t>(block_size) > function.kernel->max_threads) return 0;
  if (shared > attribute(function, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN)) return 0;
  return static_cast<int>(block_limits({static_cast<std::uint32_t>(block_size), 0, shared}).least());
}

namespace {

// Of Hopper: without and with CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED.
constexpr std::uint32_t portable_size = 8, largest_size = 16;

const ptx::Directives& directives_of(const FunctionState& function) {
  return function.kernel->code->source->directives;
}

std::string size_text(const Dim3& size) { return size.text() + " blocks"; }

[[noreturn]] void refuse_cluster(const FunctionState& function, const std::string& problem) {
  throw CallError(CUDA_ERROR_INVALID_CLUSTER_SIZE, "the kernel " + function.kernel->name + " " + problem);
}

// Nothing overflows: a size beyond the largest is as good as any other.
std::uint64_t blocks_of(const Dim3& cluster) {
  return std::uint64_t{std::min(cluster.x, largest_size + 1)} * std::min(cluster.y, largest_size + 1) *
         std::min(cluster.z, largest_size + 1);
}

}  // namespace

std::optional<Dim3> required_cluster(const FunctionState& function) {
  const auto& compiled = directives_of(function).reqnctapercluster;
  if (compiled[0] != 0) return Dim3{compiled[0], std::max(compiled[1], 1u), std::max(compiled[2], 1u)};
  const auto& set = function.settings->required_cluster;
  const auto size = [&](std::size_t axis) { return static_cast<std::uint32_t>(std::max(set[axis].load(), 1)); };
  if (set[0] == 0 && set[1] == 0 && set[2] == 0) return std::nullopt;
  return Dim3{size(0), size(1), size(2)};
}

bool must_state_cluster(const FunctionState& function) {
  return directives_of(function).explicitcluster || directives_of(function).reqnctapercluster[0] != 0;
}

std::optional<Dim3> effective_cluster(const FunctionState& function, const std::optional<Dim3>& asked) {
  const std::optional<Dim3> required = required_cluster(function);
  if (!asked && !required && must_state_cluster(function)) refuse_cluster(function, "needs a launch in clusters");
  if (!asked || !required) return asked ? asked : required;
  if (asked->x != required->x || asked->y != required->y || asked->z != required->z)
    refuse_cluster(function, "needs clusters of " + size_text(*required) + ", not " + size_text(*asked));
  return required;
}

void check_cluster(const FunctionState& function, const Dim3& cluster, const Dim3& grid) {
  const std::uint64_t blocks = blocks_of(cluster);
  if (blocks == 1) return;
  if (directives_of(function).blocksareclusters)
    throw CallError(CUDA_ERROR_NOT_SUPPORTED,
                    "the emulator does not do .blocksareclusters, which the kernel " + function.kernel->name + " has");
  const std::uint32_t most = most_blocks_in_cluster(function);
  if (most == 0)
    throw CallError(CUDA_ERROR_NOT_SUPPORTED, "clusters need compute capability 9.0, and the device has " +
                                                  std::to_string(device_arch() / 10) + "." +
                                                  std::to_string(device_arch() % 10));
  // Without a report, as a program may allow it and launch again, which Kiln does.
  if (blocks > most && blocks <= largest_size && directives_of(function).maxclusterrank == 0)
    throw CallError(CUDA_ERROR_INVALID_CLUSTER_SIZE, "");
  if (blocks > most)
    refuse_cluster(function,
                   "may have clusters of at most " + std::to_string(most) + " blocks, not " + size_text(cluster));
  if (grid.x % cluster.x != 0 || grid.y % cluster.y != 0 || grid.z % cluster.z != 0)
    refuse_cluster(function, "is launched with a grid of " + size_text(grid) + ", no multiple of clusters of " +
                                 size_text(cluster));
}

std::uint32_t most_blocks_in_cluster(const FunctionState& function) {
  if (device_attribute(function.context->device(), CU_DEVICE_ATTRIBUTE_CLUSTER_LAUNCH) == 0) return 0;
  const std::uint32_t stated = directives_of(function).maxclusterrank;
  const std::uint32_t allowed = function.settings->non_portable_cluster != 0 ? largest_size : portable_size;
  return stated != 0 ? std::min(stated, allowed) : allowed;
}

int resident_clusters(const FunctionState& function, std::uint64_t cluster_blocks, int block_size,
                      std::size_t dynamic_shared) {
  const int blocks = resident_blocks(function, block_size, dynamic_shared);
  if (blocks == 0 || cluster_blocks > most_blocks_in_cluster(function)) return 0;
  const int processors = device_attribute(function.context->device(), CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
  return processors * std::max(blocks / static_cast<int>(cluster_blocks), 1);
}

}  // namespace kiln::emulator
