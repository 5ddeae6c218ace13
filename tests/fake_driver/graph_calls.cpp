// Graphs of kernel nodes. Launching one records its launches in order, as cuLaunchKernel would. A capture gives a graph
// without nodes: what a captured stream is given is done at once here, as everywhere in the fake.
#include "fake_state.hpp"

#include <algorithm>

using fake_cuda::call;
using fake_cuda::find;
using fake_cuda::Launch;
using fake_cuda::recording;
using fake_cuda::State;

namespace {

struct Graph {
  std::vector<std::unique_ptr<Launch>> nodes;
};

struct Executable {
  const Graph* graph = nullptr;
  std::vector<Launch> nodes;  // in the graph's order
};

struct Graphs {
  std::map<CUgraph, std::unique_ptr<Graph>> graphs;
  std::map<CUgraphExec, std::unique_ptr<Executable>> executables;
};

// Guarded by the state's mutex, and never destroyed, as that is.
Graphs& all() {
  static Graphs& graphs = *new Graphs;
  return graphs;
}

Launch* as_node(CUgraphNode handle) { return reinterpret_cast<Launch*>(handle); }

bool knows(const Graph& graph, const Launch* node) {
  return std::any_of(graph.nodes.begin(), graph.nodes.end(), [&](const auto& known) { return known.get() == node; });
}

CUresult fill(State& state, const CUDA_KERNEL_NODE_PARAMS& params, Launch& launch) {
  Launch filled = {{},
                   {params.gridDimX, params.gridDimY, params.gridDimZ},
                   {params.blockDimX, params.blockDimY, params.blockDimZ},
                   params.sharedMemBytes,
                   {},
                   {},
                   {},
                   launch.attributes};
  const CUresult result = fake_cuda::launch(state, params.func, std::move(filled), nullptr, params.kernelParams,
                                            params.extra, [](const auto&, int) { return CUDA_SUCCESS; });
  if (result != CUDA_SUCCESS) return result;
  launch = std::move(state.launches.back());  // checked, and not made yet
  state.launches.pop_back();
  return CUDA_SUCCESS;
}

}  // namespace

namespace fake_cuda {

std::size_t live_graphs() {
  const std::lock_guard lock(State::get().mutex);
  return all().graphs.size() + all().executables.size();
}

}  // namespace fake_cuda

