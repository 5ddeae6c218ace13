#include "each_call_fails.hpp"
#include "fake_cuda.hpp"
#include "on_new_thread.hpp"

#include <kiln/array.hpp>
#include <kiln/device.hpp>
#include <kiln/device_buffer.hpp>
#include <kiln/error.hpp>
#include <kiln/mipmapped_array.hpp>
#include <kiln/pinned_buffer.hpp>
#include <kiln/stream.hpp>

#include <cuda.h>
#include <doctest/doctest.h>

#include <memory>
#include <optional>
#include <vector>

namespace stream_ordered_test {

using kiln::DeviceBuffer;
using kiln::Stream;
using Numbers = std::vector<unsigned long long>;

namespace {

unsigned long long number(const void* pointer) { return reinterpret_cast<unsigned long long>(pointer); }

}  // namespace

TEST_CASE("memory is freed while a stream is being captured, which goes on") {
  const std::vector<std::size_t> before = all_live();
  const kiln::Stream captured;
  {
    const kiln::DeviceBuffer<int> device(4);
    const kiln::PinnedBuffer<int> pinned(4);
    const kiln::Array array = kiln::Array::make<float>(8);
    const kiln::MipmappedArray levels(kiln::ArrayDescriptor::of<float>(8), 2);
    fake_cuda::set_capturing(captured.handle(), true);
  }
  fake_cuda::set_capturing(captured.handle(), false);
  std::vector<std::size_t> after = before;
  ++after[3];  // the stream
  CHECK(all_live() == after);
  CUstreamCaptureMode mode = CU_STREAM_CAPTURE_MODE_GLOBAL;
  REQUIRE(cuThreadExchangeStreamCaptureMode(&mode) == CUDA_SUCCESS);
  CHECK(mode == CU_STREAM_CAPTURE_MODE_GLOBAL);  // as it was before
}

TEST_CASE("a buffer of a stream is allocated, used and freed in its order") {
  const std::size_t before = fake_cuda::live_allocations();
  const Stream stream;
  CUdeviceptr address = 0;
  fake_cuda::reset();
  {
    DeviceBuffer<int> buffer = DeviceBuffer<int>::on_stream(3, stream);
    address = buffer.device_pointer();
    const std::vector<int> numbers = {1, 2, 3};
    buffer.copy_from(numbers);
    CHECK(buffer.to_host() == numbers);
    buffer.fill(7);
    CHECK(buffer.to_host() == std::vector<int>(3, 7));
    CHECK(fake_cuda::calls("cuMemcpyHtoD") + fake_cuda::calls("cuMemcpyDtoH") + fake_cuda::calls("cuMemsetD32") == 0);
    CHECK(fake_cuda::calls("cuStreamSynchronize") == 3);
    CHECK(fake_cuda::arguments("cuMemsetD32Async").at(0).back() == number(stream.handle()));
  }
  CHECK(fake_cuda::arguments("cuMemAllocAsync") == std::vector<Numbers>{{12, number(stream.handle())}});
  CHECK(fake_cuda::arguments("cuMemFreeAsync") == std::vector<Numbers>{{address, number(stream.handle())}});
  CHECK(fake_cuda::calls("cuMemFree") == 0);
  CHECK(fake_cuda::live_allocations() == before);
}

TEST_CASE("a buffer keeps its kiln::Stream, also through moves") {
  const std::size_t streams = fake_cuda::live_streams();
  const std::size_t allocations = fake_cuda::live_allocations();
  {
    std::optional<Stream> stream(std::in_place);
    DeviceBuffer<int> buffer = DeviceBuffer<int>::on_stream(1, *stream);
    stream.reset();
    CHECK(fake_cuda::live_streams() == streams + 1);
    DeviceBuffer<int> other(1);
    other = std::move(buffer);
    other.fill(5);
    CHECK(other.to_host() == std::vector<int>{5});
    fake_cuda::reset();
  }
  CHECK(fake_cuda::calls("cuMemFreeAsync") == 1);
  CHECK(fake_cuda::calls("cuMemFree") == 1);
  CHECK(fake_cuda::live_streams() == streams);
  CHECK(fake_cuda::live_allocations() == allocations);
}

TEST_CASE("memory whose CUstream was destroyed too early is still freed") {
  const std::size_t before = fake_cuda::live_allocations();
  {
    Stream stream;
    CUstream raw = stream.handle();
    const DeviceBuffer<int> buffer = DeviceBuffer<int>::on_stream(1, raw);
    stream = Stream();
    fake_cuda::reset();
  }
  CHECK(fake_cuda::live_allocations() == before);
}

TEST_CASE("the legacy default stream is the one of the device on which the buffer was made") {
  const std::size_t before = fake_cuda::live_allocations();
  on_new_thread([] {
    kiln::Device(1).make_current();
    auto buffer = std::make_unique<DeviceBuffer<int>>(DeviceBuffer<int>::on_stream(1, nullptr));
    kiln::Device(0).make_current();
    fake_cuda::reset();
    buffer.reset();
    CHECK(fake_cuda::calls("cuCtxSetCurrent") == 2);
    CHECK(fake_cuda::arguments("cuMemFreeAsync").at(0).at(1) == number(CU_STREAM_LEGACY));
  });
  CHECK(fake_cuda::live_allocations() == before);
}

TEST_CASE("a stream that no object can be bound to is refused") {
  Stream stream;
  const Stream moved(std::move(stream));
  fake_cuda::reset();
  CHECK_THROWS_AS((void)DeviceBuffer<int>::on_stream(1, stream),
                  kiln::ArgumentError);  // NOLINT(bugprone-use-after-move)
  CHECK_THROWS_AS((void)DeviceBuffer<int>::on_stream(1, CU_STREAM_PER_THREAD), kiln::ArgumentError);
  CHECK_THROWS_AS((void)DeviceBuffer<int>::on_stream(static_cast<std::size_t>(-1), moved), kiln::ArgumentError);
  CHECK_THROWS_AS(DeviceBuffer<int>(1).copy_from(DeviceBuffer<int>(1), stream), kiln::ArgumentError);
  CHECK_THROWS_AS(stream.synchronize(), kiln::ArgumentError);
  CHECK_THROWS_AS((void)stream.is_done(), kiln::ArgumentError);
  CHECK(stream.handle() == nullptr);
  CHECK(fake_cuda::calls("cuMemAllocAsync") + fake_cuda::calls("cuStreamSynchronize") == 0);
}

TEST_CASE("freeing is quiet whatever the driver says") {
  for (const CUresult result :
       {CUDA_ERROR_DEINITIALIZED, CUDA_ERROR_ILLEGAL_ADDRESS, CUDA_ERROR_INVALID_CONTEXT, CUDA_ERROR_INVALID_HANDLE}) {
    const Stream stream;
    fake_cuda::reset();
    { const DeviceBuffer<int> buffer = DeviceBuffer<int>::on_stream(4, stream); }
    fake_cuda::fail("cuMemFreeAsync", result, 0, 2);
    { const DeviceBuffer<int> buffer = DeviceBuffer<int>::on_stream(4, stream); }
    CHECK(fake_cuda::calls("cuMemFreeAsync") >= 2);
  }
  fake_cuda::reset();
}

TEST_CASE("parts of a buffer are written and read") {
  DeviceBuffer<int> buffer(std::vector<int>{1, 2, 3, 4});
  const std::vector<int> two = {8, 9};
  std::vector<int> back(2);
  SUBCASE("with the host waiting") {
    buffer.write(1, two);
    buffer.read(2, back);
  }
  SUBCASE("in a stream") {
    const Stream stream;
    buffer.write(1, two, stream);
    buffer.read(2, back, stream);
  }
  CHECK(back == std::vector<int>{9, 4});
  CHECK(buffer.to_host() == std::vector<int>{1, 8, 9, 4});
  CHECK_THROWS_AS(buffer.write(3, two), kiln::ArgumentError);
  CHECK_THROWS_AS(buffer.read(static_cast<std::size_t>(-1), back), kiln::ArgumentError);
}

TEST_CASE("whole buffers travel in a stream and between buffers") {
  const Stream stream;
  const std::vector<int> numbers = {1, 2, 3};
  std::vector<int> back(3);
  DeviceBuffer<int> a(3);
  DeviceBuffer<int> b(3);
  DeviceBuffer<int> c(3);
  fake_cuda::reset();
  a.copy_from(numbers, stream);
  b.copy_from(a, stream);
  c.copy_from(b);
  c.copy_to(back, stream);
  CHECK(fake_cuda::calls("cuStreamSynchronize") == 0);
  CHECK(back == numbers);
  back.assign(3, 0);
  c.copy_to(back);
  CHECK(back == numbers);
  int array[3] = {};
  c.copy_to(array);
  CHECK(array[2] == 3);
  CHECK_THROWS_AS(a.copy_from(std::vector<int>(2)), kiln::ArgumentError);
  back.resize(2);
  CHECK_THROWS_AS(a.copy_to(back), kiln::ArgumentError);
  CHECK_THROWS_AS(a.copy_from(DeviceBuffer<int>(2)), kiln::ArgumentError);
}

TEST_CASE("each call of a stream-ordered buffer fails in turn") {
  const std::vector<int> numbers = {1, 2};
  each_call_fails(
      [&] {
        const Stream stream;
        DeviceBuffer<int> buffer = DeviceBuffer<int>::on_stream(2, stream);
        buffer.copy_from(numbers);
        (void)buffer.to_host();
      },
      {"cuStreamDestroy", "cuMemFreeAsync"});
}

}  // namespace stream_ordered_test
