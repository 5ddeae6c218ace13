// A CUDA graph and its executable form.
#pragma once

#include <cuda.h>

#include <cstddef>
#include <string>

namespace kiln::detail {

/// Of one context. Owns both; the destructor is quiet, and may be called while the graph runs.
class CapturedGraph {
 public:
  explicit CapturedGraph(CUcontext context) noexcept : context_(context) {}
  ~CapturedGraph();
  CapturedGraph(const CapturedGraph&) = delete;
  CapturedGraph& operator=(const CapturedGraph&) = delete;

  void instantiate();
  /// Gives the executable graph what the other one has, and takes that over.
  void update(CapturedGraph& other);
  void launch(CUstream stream) const;
  void upload(CUstream stream) const;
  void debug_dot_print(const std::string& file) const;
  std::size_t size() const;

  CUgraph* place() noexcept { return &graph_; }  ///< where the driver puts the graph
  CUgraph graph() const noexcept { return graph_; }
  CUgraphExec executable() const noexcept { return executable_; }

 private:
  CUcontext context_;
  CUgraph graph_ = nullptr;
  CUgraphExec executable_ = nullptr;
};

}  // namespace kiln::detail
