#include <kiln/graph.hpp>

#include "base/argument_error.hpp"
#include "memory/captured_graph.hpp"

#include <utility>

namespace kiln {

Graph::Graph(std::shared_ptr<detail::CapturedGraph> captured) : captured_(std::move(captured)) {
  captured_->instantiate();
}

detail::CapturedGraph& Graph::captured() const {
  if (captured_ == nullptr)
    throw_argument_error("Graph: this graph was moved from: use the one it was moved to", "a graph",
                         "one that was moved from");
  return *captured_;
}

void Graph::launch(CUstream stream) const { captured().launch(stream); }
void Graph::take(detail::CapturedGraph& again) { captured().update(again); }
void Graph::upload(CUstream stream) const { captured().upload(stream); }
void Graph::debug_dot_print(const std::filesystem::path& file) const { captured().debug_dot_print(file.string()); }
std::size_t Graph::size() const { return captured().size(); }
CUgraph Graph::graph() const { return captured().graph(); }
CUgraphExec Graph::executable() const { return captured().executable(); }

}  // namespace kiln
