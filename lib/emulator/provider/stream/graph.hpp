// Graphs: work that is put together once and launched often.
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
  /// A kernel, whose parameters can be set anew, or any other work; neither: a node that only orders others.
  std::shared_ptr<const PreparedLaunch> kernel;
  Work work;
  /// What it follows, of a captured node.
  std::vector<CUgraphNode> after;
};

/// A node is added behind all that it depends on, so that the order of the list is one in which they can run; the
/// emulator runs them one after the other. Thread-safe.
class Graph {
 public:
  CUgraphNode add(GraphNode node);
  /// Memory that nodes use.
  void keep(std::shared_ptr<void> memory);

  bool has(CUgraphNode node) const;
  /// Whether each node is one of these, or comes before one of them.
  bool all_before(const std::vector<CUgraphNode>& ends) const;
  std::vector<CUgraphNode> handles() const;
  /// Null where there is no kernel node of that handle.
  std::shared_ptr<const PreparedLaunch> kernel(CUgraphNode node) const;
  void change(CUgraphNode node, std::shared_ptr<const PreparedLaunch> kernel);

  /// For an executable one: with the same handles of nodes.
  std::shared_ptr<Graph> copy() const;
  /// All nodes as they are now, as one piece of work.
  Work work() const;

 private:
  mutable std::mutex mutex_;
  std::vector<GraphNode> nodes_;
  std::vector<std::shared_ptr<void>> kept_;
};
using Graphs = HandleTable<CUgraph, Graph>;
using GraphExecs = HandleTable<CUgraphExec, Graph>;

/// Null where no graph has that node.
std::shared_ptr<Graph> graph_with(CUgraphNode node);

}  // namespace kiln::emulator
