// Memory that generated kernels use and use again, over the fake driver.
#include "fake_cuda.hpp"
#include "generate/stream_memory.hpp"

#include <kiln/driver.hpp>
#include <kiln/error.hpp>
#include <kiln/stream.hpp>

#include <cuda.h>
#include <doctest/doctest.h>

#include <cstddef>
#include <set>
#include <thread>
#include <vector>

namespace stream_memory_test {

using kiln::StreamMemory;

namespace {

struct Opened {
  Opened() {
    kiln::use_driver(fake_cuda::library_path());
    fake_cuda::reset();
  }
};
/// A stream of the fake driver.
struct Place : Opened {
  kiln::Stream stream;
};

}  // namespace

TEST_CASE("stream memory: each launch has states of an epoch of its own, larger ones begin anew") {
  const Place place;
  StreamMemory memory(place.stream);
  CUdeviceptr states = 0;
  {
    const StreamMemory::Use use(memory, 100, 160);
    states = use.states();
    CHECK(use.epoch() == 1);
    CHECK(use.counter() != 0);
  }
  CHECK(StreamMemory::Use(memory, 0, 16).epoch() == 2);
  CHECK(StreamMemory::Use(memory, 4000, 160).states() == states);
  CHECK(StreamMemory::Use(memory, 0, 1600).epoch() == 1);
}

TEST_CASE("stream memory: states that could not be cleared are cleared before they are used") {
  const Place place;
  StreamMemory memory(place.stream);
  CHECK(StreamMemory::Use(memory, 0, 160).epoch() == 1);
  fake_cuda::fail("cuMemsetD32Async", CUDA_ERROR_LAUNCH_FAILED);
  CHECK_THROWS_AS(StreamMemory::Use(memory, 0, 1600), kiln::DriverError);
  const std::size_t before = fake_cuda::calls("cuMemsetD32Async");
  CHECK(StreamMemory::Use(memory, 0, 1600).epoch() == 1);
  CHECK(fake_cuda::calls("cuMemsetD32Async") == before + 1);
}

TEST_CASE("stream memory: nothing is left where it cannot be made, or behind it") {
  const Place place;
  const std::size_t before = fake_cuda::live_allocations();
  fake_cuda::fail("cuMemsetD32Async", CUDA_ERROR_LAUNCH_FAILED);
  CHECK_THROWS_AS(StreamMemory(CUstream(place.stream)), kiln::DriverError);
  CHECK(fake_cuda::live_allocations() == before);
  {
    StreamMemory memory(place.stream);
    (void)memory.take_slot();
    const StreamMemory::Use use(memory, 100, 160);
    CHECK(fake_cuda::live_allocations() == before + 4);
  }
  CHECK(fake_cuda::live_allocations() == before);
}

TEST_CASE("stream memory: many threads that ask for one stream's first have one, and launches that do not meet") {
  const Place place;
  constexpr std::size_t count = 8, turns = 100;
  std::vector<StreamMemory*> found(count);
  std::vector<std::vector<unsigned>> epochs(count);
  std::vector<std::vector<CUdeviceptr>> slots(count);
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < count; ++t)
    threads.emplace_back([&, t] {
      const auto memory = StreamMemory::of(place.stream);
      found[t] = memory.get();
      for (std::size_t k = 0; k < turns; ++k) {
        slots[t].push_back(memory->take_slot());
        epochs[t].push_back(StreamMemory::Use(*memory, 16 * k, 160).epoch());
      }
    });
  for (std::thread& thread : threads) thread.join();
  std::set<CUdeviceptr> all_slots;
  std::set<unsigned> all_epochs;
  for (std::size_t t = 0; t < count; ++t) {
    CHECK(found[t] == found[0]);
    all_slots.insert(slots[t].begin(), slots[t].end());
    all_epochs.insert(epochs[t].begin(), epochs[t].end());
  }
  CHECK(all_slots.size() == count * turns);
  CHECK(all_epochs.size() == count * turns);
  const auto memory = StreamMemory::of(place.stream);
  for (const CUdeviceptr slot : all_slots) memory->give_back_slot(slot);
  CHECK(all_slots.count(memory->take_slot()) == 1);
}

}  // namespace stream_memory_test
