#include "launch/event_pair.hpp"

#include "toolkit/driver/driver_extras.hpp"

#include <map>
#include <mutex>
#include <utility>
#include <vector>

namespace kiln {

namespace {

struct Pool {
  std::mutex mutex;
  std::map<unsigned long long, std::vector<EventPair::Events>> idle;  // by context
};

Pool& pool() {
  static Pool& never_destroyed = *new Pool;
  return never_destroyed;
}

std::optional<unsigned long long> id_of(CUcontext context) {
  unsigned long long id = 0;
  if (DriverExtras::get().ctx_get_id(context, &id) != CUDA_SUCCESS) return std::nullopt;
  return id;
}

}  // namespace

EventPair::EventPair(CUcontext context) : context_id_(id_of(context)) {
  if (context_id_) {
    const std::lock_guard lock(pool().mutex);
    std::vector<Events>& idle = pool().idle[*context_id_];
    if (!idle.empty()) {
      events_ = std::move(idle.back());
      idle.pop_back();
      return;
    }
  }
  events_.emplace();
}

EventPair::~EventPair() {
  if (!context_id_) return;
  try {
    const std::lock_guard lock(pool().mutex);
    pool().idle[*context_id_].push_back(std::move(*events_));
  } catch (...) {  // no memory to keep them: they are destroyed
  }
}

}  // namespace kiln
