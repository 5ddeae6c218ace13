// Graphs: work that is put together once and launched often.
#pragma once

#include "emulator/provider/handle_table.hpp"
#include "emulator/provider/launch.hpp"
#include "emulator/provider/stream.hpp"

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

namespace kiln::emulator {

struct GraphNode {
  CUgraphNode handle = nullptr;
  /// A kernel whose parameters can be set anew, or any other work; neither: a node that only orders others.
  std::shared_ptr<const PreparedLaunch> kernel;
  Work work;
};

/// A node comes behind all that it depends on, so that the order of the list is an order in which they can run; the
/// emulator runs them one after the other.
struct Graph {
  std::mutex mutex;
  std::vector<GraphNode> nodes;

  CUgraphNode add(GraphNode node);
};
using Graphs = HandleTable<CUgraph, Graph>;
using GraphExecs = HandleTable<CUgraphExec, Graph>;

/// All nodes of now, as one piece of work.
Work work_of(Graph& graph);

}  // namespace kiln::emulator
