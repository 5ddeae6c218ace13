// Many host threads at once: streams, events, graphs, memory, textures, and code that comes and goes while kernels run.
// What it checks are values; what it is for, above all, are the sanitizers.
#include "provider_calls.hpp"

#include <atomic>
#include <functional>
#include <string>
#include <thread>

namespace provider_stress_test {

namespace {

using namespace kiln::emulator::test;

/// Counts failures: doctest's checks are not for the threads here. The first one's line is told.
class Failures {
 public:
  void note(bool good, int line) {
    int none = 0;
    if (!good) line_.compare_exchange_strong(none, line);
  }
  int first_line() const { return line_; }

 private:
  std::atomic<int> line_{0};
};

#define GOOD(call) failures.note((call) == CUDA_SUCCESS, __LINE__)
#define HOLDS(condition) failures.note(condition, __LINE__)

void run_side_by_side(unsigned threads, const std::function<void(unsigned)>& work) {
  std::vector<std::thread> all;
  for (unsigned t = 0; t < threads; ++t) all.emplace_back(work, t);
  for (std::thread& thread : all) thread.join();
}

constexpr unsigned count = 256;

/// out = a + b by a kernel of several blocks, in a stream; checked when the stream has ended.
class Sum {
 public:
  Sum(Failures& to, CUstream stream, float first) : failures(to), stream_(stream), first_(first) {
    for (unsigned i = 0; i < count; ++i) a_.push_back(first + static_cast<float>(i));
    for (CUdeviceptr& address : memory_) GOOD(cuMemAlloc(&address, bytes));
    GOOD(cuMemcpyHtoDAsync(memory_[0], a_.data(), bytes, stream));
    GOOD(cuMemcpyDtoDAsync(memory_[1], memory_[0], bytes, stream));
    GOOD(cuMemsetD8Async(memory_[2], 0xFF, bytes, stream));
  }
  ~Sum() {
    for (const CUdeviceptr address : memory_) GOOD(cuMemFree(address));
  }
  Sum(const Sum&) = delete;
  Sum& operator=(const Sum&) = delete;

  void launch_by(CUfunction vector_add) {
    GOOD(launch(vector_add, 8, count / 8, stream_, memory_[2], memory_[0], memory_[1], count));
  }
  void check() {
    std::vector<float> out(count);
    GOOD(cuMemcpyDtoHAsync(out.data(), memory_[2], bytes, stream_));
    GOOD(cuStreamSynchronize(stream_));
    bool right = true;
    for (unsigned i = 0; i < count; ++i) right = right && out[i] == 2 * (first_ + static_cast<float>(i));
    HOLDS(right);
  }

