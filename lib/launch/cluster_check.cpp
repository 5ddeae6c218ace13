#include "launch/cluster_check.hpp"

#include "launch/occupancy.hpp"

#include <kiln/device.hpp>

namespace kiln {

namespace {

// Every device that has clusters takes this many blocks without a query.
constexpr std::uint64_t portable_cluster = 8;

/// The cluster that the launch would have.
Dim3 effective_cluster(const LaunchConfig& config, const KernelOnDevice& kernel) {
  const Dim3 compiled = compiled_cluster(kernel);
  return compiled != Dim3{} ? compiled : config.attributes.cluster;
}

void check_compiled(const LaunchConfig& config, const KernelOnDevice& kernel) {
  const Dim3 compiled = compiled_cluster(kernel);
  const Dim3& asked = config.attributes.cluster;
  if (asked != Dim3{} && compiled != Dim3{} && asked != compiled)
    throw_limit(kernel.name, "cluster", text_of(compiled) + ", as the kernel's __cluster_dims__ says", text_of(asked),
                "; leave attributes.cluster out");
  if (asked == Dim3{} && compiled == Dim3{} && kernel.attribute(CU_FUNC_ATTRIBUTE_CLUSTER_SIZE_MUST_BE_SET) != 0)
    throw_limit(kernel.name, "cluster", "a size, which this kernel needs", "none", "; set attributes.cluster");
}

void check_divides(const Dim3& cluster, const Dim3& grid, const KernelOnDevice& kernel) {
  const auto check = [&](const char* what, std::uint32_t size, std::uint32_t part) {
    if (size % part == 0) return;
    const std::uint64_t next = (std::uint64_t{size} / part + 1) * part;
    throw_limit(kernel.name, what, "a multiple of " + std::to_string(part), std::to_string(size),
                " (a cluster is " + text_of(cluster) + " blocks); launch " + std::to_string(next) +
                    " blocks, and have the kernel skip what is too much");
  };
  check("grid x", grid.x, cluster.x);
  check("grid y", grid.y, cluster.y);
  check("grid z", grid.z, cluster.z);
}

/// Such a launch of one cluster, for the driver's computation: whether a cluster fits does not depend on how many there
/// are.
LaunchConfig one_cluster(const LaunchConfig& config, const Dim3& cluster) {
  LaunchConfig single = config;
  single.grid = cluster;
  single.attributes = {};
  single.attributes.cluster = config.attributes.cluster;
  return single;
}

void check_room(const LaunchConfig& config, const Dim3& cluster, const KernelOnDevice& kernel) {
  const LaunchConfig single = one_cluster(config, cluster);
  if (max_active_clusters(kernel, single) > 0) return;
  check_limits(config, kernel);
  throw_limit(kernel.name, "cluster",
              "at most " + std::to_string(max_potential_cluster_size(kernel, single)) + " blocks",
              std::to_string(cluster.count()) + " (" + text_of(cluster) + ")",
              " (so many blocks of " + std::to_string(config.block.count()) + " threads with " +
                  std::to_string(config.shared_size) + " bytes of dynamic shared memory run together on device " +
                  std::to_string(kernel.device) + "); fewer threads, less shared memory or a smaller cluster fit");
}

/// How many blocks run at once.
std::uint64_t room_for(const LaunchConfig& config, const KernelOnDevice& kernel) {
  const Dim3 cluster = effective_cluster(config, kernel);
  if (cluster != Dim3{})
    return static_cast<std::uint64_t>(max_active_clusters(kernel, one_cluster(config, cluster))) * cluster.count();
  const int each = max_active_blocks(kernel, config.block, config.shared_size);
  const int processors = Device(kernel.device).attribute(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
  return static_cast<std::uint64_t>(each) * static_cast<std::uint64_t>(processors);
}

}  // namespace

Dim3 compiled_cluster(const KernelOnDevice& kernel) {
  const int width = kernel.attribute(CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH);
  if (width <= 0) return {};
  return {width, kernel.attribute(CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT),
          kernel.attribute(CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH)};
}

void check_clusters_here(const KernelOnDevice& kernel) {
  const Device device(kernel.device);
  if (device.attribute(CU_DEVICE_ATTRIBUTE_CLUSTER_LAUNCH) != 0) return;
  throw_limit(kernel.name, "cluster", "a device that has clusters (compute capability 9.0 or more)",
              "device " + std::to_string(kernel.device) + ", which is an " + device.arch(),
              "; leave attributes.cluster out there");
}

void prepare_cluster(const LaunchConfig& config, const KernelOnDevice& kernel) {
  const Dim3& asked = config.attributes.cluster;
  if (asked.x == 0 || asked.y == 0 || asked.z == 0)
    throw_limit(kernel.name, "cluster, in blocks", "sizes of at least 1", text_of(asked),
                "; leave it unset for a launch without clusters");
  if (asked != Dim3{}) check_clusters_here(kernel);
  check_compiled(config, kernel);
  const Dim3 cluster = effective_cluster(config, kernel);
  if (cluster.count() > portable_cluster && kernel.attribute(CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED) == 0)
    kernel.set_attribute(CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED, 1);
}

void check_cluster(const LaunchConfig& config, const KernelOnDevice& kernel) {
  prepare_cluster(config, kernel);
  const Dim3 cluster = effective_cluster(config, kernel);
  if (cluster == Dim3{}) return;
  check_divides(cluster, config.grid, kernel);
  check_room(config, cluster, kernel);
}

void check_cooperative(const LaunchConfig& config, const KernelOnDevice& kernel) {
  if (!config.attributes.cooperative) return;
  const Device device(kernel.device);
  if (device.attribute(CU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH) == 0)
    throw_limit(kernel.name, "cooperative", "a device that has cooperative launches",
                "device " + std::to_string(kernel.device) + ", which is an " + device.arch(), "");
  const std::uint64_t room = room_for(config, kernel);
  if (config.grid.count() <= room) return;
  check_limits(config, kernel);
  throw_limit(
      kernel.name, "grid of a cooperative launch, in blocks", "at most " + std::to_string(room),
      std::to_string(config.grid.count()) + " (" + text_of(config.grid) + ")",
      ": device " + std::to_string(kernel.device) + " runs no more of " + std::to_string(config.block.count()) +
          " threads and " + std::to_string(config.shared_size) +
          " bytes of dynamic shared memory at once, and all must run at once; give each block more of the work");
}

}  // namespace kiln
