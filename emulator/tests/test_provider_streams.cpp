// Order within streams, among them, and as events say; what is captured.
#include "provider_calls.hpp"
#include "scratch_folder.hpp"

#include <atomic>
#include <thread>

namespace provider_streams_test {

namespace {

using namespace kiln::emulator::test;

CUstream made_stream(unsigned flags) {
  CUstream stream = nullptr;
  REQUIRE_OK(cuStreamCreate(&stream, flags));
  return stream;
}

CUevent made_event(unsigned flags = 0) {
  CUevent event = nullptr;
  REQUIRE_OK(cuEventCreate(&event, flags));
  return event;
}

// Memory that the host and kernels see at once, zero.
struct Flag {
  Flag() {
    REQUIRE_OK(cuMemHostAlloc(reinterpret_cast<void**>(&value), sizeof(*value), 0));
    *value = 0;
  }
  ~Flag() { (void)cuMemFreeHost(const_cast<unsigned*>(value)); }
  Flag(const Flag&) = delete;
  Flag& operator=(const Flag&) = delete;
  void raise() const { std::atomic_ref<unsigned>(*value).store(1); }
  CUdeviceptr address() const { return reinterpret_cast<CUdeviceptr>(value); }
  unsigned* value = nullptr;
};

}  // namespace

TEST_CASE("a stream runs behind the host's back, in order") {
  const Device device;
  const Flag flag;
  const DeviceValues<unsigned> list(std::vector<unsigned>(9, 0));
  const CUstream stream = made_stream(CU_STREAM_NON_BLOCKING);
  const CUfunction append = device.function("append");
  CHECK_OK(launch(device.function("spin"), 1, 1, stream, flag.address()));
  for (unsigned i = 1; i <= 8; ++i) CHECK_OK(launch(append, 1, 1, stream, list.address, i * 10));
  CHECK(cuStreamQuery(stream) == CUDA_ERROR_NOT_READY);
  CHECK(list.values() == std::vector<unsigned>(9, 0));  // the legacy stream does not wait for this one
  flag.raise();
  CHECK_OK(cuStreamSynchronize(stream));
  CHECK_OK(cuStreamQuery(stream));
  CHECK(list.values() == std::vector<unsigned>{8, 10, 20, 30, 40, 50, 60, 70, 80});
  CHECK_OK(cuStreamDestroy(stream));
  CHECK(cuStreamQuery(stream) == CUDA_ERROR_INVALID_HANDLE);
}

TEST_CASE("copies and fills in one stream end loops of kernels in others") {
  const Device device;
  const DeviceValues<unsigned> flags(std::vector<unsigned>(3, 0));
  const unsigned one = 1;
  const CUstream waiting = made_stream(CU_STREAM_NON_BLOCKING), telling = made_stream(CU_STREAM_NON_BLOCKING);
  for (unsigned i = 0; i < 3; ++i)
    CHECK_OK(launch(device.function("spin"), 1, 1, waiting, flags.address + sizeof(unsigned) * i));
  CHECK_OK(cuMemcpyHtoDAsync(flags.address, &one, sizeof(one), telling));
  CHECK_OK(cuMemsetD32Async(flags.address + sizeof(one), 1, 1, telling));
  CHECK_OK(cuMemcpyDtoDAsync(flags.address + 2 * sizeof(one), flags.address, sizeof(one), telling));
  CHECK_OK(cuStreamSynchronize(waiting));
  CHECK_OK(cuStreamDestroy(waiting));
  CHECK_OK(cuStreamDestroy(telling));
}

TEST_CASE("blocking streams and the legacy stream wait for each other") {
  const Device device;
  const Flag flag;
  const DeviceValues<unsigned> list(std::vector<unsigned>(4, 0));
  const CUstream blocking = made_stream(CU_STREAM_DEFAULT);
  const CUfunction append = device.function("append");
  CHECK_OK(launch(device.function("spin"), 1, 1, blocking, flag.address()));
  CHECK_OK(launch(append, 1, 1, blocking, list.address, 1u));
  CHECK_OK(launch(append, 1, 1, nullptr, list.address, 2u));
  CHECK_OK(launch(append, 1, 1, blocking, list.address, 3u));
  CHECK(cuStreamQuery(nullptr) == CUDA_ERROR_NOT_READY);
  flag.raise();
  CHECK_OK(cuCtxSynchronize());
  CHECK(list.values() == std::vector<unsigned>{3, 1, 2, 3});
  CHECK_OK(cuStreamDestroy(blocking));
}

TEST_CASE("events: waits across streams, queries and times") {
  const Device device;
  const Flag flag;
  const DeviceValues<unsigned> list(std::vector<unsigned>(3, 0));
  const CUstream first = made_stream(CU_STREAM_NON_BLOCKING), second = made_stream(CU_STREAM_NON_BLOCKING);
  const CUevent start = made_event(), end = made_event(), untimed = made_event(CU_EVENT_DISABLE_TIMING);
  const CUfunction append = device.function("append");
  float milliseconds = -1;
  CHECK_OK(cuEventQuery(start));  // never recorded
  CHECK(cuEventElapsedTime(&milliseconds, start, end) == CUDA_ERROR_INVALID_HANDLE);
  CHECK_OK(cuEventRecord(start, first));
  CHECK_OK(launch(device.function("spin"), 1, 1, first, flag.address()));
  CHECK_OK(launch(append, 1, 1, first, list.address, 1u));
  CHECK_OK(cuEventRecord(end, first));
  CHECK_OK(cuStreamWaitEvent(second, end, 0));
  CHECK_OK(launch(append, 1, 1, second, list.address, 2u));
  CHECK(cuEventQuery(end) == CUDA_ERROR_NOT_READY);
  CHECK(cuEventElapsedTime(&milliseconds, start, end) == CUDA_ERROR_NOT_READY);
  flag.raise();
  CHECK_OK(cuStreamSynchronize(second));
  CHECK(list.values() == std::vector<unsigned>{2, 1, 2});
  CHECK_OK(cuEventElapsedTime(&milliseconds, start, end));
  CHECK(milliseconds > 0);
  CHECK_OK(cuEventRecord(untimed, first));
  CHECK_OK(cuEventSynchronize(untimed));
  CHECK(cuEventElapsedTime(&milliseconds, start, untimed) == CUDA_ERROR_INVALID_HANDLE);
  for (const CUevent event : {start, end, untimed}) CHECK_OK(cuEventDestroy(event));
  CHECK(cuEventDestroy(end) == CUDA_ERROR_INVALID_HANDLE);
}

TEST_CASE("a host function runs in its stream's order") {
  const Device device;
  const DeviceValues<unsigned> list(std::vector<unsigned>(2, 0));
  struct Seen {
    CUdeviceptr list;
    unsigned count;
  } seen{list.address, 0};
  CHECK_OK(launch(device.function("append"), 1, 1, nullptr, list.address, 4u));
  const CUhostFn look = [](void* data) {
    auto& state = *static_cast<Seen*>(data);
    state.count = *reinterpret_cast<const unsigned*>(state.list);
  };
  CHECK_OK(cuLaunchHostFunc(nullptr, look, &seen));
  CHECK_OK(cuStreamSynchronize(nullptr));
  CHECK(seen.count == 1);
}

TEST_CASE("many threads use streams of one context at once") {
  const Device device;
  const CUfunction append = device.function("append");
  std::vector<std::thread> threads;
  std::atomic<int> failures{0};
  for (unsigned t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      const auto good = [&](CUresult result) { failures += result == CUDA_SUCCESS ? 0 : 1; };
      good(cuCtxSetCurrent(device.context));
      CUstream stream = nullptr;
      good(cuStreamCreate(&stream, t % 2));
      CUdeviceptr list = 0;
      std::vector<unsigned> values(21);
      good(cuMemAlloc(&list, 84));
      good(cuMemsetD32Async(list, 0, 21, stream));
      for (unsigned i = 0; i < 20; ++i) good(launch(append, 1, 1, stream, list, i));
      good(cuMemcpyDtoHAsync(values.data(), list, 84, stream));
      good(cuStreamSynchronize(stream));
      failures += values[0] == 20 && values[20] == 19 ? 0 : 1;
      good(cuMemFree(list));
      good(cuStreamDestroy(stream));
    });
  for (std::thread& thread : threads) thread.join();
  CHECK(failures == 0);
}

