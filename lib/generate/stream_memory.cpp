#include "generate/stream_memory.hpp"

#include "memory/asynchronous_error.hpp"
#include "memory/context.hpp"
#include "memory/stream_context.hpp"
#include "toolkit/driver/driver_extras.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

namespace kiln {

namespace {

/// A handle alone identifies neither a context nor a stream, as the driver reuses handles. A stream's number identifies
/// it in the process; those of the default streams are the same in all contexts.
using StreamKey = std::pair<unsigned long long, unsigned long long>;

StreamKey key_of(CUstream stream) {
  const DriverExtras& driver = DriverExtras::get();
  StreamKey key = {0, 0};
  const bool is_default = is_default_stream(stream);
  if (!is_default && driver.stream_get_id(stream, &key.second) == CUDA_SUCCESS) return key;
  const CUcontext context = stream_context(stream);
  key = {reinterpret_cast<std::uintptr_t>(context), reinterpret_cast<std::uintptr_t>(stream)};
  (void)driver.ctx_get_id(context, &key.first);
  // The default stream of each thread is another one.
  if (is_default && stream != nullptr) (void)driver.stream_get_id(stream, &key.second);
  return key;
}

/// The streams that reductions and scans were used in last.
class StreamMemories {
 public:
  static StreamMemories& get() {
    static auto& all = *new StreamMemories;  // never destroyed: the driver may be unloaded first
    return all;
  }

  std::shared_ptr<StreamMemory> find(CUstream stream) {
    const StreamKey key = key_of(stream);
    const std::lock_guard lock(mutex_);
    const auto found =
        std::find_if(entries_.begin(), entries_.end(), [&](const Entry& entry) { return entry.key == key; });
    if (found != entries_.end()) {
      std::rotate(entries_.begin(), found, found + 1);
      return entries_.front().memory;
    }
    entries_.insert(entries_.begin(), {key, std::make_shared<StreamMemory>(stream)});
    // Freeing waits for the work that uses it; results of the stream keep what they need.
    if (entries_.size() > most_streams) entries_.pop_back();
    return entries_.front().memory;
  }

 private:
  static constexpr std::size_t most_streams = 64;
  struct Entry {
    StreamKey key;
    std::shared_ptr<StreamMemory> memory;
  };
  std::mutex mutex_;
  std::vector<Entry> entries_;  // the last used first
};

}  // namespace

std::shared_ptr<StreamMemory> StreamMemory::of(CUstream stream) {
  if (capture_status(stream) == CU_STREAM_CAPTURE_STATUS_ACTIVE) return nullptr;
  return StreamMemories::get().find(stream);
}

StreamMemory::Space::~Space() { release(address); }

StreamMemory::StreamMemory(CUstream stream)
    : stream_(stream), context_(stream_context(stream)), device_(stream_device(stream)) {
  grow(counter_, 256);
  clear(counter_);
}

StreamMemory::~StreamMemory() {
  for (const CUdeviceptr chunk : chunks_) release(chunk);
}

CUdeviceptr StreamMemory::allocate(std::size_t bytes) const {
  const RelaxedCapture relaxed;
  CUdeviceptr pointer = 0;
  check_work(Driver::get().mem_alloc(&pointer, bytes), "cuMemAlloc",
             " for " + std::to_string(bytes) + " bytes of a reduction's or a scan's own");
  return pointer;
}

void StreamMemory::grow(Space& space, std::size_t bytes) const {
  const ContextGuard guard(context_);
  const std::size_t size = std::max(2 * space.size, bytes);
  const CUdeviceptr larger = allocate(size);
  release(std::exchange(space.address, larger));  // which waits for the launches that use it
  space.size = size;
}

void StreamMemory::clear(const Space& space) const {
  const ContextGuard guard(context_);
  check_work(DriverExtras::get().memset_d32_async(space.address, 0, space.size / sizeof(unsigned), stream_),
             "cuMemsetD32Async", " of a reduction's or a scan's own memory");
}

StreamMemory::Use::Use(StreamMemory& memory, std::size_t bytes, std::size_t state_bytes)
    : lock_(memory.mutex_), memory_(memory) {
  constexpr unsigned last_epoch = (1U << 30U) - 1;
  if (bytes > memory.space_.size) memory.grow(memory.space_, bytes);
  if (state_bytes == 0) return;
  if (state_bytes > memory.states_.size || memory.epoch_ == last_epoch) {
    memory.epoch_ = last_epoch;  // until they are cleared
    if (state_bytes > memory.states_.size) memory.grow(memory.states_, state_bytes);
    memory.clear(memory.states_);
    memory.epoch_ = 0;
  }
  ++memory.epoch_;
}

CUdeviceptr StreamMemory::take_slot() {
  constexpr std::size_t slots = 64;
  const std::lock_guard lock(slots_mutex_);
  if (free_slots_.empty()) {
    const ContextGuard guard(context_);
    const CUdeviceptr chunk = allocate(slots * slot_size);
    chunks_.push_back(chunk);
    free_slots_.reserve(chunks_.size() * slots);  // so that giving back needs no memory
    for (std::size_t k = slots; k-- > 0;) free_slots_.push_back(chunk + k * slot_size);
  }
  const CUdeviceptr slot = free_slots_.back();
  free_slots_.pop_back();
  return slot;
}

void StreamMemory::give_back_slot(CUdeviceptr slot) noexcept {
  const std::lock_guard lock(slots_mutex_);
  free_slots_.push_back(slot);
}

}  // namespace kiln
