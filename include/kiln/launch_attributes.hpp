// LaunchAttributes: what a launch may ask for beyond its grid, block, shared memory and stream.
#pragma once

#include <kiln/detail/kept_view.hpp>
#include <kiln/dim3.hpp>
#include <kiln/driver_types.hpp>

#include <cstddef>
#include <optional>

namespace kiln {

/// How lines of the L2 cache are kept. Counterpart: CUaccessProperty.
enum class AccessProperty { normal = 0, streaming = 1, persisting = 2 };

/// Which memory operations of a kernel wait for each other's fences. Counterpart: CUlaunchMemSyncDomain.
enum class MemSyncDomain { normal = 0, remote = 1 };

/// A range of device memory whose accesses are to stay in L2 while a kernel (or what a stream runs) works on it. Unset
/// where bytes is 0. Counterpart: CUaccessPolicyWindow.
struct AccessPolicyWindow {
  const void* pointer = nullptr;  ///< where the window begins
  /// Not more than the device's access_policy_max_window_size.
  std::size_t bytes = 0;
  /// The share of the accesses, 0 to 1, that get `hit`; the others get `miss`, which must not be persisting.
  float hit_ratio = 1;
  AccessProperty hit = AccessProperty::persisting;  ///< of the share that hits
  AccessProperty miss = AccessProperty::streaming;  ///< of the rest
};

/// An event that the kernel triggers itself, for launches that depend on it. Unset where event is null. The event must
/// be made without timing (CU_EVENT_DISABLE_TIMING). Counterpart: CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_EVENT.
struct ProgrammaticEvent {
  CUevent event = nullptr;  ///< not owned
  /// At the start of each block rather than where the kernel says so.
  bool trigger_at_block_start = false;
};

/// A view of the driver's own attributes, which the caller keeps until the launch is made; for what LaunchAttributes
/// has no member. Made of a CUlaunchAttribute of cuda.h, or of a contiguous container of them. The driver checks them,
/// and a DriverError says what it rejects. Counterpart: CUlaunchConfig::attrs.
class RawLaunchAttributes : public detail::KeptView<CUlaunchAttribute> {
 public:
  using KeptView::KeptView;
};

/// Members that are left alone ask for nothing; a launch that asks for nothing goes by cuLaunchKernel, any other by
/// cuLaunchKernelEx. What the kernel, the device or the driver cannot give is refused before the launch by an
/// ArgumentError that says what can be had. A plain value. Counterpart: CUlaunchAttribute.
struct LaunchAttributes {
  /// Blocks in a cluster; 1x1x1 asks for none, and leaves a kernel with __cluster_dims__ its own. Needs compute
  /// capability 9.0, and each size of the grid must be a multiple of it. More than 8 blocks are allowed for the kernel
  /// where the device can have them (16 on compute capability 9.0).
  Dim3 cluster = {};
  /// All blocks run at the same time, so that grid.sync() works. The grid must fit the device: at most
  /// Function::max_active_blocks_per_multiprocessor() blocks on each multiprocessor.
  bool cooperative = false;
  /// Programmatic dependent launch: may start while the kernel before it in the stream still runs, and waits for it by
  /// cudaGridDependencySynchronize(), the PTX instruction griddepcontrol.wait. Needs compute capability 9.0.
  bool programmatic_stream_serialization = false;
  ProgrammaticEvent programmatic_event = {};  ///< recorded when the blocks have started or asked for it
  /// As of a stream: lower numbers come first. The driver takes a number out of Stream::priority_range() for the
  /// nearest one in it.
  std::optional<int> priority = {};
  std::optional<MemSyncDomain> mem_sync_domain = {};  ///< which fences wait for which writes; unset: the stream's
  /// Shared memory's part of the L1 cache in percent, 0 to 100: a hint, which goes before the function's own.
  std::optional<int> shared_memory_carveout = {};
  AccessPolicyWindow access_policy_window = {};  ///< how a range of memory stays in the L2 cache
  /// What has no member here; at most 16, none twice or beside the member that stands for it. A LaunchPlan keeps a
  /// copy, and replays such launches one by one.
  RawLaunchAttributes raw = {};

  /// Whether anything is asked for.
  constexpr bool any() const noexcept {
    // Every launch asks: without branches, which would be nine of them.
    return ((cluster.x ^ 1) | (cluster.y ^ 1) | (cluster.z ^ 1) | unsigned{cooperative} |
            unsigned{programmatic_stream_serialization} | unsigned{programmatic_event.event != nullptr} |
            unsigned{priority.has_value()} | unsigned{mem_sync_domain.has_value()} |
            unsigned{shared_memory_carveout.has_value()} | unsigned{access_policy_window.bytes != 0} |
            unsigned{!raw.empty()}) != 0;
  }
};

}  // namespace kiln
