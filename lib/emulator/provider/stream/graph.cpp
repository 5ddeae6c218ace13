#include "emulator/provider/stream/graph.hpp"

#include <algorithm>
#include <set>
#include <utility>

namespace kiln::emulator {
namespace {

CUresult run_node(const GraphNode& node) {
  if (node.kernel != nullptr) return node.kernel->run();
  return node.work ? node.work() : CUDA_SUCCESS;
}

template <class Nodes>
auto find_node(Nodes& nodes, CUgraphNode handle) {
  return std::find_if(nodes.begin(), nodes.end(), [&](const GraphNode& node) { return node.handle == handle; });
}

}  // namespace

CUgraphNode Graph::add(GraphNode node) {
  node.handle = reinterpret_cast<CUgraphNode>(new_handle_number());
  const std::lock_guard lock(mutex_);
  nodes_.push_back(std::move(node));
  return nodes_.back().handle;
}

void Graph::keep(std::shared_ptr<void> memory) {
  const std::lock_guard lock(mutex_);
  kept_.push_back(std::move(memory));
}

bool Graph::has(CUgraphNode node) const {
  const std::lock_guard lock(mutex_);
  return find_node(nodes_, node) != nodes_.end();
}

bool Graph::all_before(const std::vector<CUgraphNode>& ends) const {
  std::set<CUgraphNode> reached(ends.begin(), ends.end());
  const std::lock_guard lock(mutex_);
  return std::all_of(nodes_.rbegin(), nodes_.rend(), [&](const GraphNode& node) {
    reached.insert(node.after.begin(), node.after.end());
    return reached.count(node.handle) != 0;
  });
}

std::vector<CUgraphNode> Graph::handles() const {
  const std::lock_guard lock(mutex_);
  std::vector<CUgraphNode> all;
  for (const GraphNode& node : nodes_) all.push_back(node.handle);
  return all;
}

std::shared_ptr<const PreparedLaunch> Graph::kernel(CUgraphNode node) const {
  const std::lock_guard lock(mutex_);
  const auto found = find_node(nodes_, node);
  return found == nodes_.end() ? nullptr : found->kernel;
}

void Graph::change(CUgraphNode node, std::shared_ptr<const PreparedLaunch> kernel) {
  const std::lock_guard lock(mutex_);
  const auto found = find_node(nodes_, node);
  if (found != nodes_.end()) found->kernel = std::move(kernel);
}

std::shared_ptr<Graph> Graph::copy() const {
  auto made = std::make_shared<Graph>();
  const std::lock_guard lock(mutex_);
  made->nodes_ = nodes_;
  made->kept_ = kept_;
  return made;
}

Work Graph::work() const {
  const std::lock_guard lock(mutex_);
  return [nodes = nodes_, kept = kept_] {
    for (const GraphNode& node : nodes)
      if (const CUresult result = run_node(node); result != CUDA_SUCCESS) return result;
    return CUDA_SUCCESS;
  };
}

std::shared_ptr<Graph> graph_with(CUgraphNode node) {
  for (const std::shared_ptr<Graph>& graph : Graphs::get().all())
    if (graph->has(node)) return graph;
  return nullptr;
}

}  // namespace kiln::emulator
