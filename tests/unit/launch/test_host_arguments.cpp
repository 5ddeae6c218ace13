// In, Out and InOut: what the driver is asked for, and in which order.
#include "fake_cuda.hpp"
#include "fake_kernels.hpp"

#include <kiln/error.hpp>
#include <kiln/stream.hpp>
#include <kiln/typed_function.hpp>

#include <doctest/doctest.h>

#include <array>
#include <complex>
#include <cstring>
#include <numeric>
#include <vector>

#if __has_include(<span>)
#include <span>
#endif

namespace host_arguments_test {

using Calls = std::vector<std::string>;

namespace {

/// Those calls that move or hold memory, launch or wait.
Calls work() {
  Calls result;
  for (const std::string& call : fake_cuda::calls())
    if (call.rfind("cuMem", 0) == 0 || call == "cuLaunchKernel" || call == "cuStreamSynchronize" ||
        call == "cuEventRecord")
      result.push_back(call);
  return result;
}

const Calls in_out_work = {"cuMemAllocAsync",   "cuMemAllocAsync", "cuMemcpyHtoDAsync", "cuLaunchKernel",
                           "cuMemcpyDtoHAsync", "cuMemFreeAsync",  "cuMemFreeAsync"};

Calls with_wait(Calls calls) {
  calls.emplace_back("cuStreamSynchronize");
  return calls;
}

/// `ten` takes four pointers first: two host arguments, and null ones.
template <class F, class... Host>
void call_ten(const F& f, const kiln::LaunchConfig& config, const Host&... host) {
  f(config, host..., nullptr, nullptr, 1, 2, 3.0f, 4.0f, 5.0, 6LL);
}

}  // namespace

TEST_CASE("a call on the null stream waits, one on a stream does not") {
  FakeModule module;
  const kiln::Function ten = module.function("_Z3tenPfS_S_S_iiffdx");
  const kiln::Stream stream;
  std::vector<float> a(100), b(100);
  call_ten(ten, {1, 32}, kiln::In(a), kiln::Out(b));  // loads
  const std::size_t before = fake_cuda::live_allocations();
  fake_cuda::reset();
  call_ten(ten, {1, 32}, kiln::In(a), kiln::Out(b));
  CHECK(work() == with_wait(in_out_work));
  fake_cuda::reset();
  call_ten(ten, {1, 32, 0, stream}, kiln::In(a), kiln::Out(b));
  CHECK(work() == in_out_work);
  for (const char* call : {"cuMemAllocAsync", "cuMemcpyHtoDAsync", "cuMemcpyDtoHAsync", "cuMemFreeAsync"})
    for (const auto& arguments : fake_cuda::arguments(call))
      CHECK(arguments.back() == reinterpret_cast<std::uintptr_t>(stream.handle()));
  CHECK(fake_cuda::live_allocations() == before);
}

TEST_CASE("typed and prepared functions do the same") {
  FakeModule module;
  const kiln::Function ten = module.function("_Z3tenPfS_S_S_iiffdx");
  const kiln::TypedFunction<void(float*, float*, const float*, float*, int, int, float, float, double, long long)>
      typed(ten);
  const kiln::PreparedFunction prepared = ten.prepare("4P2i2fdq", 32);
  const kiln::Stream stream;
  std::vector<float> a(100), b(100);
  call_ten(ten, {1, 32}, kiln::In(a), kiln::Out(b));
  const auto check = [&](const auto& call, const Calls& expected) {
    fake_cuda::reset();
    call();
    CHECK(work() == expected);
  };
  const kiln::In in(a);
  const kiln::Out out(b);
  check([&] { call_ten(typed, {1, 32}, in, out); }, with_wait(in_out_work));
  check([&] { call_ten(typed, {1, 32, 0, stream}, in, out); }, in_out_work);
  check([&] { call_ten(prepared, {1, 32}, in, out); }, with_wait(in_out_work));
  check([&] { call_ten(prepared, {1, 32, 0, stream}, in, out); }, in_out_work);
  check([&] { prepared.prepared_call(1, in, out, nullptr, nullptr, 1, 2, 3, 4, 5, 6); }, with_wait(in_out_work));
  check(
      [&] {
        prepared.prepared_call(kiln::LaunchConfig{1, 32, 0, stream}, in, out, nullptr, nullptr, 1, 2, 3, 4, 5, 6);
      },
      with_wait(in_out_work));
  check([&] { prepared.prepared_async_call(1, nullptr, in, out, nullptr, nullptr, 1, 2, 3, 4, 5, 6); }, in_out_work);
  const Calls timed = {"cuMemAllocAsync", "cuMemAllocAsync",    "cuMemcpyHtoDAsync", "cuEventRecord",
                       "cuLaunchKernel",  "cuEventRecord",      "cuMemcpyDtoHAsync", "cuMemFreeAsync",
                       "cuMemFreeAsync",  "cuStreamSynchronize"};
  check([&] { (void)prepared.prepared_timed_call(1, in, out, nullptr, nullptr, 1, 2, 3, 4, 5, 6); }, timed);
  check([&] { (void)ten.timed({1, 32}, in, out, nullptr, nullptr, 1, 2, 3.0f, 4.0f, 5.0, 6LL); }, timed);
  check([&] { (void)typed.timed({1, 32}, in, out, nullptr, nullptr, 1, 2, 3, 4, 5, 6); }, timed);
}

TEST_CASE("the values travel both ways") {
  FakeModule module;
  const kiln::PreparedFunction scale = module.function("_Z5scalePfif").prepare("Pif", 32);
  std::vector<float> values(50);
  std::iota(values.begin(), values.end(), 1.0f);
  const std::vector<float> expected = values;
  // The fake runs no kernel: what comes back is what went there.
  scale.prepared_call(1, kiln::InOut(values), 50, 2);
  CHECK(values == expected);
  scale.prepared_call(1, kiln::In(std::vector<float>{1, 2, 3}), 3, 2);
}

TEST_CASE("every contiguous container is taken, and its size in bytes") {
  FakeModule module;
  const kiln::Function scale = module.function("_Z5scalePfif");
  const auto bytes_of = [&](const auto& host) {
    fake_cuda::reset();
    scale({1, 32}, host, 1, 2.0f);
    return fake_cuda::arguments("cuMemAllocAsync").at(0).at(0);
  };
  std::vector<float> vector(7);
  std::array<std::complex<float>, 3> array = {};
  unsigned char plain[20] = {};
  const std::vector<float> constant(9);
  CHECK(bytes_of(kiln::In(vector)) == 28);
  CHECK(bytes_of(kiln::In(array)) == 24);
  CHECK(bytes_of(kiln::InOut(plain)) == 20);
  CHECK(bytes_of(kiln::In(constant)) == 36);
  CHECK(bytes_of(kiln::Out(vector)) == 28);
  kiln::In copied(vector);
  const kiln::In copy = copied;
  CHECK(bytes_of(copy) == 28);
#ifdef __cpp_lib_span
  CHECK(bytes_of(kiln::InOut(std::span(vector).subspan(2))) == 20);
  CHECK(bytes_of(kiln::In(std::span<const float>(constant))) == 36);
#endif
}

TEST_CASE("nothing is a null pointer and costs no copy") {
  FakeModule module;
  const kiln::Function scale = module.function("_Z5scalePfif");
  std::vector<float> none;
  scale({1, 32}, kiln::InOut(none), 0, 2.0f);
  fake_cuda::reset();
  scale({1, 32}, kiln::InOut(none), 0, 2.0f);
  CHECK(work() == Calls{"cuLaunchKernel", "cuStreamSynchronize"});
  CHECK(fake_cuda::launches().at(0).parameters.at(0) == std::string(8, '\0'));
}

TEST_CASE("arguments are checked before memory is asked for") {
  FakeModule module;
  const kiln::Function scale = module.function("_Z5scalePfif");
  const kiln::PreparedFunction prepared = scale.prepare("Pif", 32);
  std::vector<float> a(10);
  fake_cuda::reset();
  CHECK_THROWS_AS(scale({1, 32}, kiln::In(a), 1.0f, 2.0f), kiln::ArgumentError);
  CHECK_THROWS_AS(scale({1, 32}, 1, kiln::In(a), 2.0f), kiln::ArgumentError);
  CHECK_THROWS_AS((void)scale.timed({1, 32}, kiln::In(a)), kiln::ArgumentError);
  CHECK_THROWS_AS(prepared.prepared_call(1, nullptr, kiln::In(a), 2.0f), kiln::ArgumentError);
  CHECK(fake_cuda::calls("cuMemAllocAsync") == 0);
}

TEST_CASE("a device without memory pools has its memory by cuMemAlloc") {
  FakeModule module;
  const kiln::Function scale = module.function("_Z5scalePfif");
  std::vector<float> a(10, 5);
  scale({1, 32}, kiln::In(a), 1, 2.0f);
  const std::size_t before = fake_cuda::live_allocations();
  fake_cuda::reset();
  fake_cuda::fail("cuMemAllocAsync", CUDA_ERROR_NOT_SUPPORTED, 0, 100);
  scale({1, 32}, kiln::InOut(a), 1, 2.0f);
  CHECK(fake_cuda::calls("cuMemAlloc") == 1);
  CHECK(fake_cuda::calls("cuMemFree") == 1);
  CHECK(fake_cuda::calls("cuMemFreeAsync") == 0);
  CHECK(fake_cuda::live_allocations() == before);
  fake_cuda::reset();
}

}  // namespace host_arguments_test
