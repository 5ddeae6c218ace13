#include "module/stream_marks.hpp"

#include "memory/asynchronous_error.hpp"
#include "memory/context.hpp"
#include "memory/relaxed_capture.hpp"

namespace kiln {

namespace {

/// Unlike the handle never given again, and each thread's own for the per-thread default stream.
std::uint64_t id_of(CUstream stream) {
  unsigned long long id = 0;
  if (DriverExtras::get().stream_get_id(stream, &id) == CUDA_SUCCESS) return id;
  return reinterpret_cast<std::uintptr_t>(stream);
}

/// What `stream` gets later waits for what was recorded.
void precede(CUstream stream, const Event& mark) {
  check_work(Driver::get().stream_wait_event(stream, mark, CU_EVENT_WAIT_DEFAULT), "cuStreamWaitEvent");
}

void wait_for(const Event& mark) noexcept {
  if (const Driver* driver = Driver::if_open()) (void)driver->event_synchronize(mark);
}

constexpr EventFlags without_timing = {.timing = false};

}  // namespace

/// The stream's reader, or else one that is done, whose event serves again: streams come and go.
StreamMarks::Reader& StreamMarks::reader_of(std::uint64_t stream) {
  for (Reader& reader : readers_)
    if (reader.stream == stream) return reader;
  const RelaxedCapture relaxed;
  for (Reader& reader : readers_) {
    if (!reader.mark.query()) continue;
    reader.stream = stream;
    reader.since_write = false;
    return reader;
  }
  readers_.push_back({stream, Event(without_timing), false});
  return readers_.back();
}

void StreamMarks::begin_write(CUstream stream) {
  const std::uint64_t id = id_of(stream);
  if (!write_) write_.emplace(without_timing);
  if (writer_ != id) precede(stream, *write_);
  for (const Reader& reader : readers_)
    if (reader.since_write && reader.stream != id) precede(stream, reader.mark);
}

void StreamMarks::end_write(CUstream stream) {
  write_->record(stream);
  writer_ = id_of(stream);
  for (Reader& reader : readers_) reader.since_write = false;
}

StreamMarks::Reader& StreamMarks::begin_read(CUstream stream) {
  const std::uint64_t id = id_of(stream);
  Reader& reader = reader_of(id);
  if (write_ && writer_ != id && !reader.since_write) precede(stream, *write_);
  return reader;
}

void StreamMarks::end_read(Reader& reader, CUstream stream) {
  reader.mark.record(stream);
  reader.since_write = true;
}

bool StreamMarks::is_written() const { return !write_ || write_->query(); }

void StreamMarks::wait() const noexcept {
  if (write_) wait_for(*write_);
  for (const Reader& reader : readers_) wait_for(reader.mark);
}

}  // namespace kiln
