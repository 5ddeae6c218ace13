// Graphs: built or captured, instantiated and launched.
#include "emulator/provider/context/call.hpp"
#include "emulator/provider/context/stream_state.hpp"
#include "emulator/provider/stream/capture.hpp"
#include "emulator/provider/stream/graph.hpp"
#include "emulator/provider/stream/launch_attributes.hpp"

#include <fstream>
#include <utility>

namespace {

using namespace kiln::emulator;

std::shared_ptr<Graph> graph_of(CUgraph handle) {
  std::shared_ptr<Graph> graph = Graphs::get().find(handle);
  if (graph == nullptr) throw CallError(CUDA_ERROR_INVALID_VALUE, "");
  return graph;
}

std::shared_ptr<Graph> exec_of(CUgraphExec handle) {
  std::shared_ptr<Graph> exec = GraphExecs::get().find(handle);
  if (exec == nullptr) throw CallError(CUDA_ERROR_INVALID_VALUE, "");
  return exec;
}

// A CUkernel is accepted as a CUfunction.
std::shared_ptr<const PreparedLaunch> prepared(const CUDA_KERNEL_NODE_PARAMS& params,
                                               const LaunchSizes& attributes = {}) {
  const CUfunction function = params.func != nullptr ? params.func : reinterpret_cast<CUfunction>(params.kern);
  LaunchSizes sizes = attributes;
  sizes.grid = {params.gridDimX, params.gridDimY, params.gridDimZ};
  sizes.block = {params.blockDimX, params.blockDimY, params.blockDimZ};
  sizes.shared_bytes = params.sharedMemBytes;
  Context& context = context_or_current(params.func != nullptr ? nullptr : params.ctx);
  return prepare_launch(function, context, sizes, params.kernelParams, params.extra);
}

CUresult instantiate(CUgraphExec* out, CUgraph handle) {
  require(out != nullptr);
  *out = GraphExecs::get().add(graph_of(handle)->copy());
  return CUDA_SUCCESS;
}

}  // namespace

KILN_EMULATOR_API cuGraphCreate(CUgraph* out, unsigned flags) {
  return call(__func__, [&] {
    require(out != nullptr && flags == 0);
    *out = Graphs::get().add(std::make_shared<Graph>());
    return CUDA_SUCCESS;
  });
}

KILN_EMULATOR_API cuGraphDestroy(CUgraph graph) {
  return call(__func__, [&] { return Graphs::get().take(graph) == nullptr ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS; });
}

KILN_EMULATOR_API cuGraphAddKernelNode_v2(CUgraphNode* out, CUgraph handle, const CUgraphNode* before, size_t count,
                                          const CUDA_KERNEL_NODE_PARAMS* params) {
  return call(__func__, [&] {
    require(out != nullptr && params != nullptr && (count == 0 || before != nullptr));
    const std::shared_ptr<Graph> graph = graph_of(handle);
    for (size_t i = 0; i < count; ++i) require(graph->has(before[i]));
    GraphNode node;
    node.kernel = prepared(*params);
    node.kind = "kernel";
    node.after.assign(before, before + count);
    *out = graph->add(std::move(node));
    return CUDA_SUCCESS;
  });
}

KILN_EMULATOR_API cuGraphAddEmptyNode(CUgraphNode* out, CUgraph handle, const CUgraphNode* before, size_t count) {
  return call(__func__, [&] {
    require(out != nullptr && (count == 0 || before != nullptr));
    const std::shared_ptr<Graph> graph = graph_of(handle);
    for (size_t i = 0; i < count; ++i) require(graph->has(before[i]));
    GraphNode node;
    node.after.assign(before, before + count);
    *out = graph->add(std::move(node));
    return CUDA_SUCCESS;
  });
}

KILN_EMULATOR_API cuGraphAddHostNode(CUgraphNode* out, CUgraph handle, const CUgraphNode* before, size_t count,
                                     const CUDA_HOST_NODE_PARAMS* params) {
  return call(__func__, [&] {
    require(out != nullptr && params != nullptr && params->fn != nullptr && (count == 0 || before != nullptr));
    const std::shared_ptr<Graph> graph = graph_of(handle);
    for (size_t i = 0; i < count; ++i) require(graph->has(before[i]));
    GraphNode node;
    node.kind = "host";
    node.after.assign(before, before + count);
    node.work = [function = params->fn, data = params->userData] {
      function(data);
      return CUDA_SUCCESS;
    };
    *out = graph->add(std::move(node));
    return CUDA_SUCCESS;
  });
}

