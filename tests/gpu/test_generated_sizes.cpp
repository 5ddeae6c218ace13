// The kernel generators beyond 2^31 elements, where an int or an unsigned is no index any more. Looked at on the device
// by a kernel of the test's own, as the host would take minutes.
#include "needs.hpp"
#include "part.hpp"

#include <doctest/doctest.h>
#include <kiln/kiln.hpp>

#include <cstddef>
#include <vector>

namespace generated_sizes_gpu_test {

namespace {

using kiln::DeviceBuffer;
using kiln::Slice;
using kiln::test::part;

constexpr std::size_t n = (std::size_t{1} << 31U) + 5;

/// Sources of numbers, and of what must become of them: element i is i % 7.
constexpr const char* kernels = R"(
template <class T> __global__ void count_up(T* x, unsigned long n) {
  for (unsigned long i = blockIdx.x * 256ul + threadIdx.x; i < n; i += gridDim.x * 256ul) x[i] = (T)(i % 7);
}
__device__ inline long sum_to(unsigned long i) { return (i + 1) / 7 * 21 + (i + 1) % 7 * ((i + 1) % 7 - 1) / 2; }
struct Twice { static __device__ long of(unsigned long i, unsigned long) { return 2 * (i % 7); } };
struct SumTo { static __device__ long of(unsigned long i, unsigned long) { return sum_to(i); } };
struct SumBefore { static __device__ long of(unsigned long i, unsigned long) { return sum_to(i) - i % 7; } };
// Every third one, counted from the last.
struct Thirds {
  static __device__ long of(unsigned long i, unsigned long n) { return (n - 1 - i) % 3 == 0 ? 2 * (i % 7) : -1; }
};
template <class T, class Expected> __global__ void differences(const T* x, unsigned long n, unsigned long* wrong) {
  for (unsigned long i = blockIdx.x * 256ul + threadIdx.x; i < n; i += gridDim.x * 256ul)
    if (x[i] != (T)Expected::of(i, n)) atomicAdd((unsigned long long*)wrong, 1ull);
}
)";

constexpr kiln::Dim3 grid = 4096, block = 256;

template <class T>
struct Numbers {
  const kiln::SourceModule module{kernels};
  const std::string type = kiln::type_name<T>();

  void count_up(T* x) const {
    module.get_function<void(T*, unsigned long)>("count_up<" + type + ">")({grid, block}, x, n);
  }
  unsigned long differences(const T* x, const std::string& expected) const {
    const DeviceBuffer<unsigned long> wrong(std::vector<unsigned long>{0});
    const auto count = module.get_function<void(const T*, unsigned long, unsigned long*)>("differences<" + type + ", " +
                                                                                          expected + ">");
    count({grid, block}, x, n, wrong);
    return wrong.to_host()[0];
  }
};

/// The sum of i % 7 over all i.
constexpr long total = static_cast<long>(n / 7 * 21 + n % 7 * (n % 7 - 1) / 2);

}  // namespace

TEST_CASE("generated sizes: elementwise beyond 2^31, in words and not, in slices" * kiln::test::needs_large_gpu()) {
  using T = signed char;
  const Numbers<T> numbers;
  const kiln::ElementwiseKernel twice("const signed char* x, signed char* y", "y[i] = 2 * x[i]", {.name = "twice"});
  const DeviceBuffer<T> x(n), y(n + 1);
  numbers.count_up(x.data());
  twice(x, part(y, 0, n));
  CHECK(numbers.differences(y.data(), "Twice") == 0);
  kiln::fill(y, -1);
  twice(x, part(y, 1, n));  // begins between words
  CHECK(numbers.differences(y.data() + 1, "Twice") == 0);
  kiln::fill(y, -1);
  twice({.slice = Slice{.step = -3}}, x, part(y, 0, n));
  CHECK(numbers.differences(y.data(), "Thirds") == 0);
  std::vector<T> last(1);
  y.read(n, last);
  CHECK(last[0] == -1);
}

TEST_CASE("generated sizes: reductions beyond 2^31, in words and not" * kiln::test::needs_large_gpu()) {
  using T = signed char;
  const Numbers<T> numbers;
  DeviceBuffer<T> x(n + 1);
  numbers.count_up(x.data() + 1);
  x.write(0, std::vector<T>{0});
  CHECK(kiln::sum(x).get() == total);
  CHECK(kiln::sum(part(x, 1, n)).get() == total);
  x.write(n - 1, std::vector<T>{99});
  CHECK(kiln::argmax(x).get() == static_cast<long>(n - 1));
  CHECK(kiln::argmax(part(x, 1, n)).get() == static_cast<long>(n - 2));
}

TEST_CASE("generated sizes: scans beyond 2^31, in place and not" * kiln::test::needs_large_gpu()) {
  using T = unsigned short;
  const Numbers<T> numbers;
  const kiln::InclusiveScanKernel<T> inclusive("a + b");
  const kiln::ExclusiveScanKernel<T> exclusive("a + b", "0");
  const DeviceBuffer<T> x(n), y(n);
  numbers.count_up(x.data());
  inclusive(x, y);
  CHECK(numbers.differences(y.data(), "SumTo") == 0);
  exclusive(x, y);
  CHECK(numbers.differences(y.data(), "SumBefore") == 0);
  inclusive(x);
  CHECK(numbers.differences(x.data(), "SumTo") == 0);
}

}  // namespace generated_sizes_gpu_test
