#include <kiln/l2_window.hpp>

#include "base/argument_error.hpp"
#include "memory/asynchronous_error.hpp"
#include "memory/context.hpp"
#include "memory/l2_limit.hpp"
#include "memory/pointer_info.hpp"
#include "memory/stream_context.hpp"
#include "toolkit/driver/driver_extras.hpp"

#include <kiln/device.hpp>

#include <algorithm>
#include <optional>
#include <string>

namespace kiln {

namespace {

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