KILN_EMULATOR_API cuGraphGetNodes(CUgraph handle, CUgraphNode* nodes, size_t* count) {
  return call(__func__, [&] {
    require(count != nullptr);
    const std::vector<CUgraphNode> all = graph_of(handle)->handles();
    for (size_t i = 0; nodes != nullptr && i < *count; ++i) nodes[i] = i < all.size() ? all[i] : nullptr;
    if (nodes == nullptr || *count > all.size()) *count = all.size();
    return CUDA_SUCCESS;
  });
}

KILN_EMULATOR_API cuGraphKernelNodeSetAttribute(CUgraphNode node, CUkernelNodeAttrID id,
                                                const CUkernelNodeAttrValue* value) {
  return call(__func__, [&] {
    require(value != nullptr);
    const std::shared_ptr<Graph> graph = graph_with(node);
    const std::shared_ptr<const PreparedLaunch> old = graph == nullptr ? nullptr : graph->kernel(node);
    require(old != nullptr);
    LaunchSizes sizes = sizes_of(*old);
    take_attribute(sizes, id, *value);
    graph->change(node, with_sizes(*old, sizes));
    return CUDA_SUCCESS;
  });
}

KILN_EMULATOR_API cuGraphInstantiateWithFlags(CUgraphExec* out, CUgraph graph, unsigned long long) {
  return call(__func__, [&] { return instantiate(out, graph); });
}

KILN_EMULATOR_API cuGraphInstantiateWithParams(CUgraphExec* out, CUgraph graph, CUDA_GRAPH_INSTANTIATE_PARAMS* params) {
  return call(__func__, [&] {
    require(params != nullptr);
    params->result_out = CUDA_GRAPH_INSTANTIATE_SUCCESS;
    params->hErrNode_out = nullptr;
    return instantiate(out, graph);
  });
}

KILN_EMULATOR_API cuGraphExecDestroy(CUgraphExec exec) {
  return call(__func__,
              [&] { return GraphExecs::get().take(exec) == nullptr ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS; });
}

KILN_EMULATOR_API cuGraphExecKernelNodeSetParams_v2(CUgraphExec handle, CUgraphNode node,
                                                    const CUDA_KERNEL_NODE_PARAMS* params) {
  return call(__func__, [&] {
    require(params != nullptr);
    const std::shared_ptr<Graph> exec = exec_of(handle);
    const std::shared_ptr<const PreparedLaunch> old = exec->kernel(node);
    require(old != nullptr);
    exec->change(node, prepared(*params, sizes_of(*old)));
    return CUDA_SUCCESS;
  });
}

KILN_EMULATOR_API cuGraphLaunch(CUgraphExec handle, CUstream stream) {
  return call(__func__, [&] {
    const std::shared_ptr<Graph> exec = exec_of(handle);
    enqueue(stream, exec->work(), "graph");
    return CUDA_SUCCESS;
  });
}

KILN_EMULATOR_API cuGraphExecUpdate_v2(CUgraphExec handle, CUgraph graph, CUgraphExecUpdateResultInfo* info) {
  return call(__func__, [&] {
    require(info != nullptr);
    *info = {};
    info->result = CU_GRAPH_EXEC_UPDATE_ERROR;
    info->result = exec_of(handle)->update(*graph_of(graph));
    return info->result == CU_GRAPH_EXEC_UPDATE_SUCCESS ? CUDA_SUCCESS : CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE;
  });
}

// There is nothing to be brought to a device beforehand.
KILN_EMULATOR_API cuGraphUpload(CUgraphExec handle, CUstream stream) {
  return call(__func__, [&] {
    (void)exec_of(handle);
    (void)stream_of(stream);
    return CUDA_SUCCESS;
  });
}

KILN_EMULATOR_API cuGraphDebugDotPrint(CUgraph graph, const char* path, unsigned) {
  return call(__func__, [&] {
    require(path != nullptr);
    std::ofstream file(path);
    file << graph_of(graph)->dot() << std::flush;
    return file ? CUDA_SUCCESS : CUDA_ERROR_OPERATING_SYSTEM;
  });
}
