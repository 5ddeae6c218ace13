// Device memory that is given away as a tensor of DLPack 1.
#include "fake_cuda.hpp"

#include <kiln/dlpack.hpp>
#include <kiln/driver.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <utility>

namespace dlpack_versioned_test {

TEST_CASE("dlpack: a buffer's memory as a tensor with its version, and back") {
  kiln::use_driver(fake_cuda::library_path());
  { const kiln::DeviceBuffer<int> first(1); }  // a context
  const std::size_t before = fake_cuda::live_allocations();
  kiln::DLPackVersionedPointer tensor = kiln::to_dlpack_versioned(kiln::DeviceBuffer<float>(6), {3, 2});
  CHECK(tensor->version.major == 1);
  CHECK(tensor->version.minor == 1);
  CHECK(tensor->flags == 0);
  CHECK(tensor->dl_tensor.shape[0] == 3);
  CHECK(tensor->dl_tensor.strides[0] == 2);
  CHECK(tensor->dl_tensor.strides[1] == 1);
  {
    const kiln::DLPackTensor<float> taken(tensor.release());
    CHECK(taken.extent(0) == 3);
    CHECK(fake_cuda::live_allocations() == before + 1);
  }
  CHECK(fake_cuda::live_allocations() == before);
  (void)kiln::to_dlpack_versioned(kiln::DeviceBuffer<float>(6));
  CHECK(fake_cuda::live_allocations() == before);
}

}  // namespace dlpack_versioned_test
