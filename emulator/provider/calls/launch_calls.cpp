// Launches.
#include "emulator/provider/code/function.hpp"
#include "emulator/provider/context/call.hpp"
#include "emulator/provider/context/stream_state.hpp"
#include "emulator/provider/stream/capture.hpp"
#include "emulator/provider/stream/launch.hpp"
#include "emulator/provider/stream/launch_attributes.hpp"

namespace {

using namespace kiln::emulator;

CUresult launch(CUfunction function, const LaunchSizes& sizes, CUstream handle, void** params, void** extra) {
  const StreamPtr stream = stream_of(handle);
  const std::shared_ptr<const PreparedLaunch> prepared =
      prepare_launch(function, stream->context, sizes, params, extra);
  if (prepared->function->context != &stream->context)
    throw CallError(CUDA_ERROR_INVALID_HANDLE, "");  // Kiln then gets the function of that context
  if (const std::shared_ptr<Capture> capture = capture_of(*stream)) {
    GraphNode node;
    node.kernel = prepared;
    node.kind = "kernel";
    add_captured(*capture, *stream, std::move(node));
  } else {
    (void)append(*stream, [prepared] { return prepared->run(); });
  }
  return CUDA_SUCCESS;
}

}  // namespace

KILN_EMULATOR_API cuLaunchKernel(CUfunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                                 unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared_bytes,
                                 CUstream stream, void** params, void** extra) {
  return call(__func__, [&] {
    const LaunchSizes sizes{{grid_x, grid_y, grid_z}, {block_x, block_y, block_z}, shared_bytes};
    return launch(function, sizes, stream, params, extra);
  });
}

KILN_EMULATOR_API cuLaunchKernelEx(const CUlaunchConfig* config, CUfunction function, void** params, void** extra) {
  return call(__func__, [&] {
    require(config != nullptr && (config->numAttrs == 0 || config->attrs != nullptr));
    LaunchSizes sizes{{config->gridDimX, config->gridDimY, config->gridDimZ},
                      {config->blockDimX, config->blockDimY, config->blockDimZ},
                      config->sharedMemBytes};
    for (unsigned i = 0; i < config->numAttrs; ++i) take_attribute(sizes, config->attrs[i].id, config->attrs[i].value);
    const std::vector<EventPtr> events = events_of(*config);
    const CUresult result = launch(function, sizes, config->hStream, params, extra);
    // A trigger in the blocks has happened when the whole launch is done.
    for (const EventPtr& event : events) record(*event, *stream_of(config->hStream));
    return result;
  });
}

KILN_EMULATOR_API cuLaunchCooperativeKernel(CUfunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                                            unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared_bytes,
                                            CUstream stream, void** params) {
  return call(__func__, [&] {
    const LaunchSizes sizes{{grid_x, grid_y, grid_z}, {block_x, block_y, block_z}, shared_bytes, true};
    return launch(function, sizes, stream, params, nullptr);
  });
}
