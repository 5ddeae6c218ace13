// Device memory of other libraries as vectors: types of the shape of theirs, and CCCL's own buffer where its header is.
#include <kiln/kiln.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <numeric>
#include <type_traits>
#include <vector>

#if __has_include(<cuda/buffer>)
#include <cuda/buffer>
#endif

namespace other_vectors_gpu_test {

namespace {

using kiln::DeviceBuffer;

std::vector<float> counted(std::size_t n) {
  std::vector<float> numbers(n);
  std::iota(numbers.begin(), numbers.end(), 1.0f);
  return numbers;
}

/// Memory that is not copied with the object, which the host must not read.
template <class T>
class Memory {
 public:
  explicit Memory(const std::vector<T>& host) : buffer_(host) {}
  Memory(const Memory&) = delete;
  std::size_t size() const { return buffer_.size(); }
  const T* begin() const { return buffer_.data(); }
  const T* end() const { return begin() + size(); }
  std::vector<T> to_host() const { return buffer_.to_host(); }

 protected:
  T* address() const { return buffer_.data(); }

 private:
  DeviceBuffer<T> buffer_;
};

/// thrust::device_vector: data() is a pointer object, whose * is a proxy.
template <class T>
struct Proxy {
  explicit operator T() const;
};
template <class T>
struct ThrustPointer {
  T* pointer;
  T* get() const { return pointer; }
  Proxy<T> operator*() const;
};
template <class T>
struct ThrustVector : Memory<T> {
  using Memory<T>::Memory;
  ThrustPointer<T> data() { return {this->address()}; }
  ThrustPointer<const T> data() const { return {this->address()}; }
};

/// rmm::device_uvector: knows its stream.
struct StreamView {
  operator CUstream() const { return nullptr; }
};
template <class T>
struct RmmVector : Memory<T> {
  using Memory<T>::Memory;
  const T* data() const { return this->address(); }
  StreamView stream() const { return {}; }
};

/// cuda::buffer: its stream does not convert, but a launch's argument is a span of it, const for a const buffer.
template <class T>
struct Span {
  using element_type = T;
  static constexpr std::size_t extent = static_cast<std::size_t>(-1);
  T* pointer;
  std::size_t count;
  T* data() const { return pointer; }
  std::size_t size() const { return count; }
};
struct StreamRef {
  StreamRef(CUstream) {}
};
template <class T>
struct CudaBuffer : Memory<T> {
  using Memory<T>::Memory;
  const T* data() const { return this->address(); }
  StreamRef stream() const { return nullptr; }
  friend Span<const T> transform_launch_argument(StreamRef, const CudaBuffer& buffer) {
    return {buffer.address(), buffer.size()};
  }
};

/// cudf::device_span, rmm's and CCCL's: a span over memory of another object.
template <class T>
struct DeviceSpan : Memory<T> {
  using Memory<T>::Memory;
};
template <class T>
const auto& as_argument(const T& vector) {
  return vector;
}
template <class T>
Span<T> as_argument(const DeviceSpan<T>& vector) {
  return {const_cast<T*>(vector.begin()), vector.size()};
}

template <template <class> class Vector>
void check_vectors() {
  const Vector<float> x(counted(100)), y(std::vector<float>(100, 1)), place(std::vector<float>{0});
  const auto& to = as_argument(y);
  const auto& from = as_argument(x);
  kiln::Stream stream;
  CHECK(kiln::sum(from, {.stream = stream}).get() == 5050);
  CHECK(kiln::dot(from, to).get() == 5050);
  CHECK(kiln::argmax(from).get() == 99);
  kiln::max(from, as_argument(place));
  CHECK(place.to_host()[0] == 100);
  kiln::cumath::sqrt(from, to);
  CHECK(y.to_host()[48] == 7);
  kiln::cumsum(from, to);
  CHECK(y.to_host()[99] == 5050);
  kiln::fill(to, 3);
  CHECK(y.to_host()[99] == 3);
  kiln::maximum(from, 50, to);
  CHECK(y.to_host()[0] == 50);
  const Vector<int> indices(std::vector<int>(100, 7));
  kiln::take(from, as_argument(indices), to);
  CHECK(y.to_host()[50] == 8);
  kiln::random::uniform(to, 1);
  kiln::random::poisson(to, 3, 1);
  const kiln::ElementwiseKernel twice("const float* x, float* y", "y[i] = 2 * x[i]");
  twice(from, to);
  CHECK(y.to_host()[99] == 200);
  twice.typed<void(const float*, float*)>()({.stream = stream}, from, to);
  const kiln::ReductionKernel<float> sum({.neutral = "0", .reduce_expr = "a + b"});
  CHECK(sum(from).get() == 5050);
  const Vector<float> shorter(counted(99));
  CHECK_THROWS_AS(twice(from, as_argument(shorter)), kiln::ArgumentError);
}

}  // namespace

TEST_CASE("vectors of other libraries: thrust::device_vector") { check_vectors<ThrustVector>(); }
TEST_CASE("vectors of other libraries: rmm::device_uvector") { check_vectors<RmmVector>(); }
TEST_CASE("vectors of other libraries: cuda::buffer") { check_vectors<CudaBuffer>(); }
TEST_CASE("vectors of other libraries: device_span") { check_vectors<DeviceSpan>(); }

#if __has_include(<cuda/buffer>)
static_assert(std::is_same_v<kiln::detail::Element<cuda::device_buffer<float>>, float>);
static_assert(std::is_same_v<kiln::detail::Element<cuda::buffer<int, cuda::mr::device_accessible>>, int>);
static_assert(kiln::detail::has_size<kiln::detail::Transformed<cuda::device_buffer<float>>>);
#endif

}  // namespace other_vectors_gpu_test
