#include "base/argument_error.hpp"
#include "memory/asynchronous_error.hpp"
#include "memory/context.hpp"
#include "memory/pointer_info.hpp"
#include "memory/stream_context.hpp"
#include "toolkit/driver/driver.hpp"
#include "toolkit/driver/driver_extras.hpp"

#include <kiln/device.hpp>
#include <kiln/l2_window.hpp>

#include <algorithm>
#include <cstddef>
#include <map>
#include <mutex>
#include <optional>
#include <string>

namespace kiln {

namespace {

struct Windows {
  std::size_t former_limit = 0;
  std::size_t limit = 0;
  std::map<CUstream, std::size_t> taken;

  std::size_t sum() const {
    std::size_t bytes = 0;
    for (const auto& [stream, share] : taken) bytes += share;
    return bytes;
  }
};

// Never destroyed: a window of static lifetime may end while the process does.
struct Table {
  std::mutex mutex;
  std::map<CUcontext, Windows> contexts;
};

Table& table() {
  static Table& instance = *new Table;
  return instance;
}

Windows ask_limit(const DriverExtras& driver) {
  Windows windows;
  check_work(driver.ctx_get_limit(&windows.former_limit, CU_LIMIT_PERSISTING_L2_CACHE_SIZE), "cuCtxGetLimit",
             " for the persisting part of L2");
  windows.limit = windows.former_limit;
  return windows;
}

void refuse_second_window() {
  throw_argument_error(
      "L2Window: this stream has a window already, and a stream has one: end the other first, use another stream, or "
      "give one launch a window of its own by LaunchAttributes::access_policy_window",
      "a stream without a window", "a stream with one");
}

// How much of L2 is set aside for persisting lines: a limit of a context, which several windows share.

/// Takes up to `wanted` bytes for the window of a stream, so that all windows of the context together stay within
/// `most`, and raises the context's limit to their sum where it is less. Returns what was taken. The context must be
/// current. Throws ArgumentError where the stream has a window, and leaves all as it was where it throws. Thread-safe.
std::size_t take_persisting_l2(CUcontext context, CUstream stream, std::size_t wanted, std::size_t most) {
  const DriverExtras& driver = DriverExtras::get();
  Table& all = table();
  const std::lock_guard lock(all.mutex);
  const auto found = all.contexts.find(context);
  Windows windows = found != all.contexts.end() ? found->second : ask_limit(driver);
  if (windows.taken.count(stream) != 0) refuse_second_window();
  const std::size_t others = windows.sum();
  const std::size_t share = std::min(wanted, most - std::min(most, others));
  windows.taken.emplace(stream, share);
  // A copy was changed, and its place is made before the driver's call: so nothing is left to fail after that.
  Windows& place = all.contexts[context];
  const std::size_t limit = std::max(windows.limit, others + share);
  const int result = limit != windows.limit ? driver.ctx_set_limit(CU_LIMIT_PERSISTING_L2_CACHE_SIZE, limit) : 0;
  if (result == CUDA_SUCCESS) {
    windows.limit = limit;
    std::swap(place, windows);
  } else if (place.taken.empty()) {
    all.contexts.erase(context);
  }
  check_work(result, "cuCtxSetLimit", " for " + std::to_string(limit) + " persisting bytes of L2");
  return share;
}

/// Returns the limit that the stream's window took: the limit falls to what the others need, in the end to what it was
/// before the first. Never throws, also where the context was destroyed.
void give_back_persisting_l2(CUcontext context, CUstream stream) noexcept {
  if (DriverExtras::if_open() == nullptr) return;
  Table& all = table();
  const std::lock_guard lock(all.mutex);
  const auto found = all.contexts.find(context);
  if (found == all.contexts.end()) return;
  Windows& windows = found->second;
  windows.taken.erase(stream);
  const std::size_t limit = std::max(windows.former_limit, windows.sum());
  if (limit != windows.limit)
    release_in(context, [&](const DriverExtras& driver) {
      return driver.ctx_set_limit(CU_LIMIT_PERSISTING_L2_CACHE_SIZE, limit);
    });
  windows.limit = limit;
  if (windows.taken.empty()) all.contexts.erase(found);
}

void require_ratio(float ratio) {
  if (ratio >= 0 && ratio <= 1) return;
  throw_argument_error("L2Window: the hit ratio is " + std::to_string(ratio) + ", and must be 0 to 1", "0 to 1",
                       std::to_string(ratio));
}

void require_properties(const L2WindowOptions& options) {
  if (options.miss != AccessProperty::persisting) return;
  throw_argument_error("L2Window: what misses cannot persist: L2WindowOptions::miss is normal or streaming",
                       "normal or streaming", "persisting");
}

void require_memory(CUdeviceptr pointer, int device) {
  if (pointer == 0) throw_argument_error("L2Window: the range begins at a null pointer", "device memory", "null");
  const std::optional<int> home = pointer_device(pointer);
  if (!home || *home == device) return;
  const std::string expected = "memory of device " + std::to_string(device);
  const std::string given = "memory of device " + std::to_string(*home);
  throw_argument_error("L2Window: the range is " + given + ", and the stream's device is " + std::to_string(device),
                       expected, given);
}

std::size_t size_attribute(int device, CUdevice_attribute attribute) {
  return static_cast<std::size_t>(std::max(0, Device(device).attribute(attribute)));
}

int set_window(const DriverExtras& driver, CUstream stream, const CUaccessPolicyWindow& window) {
  CUstreamAttrValue value = {};
  value.accessPolicyWindow = window;
  return driver.stream_set_attribute(stream, CU_STREAM_ATTRIBUTE_ACCESS_POLICY_WINDOW, &value);
}

}  // namespace

L2Window::L2Window(const SharedStream& stream, DeviceAddress pointer, std::size_t bytes, L2WindowOptions options)
    : stream_(stream) {
  require_ratio(options.hit_ratio);
  require_properties(options);
  if (bytes == 0) return;
  CUstream handle = stream_.handle();
  context_ = is_default_stream(handle) ? require_context() : stream_context(handle);
  const ContextGuard guard(context_);
  const int device = current_device();
  require_memory(pointer, device);
  const std::size_t most = size_attribute(device, CU_DEVICE_ATTRIBUTE_MAX_PERSISTING_L2_CACHE_SIZE);
  const std::size_t window = std::min(bytes, size_attribute(device, CU_DEVICE_ATTRIBUTE_MAX_ACCESS_POLICY_WINDOW_SIZE));
  if (most == 0 || window == 0) return;

  const double wanted = static_cast<double>(window) * static_cast<double>(options.hit_ratio);
  const std::size_t share = take_persisting_l2(context_, handle, static_cast<std::size_t>(wanted), most);
  hit_ratio_ = std::min(options.hit_ratio, static_cast<float>(share) / static_cast<float>(window));
  const int result = set_window(DriverExtras::get(), handle,
                                {reinterpret_cast<void*>(static_cast<CUdeviceptr>(pointer)), window, hit_ratio_,
                                 CU_ACCESS_PROPERTY_PERSISTING, static_cast<CUaccessProperty>(options.miss)});
  if (result != CUDA_SUCCESS) give_back_persisting_l2(context_, handle);
  check_work(result, "cuStreamSetAttribute", " for an L2 window of " + std::to_string(window) + " bytes");
  bytes_ = window;
}

L2Window::~L2Window() {
  if (!active()) return;
  CUstream handle = stream_.handle();
  release_in(context_, [&](const DriverExtras& driver) {
    if (capture_status(handle) == CU_STREAM_CAPTURE_STATUS_NONE) (void)Driver::get().stream_synchronize(handle);
    (void)set_window(driver, handle, {});
    (void)driver.ctx_reset_persisting_l2_cache();
  });
  give_back_persisting_l2(context_, handle);
}

}  // namespace kiln
