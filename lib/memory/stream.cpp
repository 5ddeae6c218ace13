#include "memory/asynchronous_error.hpp"
#include "memory/context.hpp"

#include <kiln/event.hpp>
#include <kiln/stream.hpp>

#include <utility>

namespace kiln {

Stream::Stream() : Stream(CU_STREAM_DEFAULT) {}

Stream Stream::non_blocking() { return Stream(CU_STREAM_NON_BLOCKING); }

Stream::Stream(unsigned flags) {
  require_context();
  check_work(Driver::get().stream_create(&handle_, flags), "cuStreamCreate");
}

Stream::~Stream() { release(handle_); }

Stream& Stream::operator=(Stream&& other) noexcept {
  std::swap(handle_, other.handle_);
  return *this;
}

void Stream::synchronize() const {
  const Driver& driver = Driver::get();
  check_work(with_context([&] { return driver.stream_synchronize(handle_); }), "cuStreamSynchronize");
}

bool Stream::is_done() const {
  const Driver& driver = Driver::get();
  const int result = with_context([&] { return driver.stream_query(handle_); });
  if (result == CUDA_ERROR_NOT_READY) return false;
  check_work(result, "cuStreamQuery");
  return true;
}

void Stream::wait_for_event(const Event& event) const {
  const Driver& driver = Driver::get();
  check_work(with_context([&] { return driver.stream_wait_event(handle_, event.handle(), CU_EVENT_WAIT_DEFAULT); }),
             "cuStreamWaitEvent");
}

}  // namespace kiln
