// Occupancy of a multiprocessor, and the sizes of clusters.
#pragma once

#include "emulator/machine/launch.hpp"
#include "emulator/provider/code/function.hpp"

#include <cstddef>
#include <optional>

namespace kiln::emulator {

/// Resident blocks per multiprocessor for that block size and dynamic shared memory; 0 if not even one fits.
int resident_blocks(const FunctionState& function, int block_size, std::size_t dynamic_shared);
/// Dynamic shared memory in bytes that a launch may have: the usual limit of the device, or the one that the program
/// set.
std::size_t max_dynamic_shared(const FunctionState& function);
/// The largest limit that the program may set.
std::size_t max_dynamic_shared_opt_in(const FunctionState& function);

/// What the kernel was compiled for (.reqnctapercluster), or its attributes say; nothing if it may be any.
std::optional<Dim3> required_cluster(const FunctionState& function);
/// Whether a launch has to state a size (.explicitcluster).
bool must_state_cluster(const FunctionState& function);
/// The size of a launch that asks for one or for none; nothing if it is without clusters. Throws
/// CallError(CUDA_ERROR_INVALID_CLUSTER_SIZE) where the two disagree or one is missing.
std::optional<Dim3> effective_cluster(const FunctionState& function, const std::optional<Dim3>& asked);
/// Throws CallError as the driver refuses such a launch: too many blocks, or a grid that is no multiple.
void check_cluster(const FunctionState& function, const Dim3& cluster, const Dim3& grid);
/// The most blocks that a cluster of the kernel may have now; 0 if the device has no clusters.
std::uint32_t most_blocks_in_cluster(const FunctionState& function);
/// Clusters of that many blocks that are resident together on the device, whose multiprocessors hold a whole one each.
int resident_clusters(const FunctionState& function, std::uint64_t cluster_blocks, int block_size,
                      std::size_t dynamic_shared);

}  // namespace kiln::emulator
