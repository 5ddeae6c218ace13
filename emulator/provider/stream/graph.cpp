#include "emulator/provider/stream/graph.hpp"

#include "emulator/provider/code/function.hpp"

#include <algorithm>
#include <set>
#include <string_view>
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

std::size_t Graph::index_of(CUgraphNode node) const {
  return static_cast<std::size_t>(find_node(nodes_, node) - nodes_.begin());
}

std::vector<std::size_t> Graph::dependencies(const GraphNode& node) const {
  std::vector<std::size_t> indices;
  for (CUgraphNode before : node.after) indices.push_back(index_of(before));
  std::sort(indices.begin(), indices.end());
  return indices;
}

CUgraphExecUpdateResult Graph::update(const Graph& other) {
  const std::scoped_lock lock(mutex_, other.mutex_);
  if (nodes_.size() != other.nodes_.size()) return CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED;
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    if (dependencies(nodes_[i]) != other.dependencies(other.nodes_[i]))
      return CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED;
    if (std::string_view(nodes_[i].kind) != other.nodes_[i].kind) return CU_GRAPH_EXEC_UPDATE_ERROR_NODE_TYPE_CHANGED;
  }
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    nodes_[i].kernel = other.nodes_[i].kernel;
    nodes_[i].work = other.nodes_[i].work;
  }
  kept_ = other.kept_;
  return CU_GRAPH_EXEC_UPDATE_SUCCESS;
}

std::string Graph::dot() const {
  const std::lock_guard lock(mutex_);
  std::string text = "digraph dot {\n";
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    const GraphNode& node = nodes_[i];
    const std::string name = node.kernel == nullptr ? node.kind : node.kernel->function->kernel->name;
    text += "  node_" + std::to_string(i) + " [label=\"" + name + "\"];\n";
    for (const std::size_t before : dependencies(node))
      text += "  node_" + std::to_string(before) + " -> node_" + std::to_string(i) + ";\n";
  }
  return text + "}\n";
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
