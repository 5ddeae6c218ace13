#include "fake_cuda.hpp"
#include "on_new_thread.hpp"

#include <kiln/error.hpp>
#include <kiln/event.hpp>
#include <kiln/stream.hpp>

#include <cuda.h>
#include <doctest/doctest.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace stream_event_test {

using kiln::Event;
using kiln::Stream;

TEST_CASE("streams and events are given back, once, also after moves") {
  const std::size_t streams = fake_cuda::live_streams();
  const std::size_t events = fake_cuda::live_events();
  {
    Stream stream;
    Stream other = Stream::non_blocking();
    other = std::move(stream);
    const Stream moved(std::move(other));
    CHECK(moved.handle() != nullptr);
    CHECK(fake_cuda::live_streams() == streams + 2);
    Event event;
    Event another;
    another = std::move(event);
    const Event last(std::move(another));
    CHECK(last.handle() != nullptr);
    CHECK(fake_cuda::live_events() == events + 2);
  }
  CHECK(fake_cuda::live_streams() == streams);
  CHECK(fake_cuda::live_events() == events);
}

TEST_CASE("work in a stream") {
  const Stream stream;
  Event start;
  Event end;
  start.record(stream);
  stream.wait_for_event(start);
  end.record(stream).synchronize();
  CHECK(end.query());
  CHECK(stream.is_done());
  stream.synchronize();
  CHECK(end.time_since(start) >= 0);
  CHECK(start.time_till(end) == end.time_since(start));
}

TEST_CASE("work that is not done is no error") {
  const Stream stream;
  const Event event;
  fake_cuda::reset();
  fake_cuda::fail("cuStreamQuery", CUDA_ERROR_NOT_READY);
  fake_cuda::fail("cuEventQuery", CUDA_ERROR_NOT_READY);
  CHECK_FALSE(stream.is_done());
  CHECK_FALSE(event.query());
  CHECK(stream.is_done());
  CHECK(event.query());
}

TEST_CASE("what went wrong in a stream is thrown by synchronize, with what it means") {
  const Stream stream;
  fake_cuda::reset();
  fake_cuda::fail("cuStreamSynchronize", CUDA_ERROR_LAUNCH_FAILED);
  try {
    stream.synchronize();
    FAIL("nothing thrown");
  } catch (const kiln::DriverError& error) {
    CHECK(error.result() == CUDA_ERROR_LAUNCH_FAILED);
    CHECK(error.call() == "cuStreamSynchronize");
    CHECK(std::string(error.what()).find("an earlier kernel may have caused it") != std::string::npos);
  }
  fake_cuda::fail("cuStreamSynchronize", CUDA_ERROR_INVALID_VALUE);
  try {
    stream.synchronize();
    FAIL("nothing thrown");
  } catch (const kiln::DriverError& error) {
    CHECK(std::string(error.what()).find("earlier kernel") == std::string::npos);
  }
}

TEST_CASE("every call works on a thread without a context") {
  std::optional<Stream> stream(std::in_place);
  std::optional<Event> event(std::in_place);
  fake_cuda::reset();
  const auto refuse_once = [](const char* call) { fake_cuda::fail(call, CUDA_ERROR_INVALID_CONTEXT); };
  on_new_thread([&] {
    refuse_once("cuEventRecord");
    event->record(*stream);
  });
  on_new_thread([&] {
    refuse_once("cuEventSynchronize");
    event->synchronize();
  });
  on_new_thread([&] {
    refuse_once("cuStreamSynchronize");
    stream->synchronize();
  });
  on_new_thread([&] {
    refuse_once("cuStreamWaitEvent");
    stream->wait_for_event(*event);
  });
  on_new_thread([&] {
    refuse_once("cuStreamQuery");
    CHECK(stream->is_done());
  });
  on_new_thread([&] {
    refuse_once("cuEventQuery");
    CHECK(event->query());
  });
  on_new_thread([&] {
    refuse_once("cuEventElapsedTime");
    CHECK(event->time_since(*event) == 0);
  });
  const std::size_t streams = fake_cuda::live_streams();
  const std::size_t events = fake_cuda::live_events();
  on_new_thread([&] {
    refuse_once("cuStreamDestroy");
    stream.reset();
  });
  on_new_thread([&] {
    refuse_once("cuEventDestroy");
    event.reset();
  });
  CHECK(fake_cuda::live_streams() == streams - 1);
  CHECK(fake_cuda::live_events() == events - 1);
}

TEST_CASE("a stream that cannot be made throws") {
  fake_cuda::reset();
  fake_cuda::fail("cuStreamCreate", CUDA_ERROR_OUT_OF_MEMORY);
  CHECK_THROWS_AS(Stream(), kiln::DriverError);
  fake_cuda::fail("cuEventCreate", CUDA_ERROR_OUT_OF_MEMORY);
  CHECK_THROWS_AS(Event(), kiln::DriverError);
}

TEST_CASE("a stream's priority and an event's flags reach the driver") {
  using Numbers = std::vector<unsigned long long>;
  CHECK(Stream::priority_range() == std::pair<int, int>(0, -5));
  fake_cuda::reset();
  const Stream blocking = Stream::with_priority(-2);
  const Stream other = Stream::non_blocking_with_priority(-1);
  const auto unsigned_of = [](int priority) { return static_cast<unsigned long long>(priority); };
  CHECK(fake_cuda::arguments("cuStreamCreateWithPriority") ==
        std::vector<Numbers>{{CU_STREAM_DEFAULT, unsigned_of(-2)}, {CU_STREAM_NON_BLOCKING, unsigned_of(-1)}});
  kiln::EventFlags flags;
  const Event plain(flags);
  flags.timing = false;
  Event untimed(flags);
  flags.blocking_sync = true;
  const Event sleeping(flags);
  CHECK(fake_cuda::arguments("cuEventCreate") ==
        std::vector<Numbers>{
            {CU_EVENT_DEFAULT}, {CU_EVENT_DISABLE_TIMING}, {CU_EVENT_DISABLE_TIMING | CU_EVENT_BLOCKING_SYNC}});
  untimed.record(blocking).synchronize();
  CHECK_THROWS_AS((void)untimed.time_since(untimed), kiln::DriverError);
  fake_cuda::fail("cuStreamCreateWithPriority", CUDA_ERROR_OUT_OF_MEMORY);
  CHECK_THROWS_AS((void)Stream::with_priority(0), kiln::DriverError);
}

}  // namespace stream_event_test
