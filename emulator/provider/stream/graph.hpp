// Graphs.
#pragma once

#include "emulator/core/handle_table.hpp"
#include "emulator/provider/context/scheduler.hpp"
#include "emulator/provider/stream/launch.hpp"

#include <cstddef>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace kiln::emulator {

struct GraphNode {
  CUgraphNode handle = nullptr;
  /// What it is: "kernel", "memcpy", ..., with static storage.
  const char* kind = "empty";
  /// A kernel, whose parameters can be changed, or other work. Neither of them: an empty node.
  std::shared_ptr<const PreparedLaunch> kernel;
  Work work;
  /// Dependencies.
  std::vector<CUgraphNode> after;
};

/// A node is added after its dependencies, so the list is a valid order. The emulator runs the nodes one after the
/// other in that order. Thread-safe.
class Graph {
 public:
  CUgraphNode add(GraphNode node);
  /// Memory that the nodes use.
  void keep(std::shared_ptr<void> memory);

  bool has(CUgraphNode node) const;
  /// For each node: whether it is one of these or a dependency of one of them.
  bool all_before(const std::vector<CUgraphNode>& ends) const;
  std::vector<CUgraphNode> handles() const;
  /// Null for a handle that is not a kernel node.
  std::shared_ptr<const PreparedLaunch> kernel(CUgraphNode node) const;
  void change(CUgraphNode node, std::shared_ptr<const PreparedLaunch> kernel);

  /// Takes the work of another graph's nodes, where it has the same kinds of nodes in the same order.
  CUgraphExecUpdateResult update(const Graph& other);
  /// In the language of Graphviz.
  std::string dot() const;

  /// A copy for an executable graph, with the same node handles.
  std::shared_ptr<Graph> copy() const;
  /// All nodes in their current state, as one piece of work.
  Work work() const;

 private:
  /// The place of a node in the list; the lock must be held.
  std::size_t index_of(CUgraphNode node) const;
  std::vector<std::size_t> dependencies(const GraphNode& node) const;

  mutable std::mutex mutex_;
  std::vector<GraphNode> nodes_;
  std::vector<std::shared_ptr<void>> kept_;
};
using Graphs = HandleTable<CUgraph, Graph>;
using GraphExecs = HandleTable<CUgraphExec, Graph>;

/// Null if no graph has that node.
std::shared_ptr<Graph> graph_with(CUgraphNode node);

}  // namespace kiln::emulator
