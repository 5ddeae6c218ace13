// Device memory that is given away as a DLPack tensor.
#include "fake_cuda.hpp"

#include <kiln/detail/launch_transform.hpp>
#include <kiln/dlpack.hpp>
#include <kiln/driver.hpp>
#include <kiln/error.hpp>

#include <cuda.h>
#include <doctest/doctest.h>

#include <cstddef>
#include <thread>
#include <utility>

namespace dlpack_test {

struct Pair {
  float a, b;
};

using kiln::ArgumentError;
using kiln::DeviceBuffer;

TEST_CASE("dlpack: a tensor of a buffer's memory frees it, once and in any thread") {
  kiln::use_driver(fake_cuda::library_path());
  { const DeviceBuffer<int> first(1); }  // a context
  const std::size_t before = fake_cuda::live_allocations();
  DeviceBuffer<float> buffer(6);
  float* const address = buffer.data();
  kiln::DLPackPointer tensor = kiln::to_dlpack(std::move(buffer), {2, 3});
  CHECK(tensor->dl_tensor.data == address);
  CHECK(tensor->dl_tensor.byte_offset == 0);
  CHECK(tensor->dl_tensor.dtype.code == kDLFloat);
  CHECK(tensor->dl_tensor.dtype.bits == 32);
  CHECK(tensor->dl_tensor.dtype.lanes == 1);
  CHECK(tensor->dl_tensor.ndim == 2);
  CHECK(tensor->dl_tensor.shape[0] == 2);
  CHECK(tensor->dl_tensor.shape[1] == 3);
  CHECK(tensor->dl_tensor.strides[0] == 3);
  CHECK(tensor->dl_tensor.strides[1] == 1);
  CHECK(tensor->dl_tensor.device.device_type == kDLCUDA);
  CHECK(tensor->dl_tensor.device.device_id == 0);
  CHECK(fake_cuda::live_allocations() == before + 1);
  {
    kiln::DLPackTensor<float> taken(tensor.release());
    const kiln::DLPackTensor<float> moved = std::move(taken);
    CHECK(fake_cuda::live_allocations() == before + 1);
  }
  CHECK(fake_cuda::live_allocations() == before);
  kiln::DLPackPointer other = kiln::to_dlpack(DeviceBuffer<double>(5));
  CHECK(other->dl_tensor.shape[0] == 5);
  CHECK(fake_cuda::live_allocations() == before + 1);
  std::thread([&] { other.reset(); }).join();
  CHECK(fake_cuda::live_allocations() == before);
}

TEST_CASE("dlpack: buffers that cannot be a tensor keep nothing") {
  kiln::use_driver(fake_cuda::library_path());
  { const DeviceBuffer<int> first(1); }
  const std::size_t before = fake_cuda::live_allocations();
  CHECK(kiln::to_dlpack(DeviceBuffer<int>(0))->dl_tensor.shape[0] == 0);
  CHECK_THROWS_WITH_AS(kiln::to_dlpack(DeviceBuffer<float>(6), {2, 2}), doctest::Contains("6 elements, given one of 4"),
                       ArgumentError);
  CHECK_THROWS_WITH_AS(kiln::to_dlpack(DeviceBuffer<float>(6), {-2, -3}), doctest::Contains("given -2"), ArgumentError);
  CHECK_THROWS_WITH_AS(kiln::to_dlpack(DeviceBuffer<Pair>(6)), doctest::Contains("given dlpack_test::Pair"),
                       ArgumentError);
  CHECK(fake_cuda::live_allocations() == before);
}

TEST_CASE("dlpack: memory of a device that a launch cannot use is refused") {
  kiln::use_driver(fake_cuda::library_path());
  const DeviceBuffer<float> buffer(6);
  const auto tensor_on = [&](int device) {
    kiln::DLPackPointer given = kiln::to_dlpack(DeviceBuffer<float>(6));
    given->dl_tensor.device.device_id = device;
    return kiln::DLPackTensor<float>(given.release());
  };
  const kiln::DLPackTensor<float> own = tensor_on(0), other = tensor_on(1);
  CHECK(&kiln::detail::launch_transform(nullptr, own) == &own);
  fake_cuda::fail("cuPointerGetAttribute", CUDA_ERROR_INVALID_VALUE);
  CHECK_THROWS_WITH_AS(kiln::detail::launch_transform(nullptr, other),
                       doctest::Contains("memory of device 1, and the kernel runs on device 0"), ArgumentError);
  CHECK(&kiln::detail::launch_transform(nullptr, other) == &other);
}

TEST_CASE("dlpack: elements of several lanes are vectors") {
  struct Two {
    float x, y;
  };
  kiln::use_driver(fake_cuda::library_path());
  kiln::DLPackPointer tensor = kiln::to_dlpack(DeviceBuffer<Two>(3));
  CHECK(tensor->dl_tensor.dtype.code == kDLFloat);
  CHECK(tensor->dl_tensor.dtype.bits == 32);
  CHECK(tensor->dl_tensor.dtype.lanes == 2);
  CHECK_THROWS_WITH_AS((void)kiln::DLPackTensor<int>(tensor.get()), doctest::Contains("given 2 x float32"),
                       ArgumentError);
  CHECK(kiln::DLPackTensor<Two>(tensor.release()).size() == 3);
}

}  // namespace dlpack_test
