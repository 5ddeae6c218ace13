#include "emulator/provider/graph.hpp"

#include <utility>

namespace kiln::emulator {
namespace {

CUresult run_node(const GraphNode& node) {
  if (node.kernel != nullptr) return node.kernel->run();
  return node.work ? node.work() : CUDA_SUCCESS;
}

}  // namespace

CUgraphNode Graph::add(GraphNode node) {
  node.handle = reinterpret_cast<CUgraphNode>(new_handle_number());
  const std::lock_guard lock(mutex);
  nodes.push_back(std::move(node));
  return nodes.back().handle;
}

Work work_of(Graph& graph) {
  std::vector<GraphNode> nodes;
  {
    const std::lock_guard lock(graph.mutex);
    nodes = graph.nodes;
  }
  return [nodes = std::move(nodes)] {
    for (const GraphNode& node : nodes)
      if (const CUresult result = run_node(node); result != CUDA_SUCCESS) return result;
    return CUDA_SUCCESS;
  };
}

}  // namespace kiln::emulator
