// DLPack tensors as arguments, and device memory as a tensor.
#include "needs.hpp"

#include <kiln/dlpack.hpp>
#include <kiln/kiln.hpp>

#include <cuda.h>
#include <doctest/doctest.h>

#include <complex>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace dlpack_gpu_test {

/// As DLPack 1 has it; the header of the oldest system is older.
struct VersionedTensor {
  struct {
    std::uint32_t major, minor;
  } version;
  void* manager_ctx;
  void (*deleter)(VersionedTensor*);
  std::uint64_t flags;
  DLTensor dl_tensor;
};

namespace {

using kiln::ArgumentError;
using kiln::DeviceBuffer;
using kiln::DLPackTensor;

std::vector<float> counted(std::size_t n) {
  std::vector<float> numbers(n);
  for (std::size_t i = 0; i < n; ++i) numbers[i] = static_cast<float>(i + 1);
  return numbers;
}

/// Another library's tensor over memory of the test's, which counts its deletions.
template <class Managed>
struct Given {
  Given(void* data, DLDataType type, std::vector<std::int64_t> its_shape, std::vector<std::int64_t> its_strides = {})
      : shape(std::move(its_shape)), strides(std::move(its_strides)) {
    DLTensor& dl = managed.dl_tensor;
    dl.data = data;
    dl.device = {kDLCUDA, 0};
    dl.ndim = static_cast<int>(shape.size());
    dl.dtype = type;
    dl.shape = shape.data();
    dl.strides = strides.empty() ? nullptr : strides.data();
    managed.manager_ctx = this;
    managed.deleter = [](Managed* self) { ++static_cast<Given*>(self->manager_ctx)->deletions; };
  }
  Given(const Given&) = delete;
  std::vector<std::int64_t> shape, strides;
  int deletions = 0;
  Managed managed = {};
};
using GivenTensor = Given<DLManagedTensor>;

constexpr DLDataType float32 = {kDLFloat, 32, 1};

template <class T, class Change>
std::string refusal_of(DLDataType type, const Change& change) {
  GivenTensor given(reinterpret_cast<void*>(0x1000), type, {2, 3});
  change(given.managed.dl_tensor);
  try {
    const DLPackTensor<T> tensor(&given.managed);
  } catch (const ArgumentError& error) {
    CHECK(given.deletions == 0);
    return error.what();
  }
  CHECK(given.deletions == 1);
  return "nothing";
}

}  // namespace

TEST_CASE("dlpack: a tensor is passed as its address, and deleted once") {
  kiln::SourceModule module("__global__ void twice(float* x, int n) { if (threadIdx.x < n) x[threadIdx.x] *= 2; }");
  const kiln::Function twice = module.get_function("twice");
  DeviceBuffer<float> x(counted(8));
  GivenTensor given(x.data(), float32, {2, 3});
  given.managed.dl_tensor.byte_offset = 2 * sizeof(float);
  {
    DLPackTensor<float> first(&given.managed);
    CHECK(first.data() == x.data() + 2);
    CHECK(first.size() == 6);
    CHECK(first.rank() == 2);
    CHECK(first.extent(1) == 3);
    CHECK(first.stride(0) == 3);
    CHECK(first.device().device_type == kDLCUDA);
    twice({1, 32}, first, 1);
    module.get_function<void(float*, int)>("twice")({1, 32}, first, 2);
    const DLPackTensor<float> moved = std::move(first);
    twice.prepare("Pi", 32).prepared_call(1, moved, 3);
    CHECK(given.deletions == 0);
  }
  CHECK(given.deletions == 1);
  CHECK(x.to_host() == std::vector<float>{1, 2, 24, 16, 10, 6, 7, 8});
  GivenTensor of_no_deleter(x.data(), float32, {8});
  of_no_deleter.managed.deleter = nullptr;
  (void)DLPackTensor<const float>(&of_no_deleter.managed);
}

TEST_CASE("dlpack: tensors are vectors, with any strides") {
  const kiln::ElementwiseKernel copy("const float* x, float* y", "y[i] = x[i]");
  const kiln::ReductionKernel<float> sum({.neutral = "0", .reduce_expr = "a + b"});
  DeviceBuffer<float> x(counted(6)), y(6);
  GivenTensor whole(x.data(), float32, {2, 3}), turned(x.data(), float32, {3, 2}, {1, 3}),
      empty(nullptr, float32, {0, 5});
  const DLPackTensor<const float> flat(&whole.managed), columns(&turned.managed), nothing(&empty.managed);
  copy(columns, y);
  CHECK(y.to_host() == std::vector<float>{1, 4, 2, 5, 3, 6});
  CHECK(sum(flat).get() == 21);
  CHECK(sum(nothing).get() == 0);
  CHECK_THROWS_AS((void)sum(columns), ArgumentError);
  CHECK_THROWS_WITH_AS(copy(flat, columns), doctest::Contains("3 x 2 elements, strides 1, 3"), ArgumentError);
}

