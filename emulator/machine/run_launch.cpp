#include "emulator/core/settings.hpp"
#include "emulator/machine/core_pool.hpp"
#include "emulator/machine/grid_tree.hpp"
#include "emulator/machine/launch.hpp"
#include "emulator/machine/launch_cores.hpp"
#include "emulator/machine/launch_profile.hpp"
#include "emulator/memory/address_space.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace kiln::emulator {
namespace {

// The workspace of a cooperative launch, where cooperative groups keep the barrier of the grid: its size, and a word
// that counts arrivals.
class CooperativeWorkspace {
 public:
  explicit CooperativeWorkspace(const LaunchRequest& request) {
    if (!request.cooperative) return;
    const std::uint32_t words[2] = {sizeof(words), 0};
    address_ = AddressSpace::get().allocate(sizeof(words), Allocation::Kind::device, request.kernel->code->device);
    if (address_ == 0) return;
    std::memcpy(reinterpret_cast<void*>(address_), words, sizeof(words));
    AddressSpace::get().mark_written(address_, sizeof(words));
  }
  ~CooperativeWorkspace() {
    if (address_ != 0) AddressSpace::get().release(address_);
  }
  CooperativeWorkspace(const CooperativeWorkspace&) = delete;
  CooperativeWorkspace& operator=(const CooperativeWorkspace&) = delete;

  std::uint64_t address() const { return address_; }

 private:
  std::uint64_t address_ = 0;
};

}  // namespace

LaunchOutcome run_grid(LaunchState& launch) {
  static std::atomic<std::uint64_t> next_grid{1};
  const LaunchRequest& request = *launch.request;
  const CooperativeWorkspace workspace(request);
  launch.cooperative_workspace = workspace.address();
  launch.grid_number = next_grid.fetch_add(1, std::memory_order_relaxed);
  launch.profile = LaunchProfile::make_if_enabled(request);
  LaunchCores cores(launch);
  const std::uint64_t wanted =
      std::min<std::uint64_t>(Settings::get().cores, request.grid.count() / request.cluster.count());
  CorePool::get().run(static_cast<unsigned>(wanted) - 1, [&] { cores.work(); });
  if (launch.profile) launch.profile->end(cores.outcome().result != CUDA_SUCCESS);
  return cores.outcome();
}

LaunchOutcome run_launch(const LaunchRequest& request) {
  LaunchState launch(request);
  LaunchOutcome outcome = run_grid(launch);
  Grid* const grid = launch.grid;
  return grid == nullptr ? outcome : grid->tree.finish(std::move(outcome));
}

}  // namespace kiln::emulator