extern "C" {

CUresult cuGraphCreate(CUgraph* graph, unsigned) {
  return call("cuGraphCreate", [&](State&) {
    auto object = std::make_unique<Graph>();
    *graph = reinterpret_cast<CUgraph>(object.get());
    all().graphs[*graph] = std::move(object);
    return CUDA_SUCCESS;
  });
}

CUresult cuStreamBeginCapture(CUstream stream, CUstreamCaptureMode) {
  return call("cuStreamBeginCapture", [&](State& state) {
    fake_cuda::Stream* object = find(state.streams, stream);
    if (object == nullptr) return CUDA_ERROR_INVALID_HANDLE;
    if (object->capturing) return CUDA_ERROR_ILLEGAL_STATE;
    object->capturing = true;
    return CUDA_SUCCESS;
  });
}

CUresult cuStreamEndCapture(CUstream stream, CUgraph* graph) {
  return call("cuStreamEndCapture", [&](State& state) {
    fake_cuda::Stream* object = find(state.streams, stream);
    if (object == nullptr) return CUDA_ERROR_INVALID_HANDLE;
    if (!object->capturing) return CUDA_ERROR_ILLEGAL_STATE;
    object->capturing = false;
    auto made = std::make_unique<Graph>();
    *graph = reinterpret_cast<CUgraph>(made.get());
    all().graphs[*graph] = std::move(made);
    return CUDA_SUCCESS;
  });
}

CUresult cuGraphGetNodes(CUgraph graph, CUgraphNode*, std::size_t* count) {
  return call("cuGraphGetNodes", [&](State&) {
    const Graph* object = find(all().graphs, graph);
    if (object == nullptr) return CUDA_ERROR_INVALID_VALUE;
    *count = object->nodes.size();
    return CUDA_SUCCESS;
  });
}

CUresult cuGraphDebugDotPrint(CUgraph graph, const char*, unsigned) {
  return call("cuGraphDebugDotPrint",
              [&](State&) { return find(all().graphs, graph) != nullptr ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE; });
}

CUresult cuGraphDestroy(CUgraph graph) {
  return call("cuGraphDestroy",
              [&](State&) { return all().graphs.erase(graph) != 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE; });
}

CUresult cuGraphAddKernelNode_v2(CUgraphNode* handle, CUgraph graph, const CUgraphNode* dependencies, std::size_t count,
                                 const CUDA_KERNEL_NODE_PARAMS* params) {
  return call("cuGraphAddKernelNode", [&](State& state) {
    Graph* object = find(all().graphs, graph);
    if (object == nullptr) return CUDA_ERROR_INVALID_VALUE;
    // Kiln's graphs are chains; whatever is not one is a fault.
    const Launch* last = object->nodes.empty() ? nullptr : object->nodes.back().get();
    if ((count == 1 ? as_node(*dependencies) : nullptr) != last || count > 1) return CUDA_ERROR_INVALID_VALUE;
    auto node = std::make_unique<Launch>();
    const CUresult result = fill(state, *params, *node);
    if (result != CUDA_SUCCESS) return result;
    *handle = reinterpret_cast<CUgraphNode>(node.get());
    object->nodes.push_back(std::move(node));
    return CUDA_SUCCESS;
  });
}

CUresult cuGraphKernelNodeSetAttribute(CUgraphNode handle, CUkernelNodeAttrID id, const CUkernelNodeAttrValue* value) {
  return call("cuGraphKernelNodeSetAttribute", [&](State&) {
    const auto& graphs = all().graphs;
    if (std::none_of(graphs.begin(), graphs.end(),
                     [&](const auto& graph) { return knows(*graph.second, as_node(handle)); }))
      return CUDA_ERROR_INVALID_VALUE;
    as_node(handle)->attributes[id].assign(reinterpret_cast<const char*>(value), sizeof *value);
    return CUDA_SUCCESS;
  });
}

CUresult cuGraphInstantiateWithFlags(CUgraphExec* executable, CUgraph graph, unsigned long long) {
  return call("cuGraphInstantiateWithFlags", [&](State&) {
    const Graph* object = find(all().graphs, graph);
    if (object == nullptr) return CUDA_ERROR_INVALID_VALUE;
    auto made = std::make_unique<Executable>();
    made->graph = object;
    for (const auto& node : object->nodes) made->nodes.push_back(*node);
    *executable = reinterpret_cast<CUgraphExec>(made.get());
    all().executables[*executable] = std::move(made);
    return CUDA_SUCCESS;
  });
}

CUresult cuGraphExecDestroy(CUgraphExec executable) {
  return call("cuGraphExecDestroy", [&](State&) {
    return all().executables.erase(executable) != 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
  });
}

CUresult cuGraphExecKernelNodeSetParams_v2(CUgraphExec executable, CUgraphNode node,
                                           const CUDA_KERNEL_NODE_PARAMS* params) {
  if (!recording.load(std::memory_order_relaxed)) return CUDA_SUCCESS;
  return call("cuGraphExecKernelNodeSetParams", [&](State& state) {
    Executable* object = find(all().executables, executable);
    if (object == nullptr) return CUDA_ERROR_INVALID_VALUE;
    const auto& nodes = object->graph->nodes;
    const auto found =
        std::find_if(nodes.begin(), nodes.end(), [&](const auto& n) { return n.get() == as_node(node); });
    if (found == nodes.end()) return CUDA_ERROR_INVALID_VALUE;
    return fill(state, *params, object->nodes[static_cast<std::size_t>(found - nodes.begin())]);
  });
}

CUresult cuGraphExecUpdate(CUgraphExec executable, CUgraph graph, CUgraphExecUpdateResultInfo* info) {
  return call("cuGraphExecUpdate", [&](State&) {
    Executable* object = find(all().executables, executable);
    const Graph* other = find(all().graphs, graph);
    if (object == nullptr || other == nullptr) return CUDA_ERROR_INVALID_VALUE;
    info->result = CU_GRAPH_EXEC_UPDATE_SUCCESS;
    object->graph = other;
    return CUDA_SUCCESS;
  });
}

CUresult cuGraphUpload(CUgraphExec executable, CUstream) {
  return call("cuGraphUpload", [&](State&) {
    return find(all().executables, executable) != nullptr ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
  });
}

CUresult cuGraphLaunch(CUgraphExec executable, CUstream stream) {
  if (!recording.load(std::memory_order_relaxed)) return CUDA_SUCCESS;
  return call("cuGraphLaunch", [&](State& state) {
    const Executable* object = find(all().executables, executable);
    if (object == nullptr) return CUDA_ERROR_INVALID_VALUE;
    for (Launch launch : object->nodes) {
      launch.stream = stream;
      state.launches.push_back(std::move(launch));
    }
    return CUDA_SUCCESS;
  });
}

}  // extern "C"
