#include <kiln/event.hpp>

#include "memory/asynchronous_error.hpp"
#include "memory/context.hpp"

#include <utility>

namespace kiln {

Event::Event(EventFlags flags) {
  unsigned driver_flags = CU_EVENT_DEFAULT;
  if (!flags.timing) driver_flags |= CU_EVENT_DISABLE_TIMING;
  if (flags.blocking_sync) driver_flags |= CU_EVENT_BLOCKING_SYNC;
  require_context();
  check_work(Driver::get().event_create(&handle_, driver_flags), "cuEventCreate");
}

Event::~Event() { release(handle_); }

Event& Event::operator=(Event&& other) noexcept {
  std::swap(handle_, other.handle_);
  return *this;
}

Event& Event::record(CUstream stream) {
  const Driver& driver = Driver::get();
  check_work(with_context([&] { return driver.event_record(handle_, stream); }), "cuEventRecord");
  return *this;
}

Event& Event::synchronize() {
  const Driver& driver = Driver::get();
  check_work(with_context([&] { return driver.event_synchronize(handle_); }), "cuEventSynchronize");
  return *this;
}

bool Event::query() const {
  const Driver& driver = Driver::get();
  const int result = with_context([&] { return driver.event_query(handle_); });
  if (result == CUDA_ERROR_NOT_READY) return false;
  check_work(result, "cuEventQuery");
  return true;
}

float Event::time_since(const Event& start) const {
  const Driver& driver = Driver::get();
  float milliseconds = 0;
  const int result = with_context([&] { return driver.event_elapsed_time(&milliseconds, start.handle_, handle_); });
  if (result != CUDA_SUCCESS)
    check_work(result, "cuEventElapsedTime",
               result == CUDA_ERROR_INVALID_HANDLE ? "; both events must have been recorded, and measure time" : "");
  return milliseconds;
}

float Event::time_till(const Event& end) const { return end.time_since(*this); }

}  // namespace kiln
