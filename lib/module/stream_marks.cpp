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

}  // namespace

Mark::Mark() {
  CUevent event = nullptr;
  check_work(Driver::get().event_create(&event, CU_EVENT_DISABLE_TIMING), "cuEventCreate");
  event_.reset(event);
}

void Mark::Destroy::operator()(CUevent event) const noexcept { release(event); }

void Mark::record(CUstream stream) { check_work(Driver::get().event_record(event_.get(), stream), "cuEventRecord"); }

bool Mark::is_reached() const {
  const CUresult result = Driver::get().event_query(event_.get());
  if (result == CUDA_ERROR_NOT_READY) return false;
  check_work(result, "cuEventQuery");
  return true;
}

void Mark::precede(CUstream stream) const {
  check_work(Driver::get().stream_wait_event(stream, event_.get(), CU_EVENT_WAIT_DEFAULT), "cuStreamWaitEvent");
}

void Mark::wait() const noexcept {
  if (const Driver* driver = Driver::if_open()) (void)driver->event_synchronize(event_.get());
}

/// The stream's reader, or else one that is done, whose event serves again: streams come and go.
StreamMarks::Reader& StreamMarks::reader_of(std::uint64_t stream) {
  for (Reader& reader : readers_)
    if (reader.stream == stream) return reader;
  const RelaxedCapture relaxed;
  for (Reader& reader : readers_) {
    if (!reader.mark.is_reached()) continue;
    reader.stream = stream;
    reader.since_write = false;
    return reader;
  }
  readers_.push_back({stream, Mark(), false});
  return readers_.back();
}

void StreamMarks::begin_write(CUstream stream) {
  const std::uint64_t id = id_of(stream);
  if (write_ == nullptr) write_ = std::make_unique<Mark>();
  if (writer_ != id) write_->precede(stream);
  for (const Reader& reader : readers_)
    if (reader.since_write && reader.stream != id) reader.mark.precede(stream);
}

void StreamMarks::end_write(CUstream stream) {
  write_->record(stream);
  writer_ = id_of(stream);
  for (Reader& reader : readers_) reader.since_write = false;
}

StreamMarks::Reader& StreamMarks::begin_read(CUstream stream) {
  const std::uint64_t id = id_of(stream);
  Reader& reader = reader_of(id);
  if (write_ != nullptr && writer_ != id && !reader.since_write) write_->precede(stream);
  return reader;
}

void StreamMarks::end_read(Reader& reader, CUstream stream) {
  reader.mark.record(stream);
  reader.since_write = true;
}

bool StreamMarks::is_written() const { return write_ == nullptr || write_->is_reached(); }

void StreamMarks::wait() const noexcept {
  if (write_) write_->wait();
  for (const Reader& reader : readers_) reader.mark.wait();
}

}  // namespace kiln
