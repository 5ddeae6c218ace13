#include "memory/l2_limit.hpp"

#include "base/argument_error.hpp"
#include "memory/asynchronous_error.hpp"
#include "memory/context.hpp"
#include "toolkit/driver/driver_extras.hpp"

#include <algorithm>
#include <map>
#include <mutex>
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

}  // namespace

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

}  // namespace kiln
