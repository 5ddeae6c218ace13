// What the device runtime does for kernels: the order of launches, errors, streams, events, copies and queries. The
// host computes each result itself. The names begin as those of test_dynamic_module.cpp do.
#include <doctest/doctest.h>
#include <kiln/kiln.hpp>

#include <algorithm>
#include <string>
#include <vector>

namespace dynamic_parallelism_test {

namespace {

using Ints = std::vector<int>;

// Appends to a list whose first element is its length. Only launches that are in order use it.
const char* const append = R"(
__global__ void append(int* list, int value) {
  const int length = atomicAdd(list, 1) + 1;
  list[length] = value;
}
)";

Ints list_of(const kiln::DeviceBuffer<int>& list) {
  const Ints all = list.to_host();
  return {all.begin() + 1, all.begin() + 1 + all.front()};
}

}  // namespace

TEST_CASE("dynamic parallelism: the launches of a block are in order, and tail launches come last, each with its own") {
  const kiln::DynamicSourceModule module(std::string(append) + R"(
__global__ void middle(int* list) {
  append<<<1, 1>>>(list, 10);
  append<<<1, 1, 0, cudaStreamTailLaunch>>>(list, 11);
}
extern "C" __global__ void parent(int* list) {
  append<<<1, 1, 0, cudaStreamTailLaunch>>>(list, 100);
  middle<<<1, 1, 0, cudaStreamTailLaunch>>>(list);
  append<<<1, 1, 0, cudaStreamTailLaunch>>>(list, 101);
  for (int i = 0; i < 5; ++i) append<<<1, 1>>>(list, i);
}
)");
  kiln::DeviceBuffer<int> list(Ints(32, 0));
  module.get_function("parent")({1, 1}, list);
  CHECK(list_of(list) == Ints{0, 1, 2, 3, 4, 100, 10, 11, 101});
}

TEST_CASE("dynamic parallelism: an event of one stream orders the work of another") {
  const kiln::DynamicSourceModule module(R"(
__global__ void slow(int* values, int n) {
  for (int round = 0; round < n; ++round) values[threadIdx.x] += 1;
}
__global__ void twice(const int* values, int* out) { out[threadIdx.x] = 2 * values[threadIdx.x]; }
extern "C" __global__ void parent(int* values, int* out, int* error) {
  cudaStream_t first, second;
  cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking);
  cudaEvent_t done;
  cudaEventCreateWithFlags(&done, cudaEventDisableTiming);
  slow<<<1, 32, 0, first>>>(values, 1000);
  cudaEventRecord(done, first);
  cudaStreamWaitEvent(second, done, 0);
  twice<<<1, 32, 0, second>>>(values, out);
  cudaEventDestroy(done);
  cudaStreamDestroy(first);
  cudaStreamDestroy(second);
  *error = cudaGetLastError();
}
)");
  kiln::DeviceBuffer<int> values(Ints(32, 0)), out(Ints(32, 0)), error(Ints(1, -1));
  module.get_function("parent")({1, 1}, values, out, error);
  CHECK(out.to_host() == Ints(32, 2000));
  CHECK(error.to_host().front() == 0);
}

TEST_CASE("dynamic parallelism: copies and fills by kernels") {
  const kiln::DynamicSourceModule module(R"(
__global__ void add(int* values) { values[threadIdx.x] += 1; }
extern "C" __global__ void parent(int* values, int* copy, int* error) {
  cudaMemsetAsync(values, 0, 64 * sizeof(int), 0);
  add<<<1, 64>>>(values);
  cudaMemcpyAsync(copy, values, 32 * sizeof(int), cudaMemcpyDeviceToDevice, 0);
  cudaMemcpy2DAsync(copy + 32, 8 * sizeof(int), values, 16 * sizeof(int), 4 * sizeof(int), 4,
                    cudaMemcpyDeviceToDevice, 0);
  *error = cudaGetLastError();
}
)");
  kiln::DeviceBuffer<int> values(Ints(64, 9)), copy(Ints(64, 7)), error(Ints(1, -1));
  module.get_function("parent")({1, 1}, values, copy, error);
  Ints expected(64, 7);
  std::fill_n(expected.begin(), 32, 1);
  for (std::size_t row = 0; row < 4; ++row) std::fill_n(expected.begin() + 32 + static_cast<int>(8 * row), 4, 1);
  CHECK(copy.to_host() == expected);
  CHECK(values.to_host() == Ints(64, 1));
  CHECK(error.to_host().front() == 0);
}