 private:
  static constexpr std::size_t bytes = count * sizeof(float);
  Failures& failures;
  const CUstream stream_;
  const float first_;
  std::vector<float> a_;
  CUdeviceptr memory_[3] = {};
};

/// A module of the thread's own, unloaded while its kernel may still run.
void use_own_module(Failures& failures, CUstream stream, float first) {
  CUmodule own = nullptr;
  GOOD(cuModuleLoadData(&own, kernels.c_str()));
  CUfunction vector_add = nullptr;
  GOOD(cuModuleGetFunction(&vector_add, own, "vector_add"));
  CUdeviceptr scale = 0;
  unsigned value = 0;
  GOOD(cuModuleGetGlobal(&scale, nullptr, own, "scale"));
  GOOD(cuMemcpyDtoH(&value, scale, sizeof(value)));
  HOLDS(value == 7);
  Sum sum(failures, stream, first);
  sum.launch_by(vector_add);
  GOOD(cuModuleUnload(own));
  sum.check();
  HOLDS(cuModuleUnload(own) == CUDA_ERROR_INVALID_HANDLE);
}

/// One stream's kernel after another's, by an event.
void use_events(Failures& failures, CUfunction vector_add, CUstream stream, float first) {
  CUstream other = nullptr;
  CUevent event = nullptr;
  GOOD(cuStreamCreate(&other, CU_STREAM_NON_BLOCKING));
  GOOD(cuEventCreate(&event, 0));
  {
    Sum sum(failures, other, first);
    sum.launch_by(vector_add);
    GOOD(cuEventRecord(event, other));
    GOOD(cuStreamWaitEvent(stream, event, 0));
    std::atomic<unsigned> seen{0};
    GOOD(cuLaunchHostFunc(
        stream, [](void* data) { ++*static_cast<std::atomic<unsigned>*>(data); }, &seen));
    GOOD(cuStreamSynchronize(stream));
    HOLDS(seen == 1);
    GOOD(cuEventQuery(event));
    sum.check();
  }
  GOOD(cuEventDestroy(event));
  GOOD(cuStreamDestroy(other));
}

void use_graph(Failures& failures, CUfunction vector_add, float first) {
  CUstream stream = nullptr;
  GOOD(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  {
    Sum sum(failures, stream, first);
    CUgraph graph = nullptr;
    CUgraphExec exec = nullptr;
    // Of this thread alone: what the others call meanwhile is no error.
    GOOD(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL));
    sum.launch_by(vector_add);
    GOOD(cuStreamEndCapture(stream, &graph));
    GOOD(cuGraphInstantiate(&exec, graph, 0));
    GOOD(cuGraphDestroy(graph));
    GOOD(cuGraphLaunch(exec, stream));
    GOOD(cuGraphExecDestroy(exec));
    sum.check();
  }
  GOOD(cuStreamDestroy(stream));
}

void use_texture(Failures& failures) {
  CUDA_ARRAY_DESCRIPTOR shape = {};
  shape.Width = 16;
  shape.Height = 4;
  shape.Format = CU_AD_FORMAT_UNSIGNED_INT32;
  shape.NumChannels = 1;
  CUDA_RESOURCE_DESC resource = {};
  resource.resType = CU_RESOURCE_TYPE_ARRAY;
  GOOD(cuArrayCreate(&resource.res.array.hArray, &shape));
  const CUDA_TEXTURE_DESC texture = {};
  CUtexObject object = 0;
  GOOD(cuTexObjectCreate(&object, &resource, &texture, nullptr));
  GOOD(cuTexObjectDestroy(object));
  GOOD(cuArrayDestroy(resource.res.array.hArray));
}

void use_all(Failures& failures, const Device& device, CUfunction shared, unsigned thread) {
  GOOD(cuCtxSetCurrent(device.context));
  CUstream stream = nullptr;
  GOOD(cuStreamCreate(&stream, thread % 2 == 0 ? CU_STREAM_DEFAULT : CU_STREAM_NON_BLOCKING));
  for (unsigned round = 0; round < 24; ++round) {
    const auto first = static_cast<float>(thread * 1000 + round);
    use_own_module(failures, stream, first);
    use_events(failures, shared, stream, first);
    use_graph(failures, shared, first);
    use_texture(failures);
    Sum sum(failures, round % 2 == 0 ? CU_STREAM_PER_THREAD : nullptr, first);
    sum.launch_by(shared);
    sum.check();
    GOOD(cuCtxSynchronize());
  }
  GOOD(cuStreamDestroy(stream));
}

}  // namespace

TEST_CASE("stress: threads share a context, its streams and a module, and load modules of their own") {
  const Device device;
  const CUfunction shared = device.function("vector_add");
  Failures failures;
  run_side_by_side(8, [&](unsigned thread) { use_all(failures, device, shared, thread); });
  CHECK(failures.first_line() == 0);
}

TEST_CASE("stress: contexts come and go, with the work that is left in them") {
  REQUIRE_OK(cuInit(0));
  Failures failures;
  CUlibrary library = nullptr;
  REQUIRE_OK(cuLibraryLoadData(&library, kernels.c_str(), nullptr, nullptr, 0, nullptr, nullptr, 0));
  CUkernel kernel = nullptr;
  REQUIRE_OK(cuLibraryGetKernel(&kernel, library, "vector_add"));
  run_side_by_side(6, [&](unsigned thread) {
    for (unsigned round = 0; round < 24; ++round) {
      CUcontext context = nullptr;
      GOOD(::cuCtxCreate_v2(&context, 0, static_cast<int>(thread % 2)));
      CUfunction vector_add = nullptr;
      GOOD(cuKernelGetFunction(&vector_add, kernel));
      CUstream stream = nullptr;
      GOOD(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
      {
        Sum sum(failures, stream, static_cast<float>(round));
        sum.launch_by(vector_add);
        sum.check();
        sum.launch_by(vector_add);
      }
      CUmodule module = nullptr;
      CUfunction poke = nullptr;
      CUdeviceptr left = 0;
      GOOD(cuModuleLoadData(&module, kernels.c_str()));
      GOOD(cuModuleGetFunction(&poke, module, "poke"));
      GOOD(cuMemAlloc(&left, 4));
      GOOD(launch(poke, 1, 1, stream, left));
      GOOD(cuCtxDestroy(context));  // with a stream, a module and memory
    }
  });
  CHECK(failures.first_line() == 0);
  CHECK_OK(cuLibraryUnload(library));
}

}  // namespace provider_stress_test
