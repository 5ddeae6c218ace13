// Graphs.
#pragma once

#include "emulator/core/handle_table.hpp"
#include "emulator/provider/context/stream.hpp"
#include "emulator/provider/stream/launch.hpp"

#include <memory>
#include <mutex>
#include <vector>

namespace kiln::emulator {

struct GraphNode {
  CUgraphNode handle = nullptr;
  /// A kernel, whose parameters can be changed, or other work. Neither of them: an empty node.
  std::shared_ptr<const PreparedLaunch> kernel;
  Work work;
  /// Dependencies of a captured node.
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

  /// A copy for an executable graph, with the same node handles.
  std::shared_ptr<Graph> copy() const;
  /// All nodes in their current state, as one piece of work.
  Work work() const;

 private:
  mutable std::mutex mutex_;
  std::vector<GraphNode> nodes_;
  std::vector<std::shared_ptr<void>> kept_;
};
using Graphs = HandleTable<CUgraph, Graph>;
using GraphExecs = HandleTable<CUgraphExec, Graph>;

/// Null if no graph has that node.
std::shared_ptr<Graph> graph_with(CUgraphNode node);

}  // namespace kiln::emulator
