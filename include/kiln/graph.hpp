// Graph: work that was captured from a stream once, replayed by one call.
#pragma once

#include <kiln/detail/stream_capture.hpp>
#include <kiln/driver_types.hpp>
#include <kiln/export.hpp>

#include <cstddef>
#include <filesystem>
#include <memory>
#include <utility>

typedef struct CUgraph_st* CUgraph;
typedef struct CUgraphExec_st* CUgraphExec;

namespace kiln {

/// What a stream was given while capture() ran: launches, copies, fills, a LaunchPlan's replays, what other libraries
/// put there. Owns the CUDA graph and its executable form; keeps nothing else: modules, device memory, and the host
/// memory of copies must stay as long as it is launched. Movable, not copyable. One thread at a time may use a graph;
/// the destructor may be called while it runs, never throws, and is safe at process exit. Members throw DriverError
/// where the driver fails, and ArgumentError where the graph was moved from. Counterpart: CUgraph and CUgraphExec;
/// PyCUDA has none.
class KILN_EXPORT Graph {
 public:
  Graph(Graph&& other) noexcept = default;
  Graph& operator=(Graph&& other) noexcept = default;

  /// Puts all the work into `stream`, which may be another one than it was captured from; null is the legacy default
  /// stream. Returns when the driver has taken it. Launches of one graph run one after the other. Counterpart:
  /// cuGraphLaunch.
  void launch(CUstream stream) const;
  /// Captures the work again and takes its arguments over: much cheaper than a new graph. A replay that was launched
  /// before keeps the former ones. The work must have the same operations in the same order, and may launch other
  /// kernels where the driver takes them in place of the former ones: those of the same context, and no kernel that
  /// launches kernels. Else this throws ArgumentError that says what differs, and capture() makes a new graph. Throws
  /// as capture() does, too; the graph is then as before, unless the driver refused an argument of one operation after
  /// others. Counterpart: cuGraphExecUpdate.
  template <class Work>
  void update(CUstream stream, Work&& work) {
    detail::StreamCapture capture(stream);
    std::forward<Work>(work)();
    take(*capture.end());
  }
  /// Brings the graph to its device, in the stream's order, so that the first launch need not. Counterpart:
  /// cuGraphUpload.
  void upload(CUstream stream) const;
  /// Writes the graph as a text of Graphviz, with what the driver knows of each operation. Replaces the file.
  /// Counterpart: cuGraphDebugDotPrint.
  void debug_dot_print(const std::filesystem::path& file) const;
  /// How many operations (nodes) it has.
  std::size_t size() const;

  /// For calls of the driver's own; they stay the Graph's. update() replaces the first of them.
  /// @{
  CUgraph graph() const;
  CUgraphExec executable() const;
  /// @}

 private:
  template <class Work>
  friend Graph capture(CUstream stream, Work&& work);
  explicit Graph(std::shared_ptr<detail::CapturedGraph> captured);

  void take(detail::CapturedGraph& captured);
  detail::CapturedGraph& captured() const;
  std::shared_ptr<detail::CapturedGraph> captured_;
};

/// Captures what `work`, a callable without parameters, puts into `stream`, and runs none of it:
///
///   kiln::Graph graph = kiln::capture(stream, [&] {
///     x.copy_from(input, stream);
///     scale({4, 256, 0, stream}, x, 2.0f, n);
///     x.copy_to(output, stream);
///   });
///   graph.launch(stream);
///
/// Other streams take part by events: they wait for one that was recorded in `stream`, which at the end waits for one
/// of theirs. What waits, allocates with the device waiting (cuMemAlloc) or uses the legacy default stream cannot be
/// captured: its own call throws, and so does this. Whatever `work` throws ends the capture, drops what was captured,
/// and leaves the stream as it was before. Calls of other threads are not restricted
/// (CU_STREAM_CAPTURE_MODE_THREAD_LOCAL). Throws ArgumentError for the legacy default stream, DriverError where the
/// driver refuses. Counterpart: cuStreamBeginCapture, cuStreamEndCapture and cuGraphInstantiate.
template <class Work>
Graph capture(CUstream stream, Work&& work) {
  detail::StreamCapture capture(stream);
  std::forward<Work>(work)();
  return Graph(capture.end());
}

}  // namespace kiln