TEST_CASE("dynamic parallelism: a launch that cannot be is an error of its thread, which is cleared when it is read") {
  const kiln::DynamicSourceModule module(R"(
__global__ void child(int* out) { atomicAdd(out, 1); }
extern "C" __global__ void parent(int* out, int* errors) {
  child<<<1, threadIdx.x == 0 ? 2048 : 1>>>(out);
  int* mine = errors + 3 * threadIdx.x;
  mine[0] = cudaPeekAtLastError();
  mine[1] = cudaGetLastError();
  mine[2] = cudaGetLastError();
}
)");
  kiln::DeviceBuffer<int> out(Ints(1, 0)), errors(Ints(6, -1));
  module.get_function("parent")({1, 2}, out, errors);
  CHECK(out.to_host().front() == 1);
  const Ints found = errors.to_host();
  CHECK(found[0] != 0);
  CHECK(found[1] == found[0]);
  CHECK(Ints(found.begin() + 2, found.end()) == Ints{0, 0, 0, 0});
}

TEST_CASE("dynamic parallelism: kernels ask about their device, their limits and other kernels") {
  const kiln::DynamicSourceModule module(R"(
__global__ void __launch_bounds__(128) child(int* out) { __shared__ int part[100]; part[threadIdx.x] = 1; *out = part[0]; }
extern "C" __global__ void parent(long long* out) {
  int value = -1;
  out[0] = cudaDeviceGetAttribute(&value, cudaDevAttrMaxThreadsPerBlock, 0);
  out[1] = value;
  size_t limit = 0;
  out[2] = cudaDeviceGetLimit(&limit, cudaLimitMallocHeapSize);
  out[3] = limit;
  cudaFuncAttributes attributes;
  out[4] = cudaFuncGetAttributes(&attributes, (const void*)child);
  out[5] = attributes.maxThreadsPerBlock;
  out[6] = attributes.sharedSizeBytes;
  out[7] = cudaGetDevice(&value);
  out[8] = value;
  const char* text = cudaGetErrorString(cudaSuccess);
  out[9] = text[0] == 'n' && text[1] == 'o';
  void* memory = 0;
  out[10] = cudaMalloc(&memory, 100);
  out[11] = memory != 0;
  out[12] = cudaFree(memory);
}
)");
  kiln::DeviceBuffer<long long> out(std::vector<long long>(13, -1));
  module.get_function("parent")({1, 1}, out);
  const std::vector<long long> found = out.to_host();
  const auto heap = static_cast<long long>(kiln::Context::current().get_limit(kiln::Limit::malloc_heap_size));
  CHECK(found == std::vector<long long>{0, 1024, 0, heap, 0, 128, 400, 0, 0, 1, 0, 1, 0});
}

TEST_CASE("dynamic parallelism: launches nest, and end with an error and not with a fault") {
  const kiln::DynamicSourceModule module(R"(
__global__ void nest(int* errors, int depth) {
  nest<<<1, 1>>>(errors, depth + 1);
  errors[depth] = cudaGetLastError();
}
)");
  kiln::DeviceBuffer<int> errors(Ints(3000, -1));
  module.get_function("nest")({1, 1}, errors, 0);
  const Ints found = errors.to_host();
  const auto reached = static_cast<std::size_t>(std::find(found.begin(), found.end(), -1) - found.begin());
  // Each level is pending until those below it have ended: the limit of launches ends it.
  CHECK(reached == 2049);
  CHECK(std::count(found.begin(), found.end(), 0) == 2048);
  CHECK(found[reached - 1] == 69);  // cudaErrorLaunchPendingCountExceeded
}

}  // namespace dynamic_parallelism_test
