#include "fake_cuda.hpp"
#include "on_new_thread.hpp"

#include <kiln/device.hpp>
#include <kiln/device_buffer.hpp>
#include <kiln/error.hpp>
#include <kiln/pitched_buffer.hpp>

#include <cuda.h>
#include <doctest/doctest.h>

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace device_buffer_test {

using kiln::DeviceBuffer;

// The host does not read device memory by an index: what the emulator would allow ends a process on a GPU.
template <class Buffer>
concept HasIndex = requires(Buffer buffer) {
  buffer[3];
};
static_assert(!HasIndex<DeviceBuffer<float>> && !HasIndex<const DeviceBuffer<float>&>);
static_assert(!HasIndex<kiln::PitchedBuffer<float>>);

TEST_CASE("what goes in comes out") {
  const std::vector<int> numbers = {1, 2, 3};
  const DeviceBuffer<int> buffer(numbers);
  CHECK(buffer.size() == 3);
  CHECK(buffer.to_host() == numbers);
  CHECK(static_cast<int*>(buffer) == buffer.data());
  CHECK(reinterpret_cast<CUdeviceptr>(buffer.data()) == buffer.device_pointer());
  const float array[2] = {1, 2};
  CHECK(DeviceBuffer<float>(array).to_host() == std::vector<float>{1, 2});
}

TEST_CASE("a buffer frees what it owns, once, also after moves") {
  const std::size_t before = fake_cuda::live_allocations();
  {
    DeviceBuffer<int> first(10);
    CHECK(fake_cuda::live_allocations() == before + 1);
    DeviceBuffer<int> second(std::move(first));
    CHECK(second.size() == 10);
    DeviceBuffer<int> third(5);
    third = std::move(second);
    CHECK(third.size() == 10);
    CHECK(fake_cuda::live_allocations() == before + 2);
  }
  CHECK(fake_cuda::live_allocations() == before);
}

TEST_CASE("an empty buffer never troubles the driver") {
  fake_cuda::reset();
  DeviceBuffer<int> buffer(0);
  CHECK(buffer.data() == nullptr);
  buffer.copy_from(std::vector<int>{});
  CHECK(buffer.to_host().empty());
  CHECK(fake_cuda::calls("cuMemAlloc") + fake_cuda::calls("cuMemcpyHtoD") + fake_cuda::calls("cuMemcpyDtoH") == 0);
}

TEST_CASE("another number of elements is refused before anything is copied") {
  DeviceBuffer<int> buffer(3);
  fake_cuda::reset();
  try {
    buffer.copy_from(std::array<int, 2>{});
    FAIL("accepted");
  } catch (const kiln::ArgumentError& error) {
    CHECK(error.expected() == "3");
    CHECK(error.given() == "2");
  }
  CHECK(fake_cuda::calls("cuMemcpyHtoD") == 0);
}

TEST_CASE("a size that overflows, and one that the device lacks") {
  CHECK_THROWS_AS(DeviceBuffer<double>(static_cast<std::size_t>(-1)), kiln::ArgumentError);
  try {
    (void)DeviceBuffer<double>(std::size_t{1} << 40);
    FAIL("allocated");
  } catch (const kiln::DriverError& error) {
    CHECK(error.result() == CUDA_ERROR_OUT_OF_MEMORY);
    CHECK(std::string(error.what()).find("8796093022208 bytes") != std::string::npos);
  }
}

TEST_CASE("a failed copy into a new buffer leaks nothing") {
  const std::size_t before = fake_cuda::live_allocations();
  fake_cuda::reset();
  fake_cuda::fail("cuMemcpyHtoD", CUDA_ERROR_ILLEGAL_ADDRESS);
  try {
    (void)DeviceBuffer<int>(std::vector<int>{1});
    FAIL("copied");
  } catch (const kiln::DriverError& error) {
    CHECK(std::string(error.what()).find("an earlier kernel may have caused it") != std::string::npos);
  }
  CHECK(fake_cuda::live_allocations() == before);
}

TEST_CASE("a thread without a context copies and frees") {
  const std::size_t before = fake_cuda::live_allocations();
  std::optional<DeviceBuffer<int>> buffer(std::vector<int>{7});
  on_new_thread([&] { CHECK(buffer->to_host() == std::vector<int>{7}); });
  on_new_thread([&] { buffer->copy_from(std::vector<int>{8}); });
  on_new_thread([&] {
    fake_cuda::reset();
    fake_cuda::fail("cuMemFree", CUDA_ERROR_INVALID_CONTEXT);  // as the real driver answers such a thread
    buffer.reset();
    CHECK(fake_cuda::calls("cuMemFree") == 2);
    CUcontext context = nullptr;
    CHECK(cuCtxGetCurrent(&context) == CUDA_SUCCESS);
    CHECK(context == nullptr);
  });
  CHECK(fake_cuda::live_allocations() == before);
}

TEST_CASE("a buffer is freed while another device is current") {
  const std::size_t before = fake_cuda::live_allocations();
  on_new_thread([] {
    kiln::Device(0).make_current();
    const DeviceBuffer<int> buffer(4);
    kiln::Device(1).make_current();
  });
  CHECK(fake_cuda::live_allocations() == before);
}

TEST_CASE("the destructor never throws, whatever the driver says") {
  for (const CUresult result : {CUDA_ERROR_DEINITIALIZED, CUDA_ERROR_ILLEGAL_ADDRESS, CUDA_ERROR_INVALID_CONTEXT}) {
    fake_cuda::reset();
    fake_cuda::fail("cuMemFree", result, 0, 2);
    { const DeviceBuffer<int> buffer(4); }
    CHECK(fake_cuda::calls("cuMemFree") >= 1);
  }
  fake_cuda::reset();
}

}  // namespace device_buffer_test
