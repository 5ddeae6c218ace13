#include "launch/timed_launch.hpp"

#include "launch/event_pair.hpp"
#include "launch/host_transfer.hpp"

#include <optional>

namespace kiln {

double timed_launch(Kernel& kernel, const LaunchConfig& config, void** arguments, const detail::HostSlots& slots) {
  const CUcontext context = stream_context(config.stream);  // events must be of the stream's own context
  const ContextGuard guard(context);
  EventPair events(context);
  std::optional<HostTransfer> transfer;
  if (slots.count != 0) transfer.emplace(config.stream, slots).begin();
  events.start().record(config.stream);
  kernel.launch(config, arguments);
  events.end().record(config.stream);
  if (transfer) transfer->finish(true);
  events.end().synchronize();
  return static_cast<double>(events.end().time_since(events.start())) / 1000;
}

}  // namespace kiln
