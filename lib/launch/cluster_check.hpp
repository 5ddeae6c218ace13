// Clusters and cooperative grids: whether the device has room for them.
#pragma once

#include "launch/launch_limits.hpp"

namespace kiln {

/// As check_attributes(), of which they are parts.
void check_cluster(const LaunchConfig& config, const KernelOnDevice& kernel);
void check_cooperative(const LaunchConfig& config, const KernelOnDevice& kernel);

/// Throws ArgumentError where the device has no clusters.
void check_clusters_here(const KernelOnDevice& kernel);
/// Throws ArgumentError where the kernel or the device can have no cluster of the configuration's size, whatever the
/// grid; allows the kernel one of more than 8 blocks.
void prepare_cluster(const LaunchConfig& config, const KernelOnDevice& kernel);

/// The cluster that the kernel was compiled for (__cluster_dims__); 1x1x1 where it says none.
Dim3 compiled_cluster(const KernelOnDevice& kernel);

}  // namespace kiln