TEST_CASE("a captured stream makes a graph, which runs as often as it is launched") {
  const Device device;
  const DeviceValues<unsigned> list(std::vector<unsigned>(8, 0));
  const CUstream stream = made_stream(CU_STREAM_NON_BLOCKING), beside = made_stream(CU_STREAM_NON_BLOCKING);
  const CUevent fork = made_event(), join = made_event();
  const CUfunction append = device.function("append");
  CHECK_OK(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
  CHECK_OK(launch(append, 1, 1, stream, list.address, 1u));
  CHECK_OK(cuEventRecord(fork, stream));
  CHECK_OK(cuStreamWaitEvent(beside, fork, 0));
  CHECK_OK(launch(append, 1, 1, beside, list.address, 2u));
  CHECK_OK(cuEventRecord(join, beside));
  CHECK_OK(cuStreamWaitEvent(stream, join, 0));
  CHECK_OK(cuMemsetD32Async(list.address + 28, 9, 1, stream));
  CUgraph graph = nullptr;
  CHECK_OK(cuStreamEndCapture(stream, &graph));
  CHECK(list.values() == std::vector<unsigned>(8, 0));
  CUgraphExec exec = nullptr;
  CHECK_OK(cuGraphInstantiate(&exec, graph, 0));
  CHECK_OK(cuGraphDestroy(graph));
  CHECK_OK(cuGraphLaunch(exec, stream));
  CHECK_OK(cuGraphLaunch(exec, stream));
  CHECK_OK(cuStreamSynchronize(stream));
  CHECK(list.values() == std::vector<unsigned>{4, 1, 2, 1, 2, 0, 0, 9});
  CHECK_OK(cuGraphExecDestroy(exec));
}

TEST_CASE("what a capture forbids ends it") {
  const Device device;
  const CUstream stream = made_stream(CU_STREAM_NON_BLOCKING);
  CUgraph graph = nullptr;
  CHECK(cuStreamEndCapture(stream, &graph) == CUDA_ERROR_ILLEGAL_STATE);
  CHECK(cuStreamBeginCapture(nullptr, CU_STREAM_CAPTURE_MODE_GLOBAL) == CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
  CHECK_OK(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
  CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_NONE;
  CHECK_OK(cuStreamIsCapturing(stream, &status));
  CHECK(status == CU_STREAM_CAPTURE_STATUS_ACTIVE);
  CHECK(cuStreamSynchronize(stream) == CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
  CHECK(cuStreamEndCapture(stream, &graph) == CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
  CHECK(graph == nullptr);

  CHECK_OK(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
  CUstreamCaptureMode mode = CU_STREAM_CAPTURE_MODE_RELAXED;
  CHECK_OK(cuThreadExchangeStreamCaptureMode(&mode));
  CUdeviceptr memory = 0;
  CHECK_OK(cuMemAlloc(&memory, 4));
  CHECK_OK(cuThreadExchangeStreamCaptureMode(&mode));
  CHECK(mode == CU_STREAM_CAPTURE_MODE_RELAXED);
  CHECK(cuMemFree(memory) == CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
  CHECK(cuStreamEndCapture(stream, &graph) == CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
  CHECK_OK(cuMemFree(memory));
}

TEST_CASE("a capture ends where all streams that took part have been waited for, or with its stream") {
  const Device device;
  const DeviceValues<unsigned> one({0});
  const CUfunction poke = device.function("poke");
  const CUstream first = made_stream(CU_STREAM_NON_BLOCKING), second = made_stream(CU_STREAM_NON_BLOCKING);
  CUevent forked = nullptr, joined = nullptr;
  CHECK_OK(cuEventCreate(&forked, CU_EVENT_DISABLE_TIMING));
  CHECK_OK(cuEventCreate(&joined, CU_EVENT_DISABLE_TIMING));
  CUgraph graph = nullptr;
  const auto fork = [&] {
    CHECK_OK(cuStreamBeginCapture(first, CU_STREAM_CAPTURE_MODE_GLOBAL));
    CHECK_OK(cuEventRecord(forked, first));
    CHECK_OK(cuStreamWaitEvent(second, forked, 0));
    CHECK_OK(launch(poke, 1, 1, second, one.address));
    CHECK_OK(cuEventRecord(joined, second));
  };
  fork();
  CHECK(cuStreamEndCapture(first, &graph) == CUDA_ERROR_STREAM_CAPTURE_UNJOINED);
  CHECK(graph == nullptr);
  fork();
  CHECK_OK(cuStreamWaitEvent(first, joined, 0));
  CHECK_OK(cuStreamEndCapture(first, &graph));
  CHECK_OK(cuGraphDestroy(graph));
  fork();
  CHECK_OK(cuStreamWaitEvent(first, joined, 0));
  CHECK_OK(launch(poke, 1, 1, second, one.address));  // behind what was waited for
  CHECK(cuStreamEndCapture(first, &graph) == CUDA_ERROR_STREAM_CAPTURE_UNJOINED);

  CHECK_OK(cuStreamBeginCapture(second, CU_STREAM_CAPTURE_MODE_GLOBAL));
  CHECK_OK(cuStreamDestroy(second));
  CHECK(one.values() == std::vector<unsigned>{0});  // the calls that a capture forbids are allowed again
}

TEST_CASE("an executable graph takes over the work of another one of the same shape, and of no other") {
  const Device device;
  const DeviceValues<unsigned> list(std::vector<unsigned>(8, 0));
  const CUstream stream = made_stream(CU_STREAM_NON_BLOCKING);
  const CUfunction append = device.function("append");
  enum class Work { as_first, longer, other_order };
  const auto captured = [&](unsigned value, Work work) {
    CHECK_OK(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL));
    if (work == Work::other_order) CHECK_OK(cuMemsetD32Async(list.address + 28, value, 1, stream));
    CHECK_OK(launch(append, 1, 1, stream, list.address, value));
    if (work != Work::other_order) CHECK_OK(cuMemsetD32Async(list.address + 28, value, 1, stream));
    if (work == Work::longer) CHECK_OK(launch(append, 1, 1, stream, list.address, value));
    CUgraph graph = nullptr;
    REQUIRE_OK(cuStreamEndCapture(stream, &graph));
    return graph;
  };
  const CUgraph first = captured(1, Work::as_first);
  CUgraphExec exec = nullptr;
  CHECK_OK(cuGraphInstantiate(&exec, first, 0));
  CHECK_OK(cuGraphUpload(exec, stream));
  CHECK_OK(cuGraphLaunch(exec, stream));
  const auto update = [&](unsigned value, Work work) {
    const CUgraph graph = captured(value, work);
    CUgraphExecUpdateResultInfo info = {};
    const CUresult result = cuGraphExecUpdate(exec, graph, &info);
    CHECK(result ==
          (info.result == CU_GRAPH_EXEC_UPDATE_SUCCESS ? CUDA_SUCCESS : CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE));
    CHECK_OK(cuGraphDestroy(graph));
    CHECK_OK(cuGraphLaunch(exec, stream));
    return info.result;
  };
  CHECK(update(5, Work::as_first) == CU_GRAPH_EXEC_UPDATE_SUCCESS);
  CHECK(update(6, Work::longer) == CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED);
  CHECK(update(7, Work::other_order) == CU_GRAPH_EXEC_UPDATE_ERROR_NODE_TYPE_CHANGED);
  CHECK_OK(cuStreamSynchronize(stream));
  CHECK(list.values() == std::vector<unsigned>{4, 1, 5, 5, 5, 0, 0, 5});

  const kiln::test::ScratchFolder folder;
  const std::string path = (folder.path() / "graph.dot").string();
  CHECK_OK(cuGraphDebugDotPrint(first, path.c_str(), 0));
  CHECK(folder.read("graph.dot") ==
        "digraph dot {\n  node_0 [label=\"append\"];\n  node_1 [label=\"memset\"];\n  node_0 -> node_1;\n}\n");
  CHECK(cuGraphDebugDotPrint(first, "/missing/graph.dot", 0) == CUDA_ERROR_OPERATING_SYSTEM);
  CHECK_OK(cuGraphExecDestroy(exec));
  CHECK_OK(cuGraphDestroy(first));
  CHECK_OK(cuStreamDestroy(stream));
}

TEST_CASE("a graph of kernel nodes, whose parameters are set anew") {
  const Device device;
  const DeviceValues<unsigned> list(std::vector<unsigned>(5, 0));
  unsigned value = 1;
  CUdeviceptr address = list.address;
  void* params[] = {&address, &value};
  CUDA_KERNEL_NODE_PARAMS node_params = {};
  node_params.func = device.function("append");
  node_params.gridDimX = node_params.gridDimY = node_params.gridDimZ = 1;
  node_params.blockDimX = node_params.blockDimY = node_params.blockDimZ = 1;
  node_params.kernelParams = params;
  CUgraph graph = nullptr;
  CHECK_OK(cuGraphCreate(&graph, 0));
  CUgraphNode first = nullptr, second = nullptr;
  CHECK_OK(cuGraphAddKernelNode(&first, graph, nullptr, 0, &node_params));
  value = 2;
  CHECK_OK(cuGraphAddKernelNode(&second, graph, &first, 1, &node_params));
  CUgraphExec exec = nullptr;
  CHECK_OK(cuGraphInstantiate(&exec, graph, 0));
  CHECK_OK(cuGraphLaunch(exec, nullptr));
  value = 7;
  CHECK_OK(cuGraphExecKernelNodeSetParams(exec, first, &node_params));
  CHECK_OK(cuGraphLaunch(exec, nullptr));
  CHECK(list.values() == std::vector<unsigned>{4, 1, 2, 7, 2});
  node_params.blockDimX = 0;
  CHECK(cuGraphExecKernelNodeSetParams(exec, first, &node_params) == CUDA_ERROR_INVALID_VALUE);
  CHECK_OK(cuGraphExecDestroy(exec));
  CHECK_OK(cuGraphDestroy(graph));
  CHECK(cuGraphDestroy(graph) == CUDA_ERROR_INVALID_VALUE);
}

TEST_CASE("a stream waits for a value that another one writes") {
  const Device device;
  const DeviceValues<unsigned> flag({0, 0}), list(std::vector<unsigned>(4, 0));
  const CUfunction append = device.function("append");
  const CUstream first = made_stream(CU_STREAM_NON_BLOCKING), second = made_stream(CU_STREAM_NON_BLOCKING);
  CHECK_OK(cuStreamWaitValue32(first, flag.address, 3, CU_STREAM_WAIT_VALUE_GEQ));
  CHECK_OK(launch(append, 1, 1, first, list.address, 2u));
  CHECK_OK(launch(append, 1, 1, second, list.address, 1u));
  CHECK_OK(cuStreamWriteValue32(second, flag.address, 5, 0));
  CHECK_OK(cuStreamSynchronize(first));
  CHECK_OK(cuStreamSynchronize(second));
  CHECK(list.values() == std::vector<unsigned>{2, 1, 2, 0});
  CHECK(flag.values() == std::vector<unsigned>{5, 0});
  CHECK(cuStreamWriteValue32(second, flag.address + 2, 5, 0) == CUDA_ERROR_INVALID_VALUE);
  CHECK(cuStreamWaitValue64(second, flag.address + 8, 5, 0) == CUDA_ERROR_INVALID_VALUE);
  CHECK_OK(cuStreamDestroy(first));
  CHECK_OK(cuStreamDestroy(second));
}

}  // namespace provider_streams_test
