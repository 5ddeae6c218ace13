#include "emulator/machine/grid_tree.hpp"

#include "emulator/core/settings.hpp"
#include "emulator/machine/core_pool.hpp"
#include "emulator/machine/fault_report.hpp"
#include "emulator/machine/launch.hpp"
#include "emulator/memory/address_space.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <new>

namespace kiln::emulator {
namespace {

// As many grids as run at the same time on a GPU. Usually as many as there are cores run; grids that take long may wait
// for each other, so others join them.
constexpr unsigned most_workers = 128;
constexpr std::chrono::milliseconds long_time{20};

}  // namespace

DeviceTask::DeviceTask(Grid& asked, const ThreadPlace& at) : of(asked), origin(at) {}

GridTree::GridTree(LaunchState& root) : launch_(root), root_(*this, *root.request) {}

GridTree::~GridTree() {
  for (const auto& [address, launch] : buffers_) AddressSpace::get().release(address);
}

DeviceError GridTree::may_launch() {
  const std::lock_guard lock(mutex_);
  return pending_ < root_.request.pending_limit ? DeviceError::success : DeviceError::launch_pending_count_exceeded;
}

DeviceError GridTree::launch(Grid& from, DeviceStream stream, const ThreadPlace& origin, const LaunchRequest& request) {
  const auto task = std::make_shared<DeviceTask>(from, origin);
  task->grid = std::make_unique<Grid>(*this, request);
  task->grid->task = task.get();
  task->grid->depth = from.depth + 1;
  return put(stream, task);
}

DeviceError GridTree::copy(Grid& from, DeviceStream stream, const ThreadPlace& origin,
                           std::function<std::string()> work) {
  const auto task = std::make_shared<DeviceTask>(from, origin);
  task->copy = std::move(work);
  return put(stream, task);
}

DeviceError GridTree::put(DeviceStream stream, DeviceTaskPtr task) {
  const std::lock_guard lock(mutex_);
  Grid& from = task->of;
  if (pending_ >= root_.request.pending_limit) return DeviceError::launch_pending_count_exceeded;
  if (stream.handle == DeviceStream::tail_launch) {
    ++pending_;
    task->self = task;
    from.tail.push_back(std::move(task));
    return DeviceError::success;
  }
  if (stream.handle != DeviceStream::fire_and_forget) {
    Grid::Tasks* const before = tasks_before(from, stream);
    if (before == nullptr) return DeviceError::invalid_resource_handle;
    for (const DeviceTaskPtr& each : *before) {
      if (each->done) continue;
      each->followers.push_back(task);
      ++task->awaited;
    }
    *before = {task};
  }
  ++pending_;
  ++from.open;
  task->self = task;
  if (task->awaited == 0) make_ready(task);
  return DeviceError::success;
}

// Null for a handle that is no stream of the grid.
Grid::Tasks* GridTree::tasks_before(Grid& of, DeviceStream stream) {
  if (stream.handle == DeviceStream::null || stream.handle == DeviceStream::per_thread) return &of.streams[stream];
  const auto found = of.streams.find(stream);
  return found == of.streams.end() ? nullptr : &found->second;
}

std::uint64_t GridTree::make_stream(Grid& of) {
  const std::lock_guard lock(mutex_);
  const std::uint64_t handle = 0x1000 + 16 * ++last_handle_;
  of.streams[{handle}] = {};
  return handle;
}

std::uint64_t GridTree::make_event(Grid& of) {
  const std::lock_guard lock(mutex_);
  const std::uint64_t handle = 0x1000 + 16 * ++last_handle_;
  of.events[handle] = {};
  return handle;
}

DeviceError GridTree::destroy_stream(Grid& of, std::uint64_t stream) {
  const std::lock_guard lock(mutex_);
  const bool is_named = stream > DeviceStream::fire_and_forget;
  return is_named && of.streams.erase({stream}) == 1 ? DeviceError::success : DeviceError::invalid_resource_handle;
}

DeviceError GridTree::destroy_event(Grid& of, std::uint64_t event) {
  const std::lock_guard lock(mutex_);
  return of.events.erase(event) == 1 ? DeviceError::success : DeviceError::invalid_resource_handle;
}

DeviceError GridTree::record(Grid& of, std::uint64_t event, DeviceStream stream) {
  const std::lock_guard lock(mutex_);
  const auto found = of.events.find(event);
  const Grid::Tasks* const before = tasks_before(of, stream);
  if (found == of.events.end() || before == nullptr) return DeviceError::invalid_resource_handle;
  found->second = *before;
  return DeviceError::success;
}

DeviceError GridTree::wait(Grid& of, DeviceStream stream, std::uint64_t event) {
  const std::lock_guard lock(mutex_);
  const auto found = of.events.find(event);
  Grid::Tasks* const before = tasks_before(of, stream);
  if (found == of.events.end() || before == nullptr) return DeviceError::invalid_resource_handle;
  before->insert(before->end(), found->second.begin(), found->second.end());
  return DeviceError::success;
}

DeviceError GridTree::last_error(Grid& of, std::uint64_t thread) {
  const std::lock_guard lock(mutex_);
  const auto found = of.errors.find(thread);
  return found == of.errors.end() ? DeviceError::success : found->second;
}

void GridTree::set_last_error(Grid& of, std::uint64_t thread, DeviceError error) {
  const std::lock_guard lock(mutex_);
  if (error == DeviceError::success)
    of.errors.erase(thread);
  else
    of.errors[thread] = error;
}

std::uint64_t GridTree::make_buffer(const Prepared& launch) {
  const std::uint64_t size = std::max<std::uint64_t>(launch.size, 1);
  const std::uint64_t address =
      AddressSpace::get().allocate(size, Allocation::Kind::device, root_.request.kernel->code->device);
  if (address == 0) return 0;
  const std::lock_guard lock(mutex_);
  buffers_[address] = launch;
  return address;
}

bool GridTree::take_buffer(std::uint64_t address, Prepared& launch, std::vector<std::byte>& params) {
  {
    const std::lock_guard lock(mutex_);
    const auto found = buffers_.find(address);
    if (found == buffers_.end()) return false;
    launch = found->second;
    buffers_.erase(found);
  }
  params.resize(launch.size);
  if (launch.size != 0) std::memcpy(params.data(), reinterpret_cast<const void*>(address), launch.size);
  AddressSpace::get().release(address);
  return true;
}

// From here on all but run() and run_launched() are called with the lock.

void GridTree::make_ready(const DeviceTaskPtr& task) {
  ready_.push_back(task);
  if (workers_ < std::max(Settings::get().cores, 1u)) (void)start_worker();
  changed_.notify_all();
}

bool GridTree::start_worker() {
  if (!CorePool::get().post([tree = shared_from_this()] { tree->work(); })) return false;
  ++workers_;
  return true;
}

void GridTree::complete(DeviceTask& task) {
  const DeviceTaskPtr kept = std::move(task.self);
  task.done = true;
  ++completed_;
  --pending_;
  --task.of.open;
  for (const DeviceTaskPtr& follower : task.followers)
    if (--follower->awaited == 0) make_ready(follower);
  task.followers.clear();
}

// Of a grid that may be complete now: what follows then.
void GridTree::settle(Grid& grid) {
  for (Grid* each = &grid; each->ended && each->open == 0;) {
    if (!each->tail.empty()) {
      const DeviceTaskPtr next = std::move(each->tail.front());
      each->tail.pop_front();
      ++each->open;
      make_ready(next);
      return;
    }
    if (each->task == nullptr) {
      root_done_ = true;
      changed_.notify_all();
      return;
    }
    DeviceTask& task = *each->task;
    each = &task.of;
    complete(task);
  }
}

void GridTree::work() {
  std::unique_lock lock(mutex_);
  work_off(lock);
  --workers_;
  changed_.notify_all();
}

void GridTree::work_off(std::unique_lock<std::mutex>& lock) {
  while (!ready_.empty()) {
    const DeviceTaskPtr task = std::move(ready_.front());
    ready_.pop_front();
    lock.unlock();
    run(*task);
    lock.lock();
    if (task->grid != nullptr) {
      task->grid->ended = true;
      settle(*task->grid);
    } else {
      complete(*task);
      settle(task->of);
    }
  }
}

void GridTree::run(DeviceTask& task) noexcept {
  try {
    if (is_stopped()) return;
    if (task.grid != nullptr) return run_launched(task);
    if (const std::string wrong = task.copy(); !wrong.empty())
      fail(CUDA_ERROR_ILLEGAL_ADDRESS, wrong + launched_by(task.of, task.origin));
  } catch (const std::exception&) {
    fail(CUDA_ERROR_OUT_OF_MEMORY, "no host memory for what a kernel launched");
  }
}

void GridTree::run_launched(DeviceTask& task) {
  LaunchState launch(task.grid->request, launch_, *task.grid);
  if (std::chrono::steady_clock::now() > launch.deadline)
    return fail(CUDA_ERROR_LAUNCH_TIMEOUT, time_limit_report(*task.grid));
  {
    const std::lock_guard lock(mutex_);
    if (stopped_) return;
    running_.insert(&launch);
  }
  const LaunchOutcome outcome = run_grid(launch);
  {
    const std::lock_guard lock(mutex_);
    running_.erase(&launch);
    outcome_.thread_instructions += outcome.thread_instructions;
  }
  if (outcome.result != CUDA_SUCCESS) fail(outcome.result, outcome.report);
}

bool GridTree::is_stopped() {
  const std::lock_guard lock(mutex_);
  return stopped_;
}

// The first failure is reported; everything else stops, and what has not begun is left out.
void GridTree::fail(CUresult result, std::string report) {
  const std::lock_guard lock(mutex_);
  if (outcome_.result == CUDA_SUCCESS) {
    outcome_.result = result;
    outcome_.report = std::move(report);
  }
  stopped_ = true;
  launch_.stop = true;
  for (LaunchState* const each : running_) each->stop = true;
}

LaunchOutcome GridTree::finish(LaunchOutcome of_root) {
  if (of_root.result != CUDA_SUCCESS) fail(of_root.result, std::move(of_root.report));
  std::unique_lock lock(mutex_);
  outcome_.thread_instructions += of_root.thread_instructions;
  root_.ended = true;
  settle(root_);
  while (!root_done_ || workers_ != 0) {
    if (workers_ == 0) work_off(lock);  // the process can start no thread
    const std::uint64_t completed = completed_;
    changed_.wait_for(lock, long_time, [&] { return root_done_ && workers_ == 0; });
    if (completed == completed_ && !ready_.empty() && workers_ < most_workers) (void)start_worker();
  }
  return std::move(outcome_);
}

}  // namespace kiln::emulator