TEST_CASE("dlpack: what does not fit is refused, and stays the caller's") {
  const auto as_it_is = [](DLTensor&) {};
  CHECK(refusal_of<float>(float32, as_it_is) == "nothing");
  const auto says = [](const std::string& text, const std::string& part) {
    CAPTURE(text);
    CHECK(text.find(part) != std::string::npos);
  };
  says(refusal_of<float>({kDLFloat, 64, 1}, as_it_is), "expected elements of float (float32), given float64");
  says(refusal_of<float>({kDLFloat, 32, 4}, as_it_is), "given 4 x float32");
  says(refusal_of<int>({kDLUInt, 32, 1}, as_it_is), "expected elements of int (int32), given uint32");
  says(refusal_of<int>({99, 32, 1}, as_it_is), "given code 99, 32");
  says(refusal_of<float>(float32, [](DLTensor& t) { t.device.device_type = kDLCPU; }), "memory of the host (kDLCPU)");
  says(refusal_of<float>(float32, [](DLTensor& t) { t.device.device_type = kDLROCM; }), "a device of type 10");
  says(refusal_of<float>(float32, [](DLTensor& t) { t.byte_offset = 2; }), "with a byte_offset of 2");
  says(refusal_of<float>(float32, [](DLTensor& t) { t.data = nullptr; }), "given null");
  says(refusal_of<float>(float32, [](DLTensor& t) { t.shape[1] = -1; }), "given -1 in dimension 1");
  says(refusal_of<float>(float32, [](DLTensor& t) { t.ndim = 9; }), "0 to 8 dimensions, given 9");
  CHECK_THROWS_AS((void)DLPackTensor<float>(static_cast<DLManagedTensor*>(nullptr)), ArgumentError);
  CHECK(refusal_of<std::complex<float>>({kDLComplex, 64, 1}, as_it_is) == "nothing");
  CHECK(refusal_of<bool>({kDLUInt, 8, 1}, as_it_is) == "nothing");
  CHECK(refusal_of<bool>({6, 8, 1}, as_it_is) == "nothing");
  CHECK(refusal_of<float>(float32, [](DLTensor& t) { t.device.device_type = kDLCUDAManaged; }) == "nothing");
}

TEST_CASE("dlpack: tensors of DLPack 1 say their version, and whether they may be written") {
  DeviceBuffer<float> x(counted(6));
  Given<VersionedTensor> given(x.data(), float32, {6});
  given.managed.version = {1, 1};
  given.managed.flags = 1;
  CHECK_THROWS_WITH_AS(DLPackTensor<float>(&given.managed), doctest::Contains("DLPackTensor<const T>"), ArgumentError);
  CHECK(given.deletions == 0);
  CHECK(DLPackTensor<const float>(&given.managed).size() == 6);
  CHECK(given.deletions == 1);
  given.managed.version.major = 2;
  CHECK_THROWS_WITH_AS(DLPackTensor<const float>(&given.managed), doctest::Contains("one of 2"), ArgumentError);
}

TEST_CASE("dlpack: a buffer's memory is given away, and comes back as a tensor") {
  DeviceBuffer<float> buffer(counted(6));
  const DLPackTensor<const float> taken(kiln::to_dlpack(std::move(buffer), {2, 3}).release());
  const kiln::ReductionKernel<float> sum({.neutral = "0", .reduce_expr = "a + b"});
  CHECK(taken.extent(1) == 3);
  CHECK(sum(taken).get() == 21);
}

TEST_CASE("dlpack: two devices: memory of the other one is refused where the kernel cannot use it" *
          kiln::test::needs_two_devices()) {
  kiln::Device(1).make_current();
  const DeviceBuffer<float> there(counted(6));
  const kiln::Stream stream;
  kiln::Device(0).make_current();
  const DeviceBuffer<float> here(6);
  GivenTensor given(there.data(), float32, {6});
  given.managed.dl_tensor.device.device_id = 1;
  const DLPackTensor<const float> tensor(&given.managed);
  const kiln::ReductionKernel<float> sum({.neutral = "0", .reduce_expr = "a + b"});
  CHECK(sum({.stream = stream}, tensor).get() == 21);
  CUdeviceptr seen = 0;
  const bool can_use = KILN_DRIVER_FUNCTION(cuPointerGetAttribute)(&seen, CU_POINTER_ATTRIBUTE_DEVICE_POINTER,
                                                                   there.device_pointer()) == CUDA_SUCCESS;
  const kiln::ElementwiseKernel copy("const float* x, float* y", "y[i] = x[i]");
  if (can_use) {
    copy(tensor, here);
    CHECK(here.to_host() == counted(6));
  } else {
    CHECK_THROWS_WITH_AS(copy(tensor, here), doctest::Contains("memory of device 1"), ArgumentError);
  }
}

}  // namespace dlpack_gpu_test
