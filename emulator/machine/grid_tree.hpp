// Launches by kernels: the grids that come from one launch of the host, and what else kernels put into streams.
#pragma once

#include "emulator/machine/block.hpp"

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace kiln::emulator {

/// What functions of the device runtime return: values of cudaError_t.
enum class DeviceError : std::int32_t {
  success = 0,
  invalid_value = 1,
  memory_allocation = 2,
  invalid_configuration = 9,
  invalid_pitch_value = 12,
  invalid_memcpy_direction = 21,
  launch_pending_count_exceeded = 69,
  invalid_device_function = 98,
  invalid_device = 101,
  unsupported_limit = 215,
  invalid_resource_handle = 400,
  launch_out_of_resources = 701,
};

/// The place of a thread of a kernel.
struct ThreadPlace {
  Dim3 block, thread;
  const Code* code = nullptr;
  std::uint32_t step = 0;
};

class GridTree;
struct Grid;

/// Work that a kernel put into a stream. Guarded by the tree's lock.
struct DeviceTask {
  DeviceTask(Grid& asked, const ThreadPlace& at);

  Grid& of;  // whose kernel it was
  const ThreadPlace origin;
  std::unique_ptr<Grid> grid;         // a launch, or:
  std::function<std::string()> copy;  // returns what is wrong, or nothing
  std::vector<std::shared_ptr<DeviceTask>> followers;
  unsigned awaited = 0;  // tasks that must be done before
  bool done = false;
  std::shared_ptr<DeviceTask> self;  // until it is done
};
using DeviceTaskPtr = std::shared_ptr<DeviceTask>;

/// A stream of a grid. The NULL stream is another one for each block, and the per-thread one for each thread.
struct DeviceStream {
  static constexpr std::uint64_t null = 0, legacy = 1, per_thread = 2, tail_launch = 3, fire_and_forget = 4;
  std::uint64_t handle = null;
  std::uint64_t number = 0;  // of the block or the thread
  bool operator<(const DeviceStream& other) const {
    return std::pair(handle, number) < std::pair(other.handle, other.number);
  }
};

/// A grid, and what its threads made by the device runtime. What may change is guarded by the tree's lock.
struct Grid {
  Grid(GridTree& in, const LaunchRequest& launched) : tree(in), request(launched) {}

  GridTree& tree;
  const LaunchRequest request;
  DeviceTask* task = nullptr;  // null: launched by the host
  unsigned depth = 0;          // launches from the host's

  bool ended = false;              // all its blocks have
  std::size_t open = 0;            // tasks of its kernel that are not done
  std::deque<DeviceTaskPtr> tail;  // run one after the other when there are no others
  using Tasks = std::vector<DeviceTaskPtr>;
  std::map<DeviceStream, Tasks> streams;  // what the next task of each has to wait for
  std::map<std::uint64_t, Tasks> events;
  std::unordered_map<std::uint64_t, DeviceError> errors;  // by thread: the latest
};

/// Tasks run on worker threads, beside the grids that launched them. A grid is complete when its blocks have ended and
/// its tasks are done, those of the tail last. Thread-safe.
class GridTree : public std::enable_shared_from_this<GridTree> {
 public:
  explicit GridTree(LaunchState& root);
  Grid& root() { return root_; }

  /// Whether the kernel may launch one more grid.
  DeviceError may_launch();
  DeviceError launch(Grid& from, DeviceStream stream, const ThreadPlace& origin, const LaunchRequest& request);
  DeviceError copy(Grid& from, DeviceStream stream, const ThreadPlace& origin, std::function<std::string()> work);

  std::uint64_t make_stream(Grid& of);
  std::uint64_t make_event(Grid& of);
  DeviceError destroy_stream(Grid& of, std::uint64_t stream);
  DeviceError destroy_event(Grid& of, std::uint64_t event);
  DeviceError record(Grid& of, std::uint64_t event, DeviceStream stream);
  DeviceError wait(Grid& of, DeviceStream stream, std::uint64_t event);

  /// The latest error of a thread of the grid.
  DeviceError last_error(Grid& of, std::uint64_t thread);
  void set_last_error(Grid& of, std::uint64_t thread, DeviceError error);

  /// A launch that is being prepared: its parameters are in a buffer of device memory.
  struct Prepared {
    const Kernel* kernel = nullptr;  // null: known by the launch
    Dim3 grid, block;
    std::uint32_t shared_bytes = 0;
    std::uint64_t size = 0;  // of the buffer
  };
  /// The buffer's address; 0 if there is no memory.
  std::uint64_t make_buffer(const Prepared& launch);
  /// Removes the buffer; its bytes go to `params`. False if there is none at the address.
  bool take_buffer(std::uint64_t address, Prepared& launch, std::vector<std::byte>& params);

  /// The blocks of the host's grid have ended with that outcome: waits for all others.
  LaunchOutcome finish(LaunchOutcome of_root);
  ~GridTree();

 private:
  DeviceError put(DeviceStream stream, DeviceTaskPtr task);
  Grid::Tasks* tasks_before(Grid& of, DeviceStream stream);
  void make_ready(const DeviceTaskPtr& task);
  void complete(DeviceTask& task);
  void settle(Grid& grid);
  bool start_worker();
  void work();
  void work_off(std::unique_lock<std::mutex>& lock);
  void run(DeviceTask& task) noexcept;
  void run_launched(DeviceTask& task);
  void fail(CUresult result, std::string report);
  bool is_stopped();

  LaunchState& launch_;
  Grid root_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<DeviceTaskPtr> ready_;
  std::size_t pending_ = 0;      // tasks that are not done
  std::uint64_t completed_ = 0;  // tasks that are
  unsigned workers_ = 0;
  bool root_done_ = false, stopped_ = false;
  std::uint64_t last_handle_ = 0;
  std::set<LaunchState*> running_;
  std::map<std::uint64_t, Prepared> buffers_;
  LaunchOutcome outcome_;
};

/// The place of the running launch in the tree, which its first use makes. Thread-safe.
Grid& grid_of(LaunchState& launch);

}  // namespace kiln::emulator
