#include "memory/captured_graph.hpp"

#include "base/argument_error.hpp"
#include "memory/asynchronous_error.hpp"
#include "memory/stream_context.hpp"

#include <utility>

namespace kiln::detail {

namespace {

std::string operations(std::size_t count) {
  return std::to_string(count) + (count == 1 ? " operation" : " operations");
}

/// What the driver has against an update.
const char* update_fault(CUgraphExecUpdateResult result) {
  switch (result) {
    case CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED:
      return "its operations are others in number, or wait for each other in another way";
    case CU_GRAPH_EXEC_UPDATE_ERROR_NODE_TYPE_CHANGED:
      return "an operation is of another kind, such as a copy where a launch was";
    case CU_GRAPH_EXEC_UPDATE_ERROR_FUNCTION_CHANGED:
    case CU_GRAPH_EXEC_UPDATE_ERROR_UNSUPPORTED_FUNCTION_CHANGE:
      return "a launch is of another kernel, in a way that the driver cannot take over";
    case CU_GRAPH_EXEC_UPDATE_ERROR_PARAMETERS_CHANGED:
      return "an operation differs in what cannot be changed, such as the device or the kind of memory of a copy";
    case CU_GRAPH_EXEC_UPDATE_ERROR_ATTRIBUTES_CHANGED:
      return "a launch has other attributes, such as a cluster";
    case CU_GRAPH_EXEC_UPDATE_ERROR_NOT_SUPPORTED:
      return "it has an operation that no update can change, such as an allocation";
    default:
      return nullptr;
  }
}

}  // namespace

CapturedGraph::~CapturedGraph() {
  release_in(context_, [this](const DriverExtras& driver) {
    if (executable_ != nullptr) (void)driver.graph_exec_destroy(executable_);
    return graph_ != nullptr ? driver.graph_destroy(graph_) : CUDA_SUCCESS;
  });
}

void CapturedGraph::instantiate() {
  const ContextGuard guard(context_);
  check_work(DriverExtras::get().graph_instantiate_with_flags(&executable_, graph_, 0), "cuGraphInstantiateWithFlags");
}

void CapturedGraph::update(CapturedGraph& other) {
  const ContextGuard guard(context_);
  CUgraphExecUpdateResultInfo info = {};
  const int result = DriverExtras::get().graph_exec_update(executable_, other.graph_, &info);
  if (const char* const fault = update_fault(info.result); result != CUDA_SUCCESS && fault != nullptr)
    refuse("Graph::update", "the operations of the graph, " + operations(size()), operations(other.size()),
           std::string(": ") + fault + "; capture() makes a new graph of it");
  check_work(result, "cuGraphExecUpdate");
  std::swap(graph_, other.graph_);
}

void CapturedGraph::launch(CUstream stream) const {
  const DriverExtras& driver = DriverExtras::get();
  check_work(in_stream_context(stream, [&] { return driver.graph_launch(executable_, stream); }), "cuGraphLaunch");
}

void CapturedGraph::upload(CUstream stream) const {
  const DriverExtras& driver = DriverExtras::get();
  check_work(in_stream_context(stream, [&] { return driver.graph_upload(executable_, stream); }), "cuGraphUpload");
}

void CapturedGraph::debug_dot_print(const std::string& file) const {
  const ContextGuard guard(context_);
  const auto flags = static_cast<unsigned>(CU_GRAPH_DEBUG_DOT_FLAGS_VERBOSE);
  check_work(DriverExtras::get().graph_debug_dot_print(graph_, file.c_str(), flags), "cuGraphDebugDotPrint",
             " to \"" + file + "\"");
}

std::size_t CapturedGraph::size() const {
  std::size_t count = 0;
  check_work(DriverExtras::get().graph_get_nodes(graph_, nullptr, &count), "cuGraphGetNodes");
  return count;
}

}  // namespace kiln::detail
