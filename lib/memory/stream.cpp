#include "base/argument_error.hpp"
#include "memory/asynchronous_error.hpp"
#include "memory/context.hpp"
#include "toolkit/driver/driver_extras.hpp"

#include <kiln/event.hpp>
#include <kiln/stream.hpp>

namespace kiln {

namespace {

CUstream new_stream(unsigned flags) {
  require_context();
  CUstream stream = nullptr;
  check_work(Driver::get().stream_create(&stream, flags), "cuStreamCreate");
  return stream;
}

CUstream new_stream(unsigned flags, int priority) {
  require_context();
  CUstream stream = nullptr;
  check_work(DriverExtras::get().stream_create_with_priority(&stream, flags, priority), "cuStreamCreateWithPriority",
             " for priority " + std::to_string(priority));
  return stream;
}

}  // namespace

Stream::Stream() : Stream(new_stream(CU_STREAM_DEFAULT)) {}

Stream Stream::non_blocking() { return Stream(new_stream(CU_STREAM_NON_BLOCKING)); }

Stream Stream::with_priority(int priority) { return Stream(new_stream(CU_STREAM_DEFAULT, priority)); }

Stream Stream::non_blocking_with_priority(int priority) { return Stream(new_stream(CU_STREAM_NON_BLOCKING, priority)); }

std::pair<int, int> Stream::priority_range() {
  const DriverExtras& driver = DriverExtras::get();
  int least = 0;
  int greatest = 0;
  check_work(with_context([&] { return driver.ctx_get_stream_priority_range(&least, &greatest); }),
             "cuCtxGetStreamPriorityRange");
  return {least, greatest};
}

Stream::Stream(CUstream handle) : handle_(handle, [](CUstream stream) { release(stream); }) {}

Stream::~Stream() = default;

Stream::Stream(Stream&& other) noexcept = default;

Stream& Stream::operator=(Stream&& other) noexcept {
  handle_.swap(other.handle_);
  return *this;
}

void Stream::refuse_moved_from() {
  throw_argument_error("Stream: this stream was moved from, so that it names no stream: use the one it was moved to",
                       "a stream", "one that was moved from");
}

void Stream::synchronize() const {
  const Driver& driver = Driver::get();
  CUstream stream = *this;
  check_work(with_context([&] { return driver.stream_synchronize(stream); }), "cuStreamSynchronize");
}

bool Stream::is_done() const {
  const Driver& driver = Driver::get();
  CUstream stream = *this;
  const int result = with_context([&] { return driver.stream_query(stream); });
  if (result == CUDA_ERROR_NOT_READY) return false;
  check_work(result, "cuStreamQuery");
  return true;
}

void Stream::wait_for_event(const Event& event) const {
  const Driver& driver = Driver::get();
  CUstream stream = *this;
  check_work(with_context([&] { return driver.stream_wait_event(stream, event, CU_EVENT_WAIT_DEFAULT); }),
             "cuStreamWaitEvent");
}

SharedStream::SharedStream(const Stream& stream) : handle_(stream.handle_) {
  if (handle_ == nullptr) Stream::refuse_moved_from();
}

SharedStream::SharedStream(CUstream stream)
    : handle_(std::shared_ptr<CUstream_st>(), stream != nullptr ? stream : CU_STREAM_LEGACY) {
  if (stream != CU_STREAM_PER_THREAD) return;
  throw_argument_error(
      "the per-thread default stream is another stream in each thread, so that no object can be bound to it: use a "
      "kiln::Stream, or null for the legacy default stream",
      "a stream that is the same in all threads", "CU_STREAM_PER_THREAD");
}

}  // namespace kiln
