#include "emulator/provider/stream/launch_attributes.hpp"

#include "emulator/provider/context/call.hpp"

namespace kiln::emulator {

void take_attribute(LaunchSizes& sizes, CUlaunchAttributeID id, const CUlaunchAttributeValue& value) {
  switch (id) {
    case CU_LAUNCH_ATTRIBUTE_COOPERATIVE:
      sizes.cooperative = value.cooperative != 0;
      return;
    case CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION:
      require(value.clusterDim.x != 0 && value.clusterDim.y != 0 && value.clusterDim.z != 0);
      sizes.cluster = Dim3{value.clusterDim.x, value.clusterDim.y, value.clusterDim.z};
      return;
    // Programmatic launches may start early, but need not. All other attributes are hints.
    case CU_LAUNCH_ATTRIBUTE_IGNORE:
    case CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW:
    case CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY:
    case CU_LAUNCH_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE:
    case CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION:
    case CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_EVENT:
    case CU_LAUNCH_ATTRIBUTE_PRIORITY:
    case CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP:
    case CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN:
    case CU_LAUNCH_ATTRIBUTE_LAUNCH_COMPLETION_EVENT:
    case CU_LAUNCH_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT:
      return;
    default:
      throw CallError(not_supported("a launch", ("launch attribute " + std::to_string(id)).c_str()), "");
  }
}

std::vector<EventPtr> events_of(const CUlaunchConfig& config) {
  std::vector<EventPtr> events;
  for (unsigned i = 0; i < config.numAttrs; ++i) {
    const CUlaunchAttribute& attribute = config.attrs[i];
    CUevent event = nullptr;
    if (attribute.id == CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_EVENT) event = attribute.value.programmaticEvent.event;
    if (attribute.id == CU_LAUNCH_ATTRIBUTE_LAUNCH_COMPLETION_EVENT)
      event = attribute.value.launchCompletionEvent.event;
    if (event == nullptr) continue;
    events.push_back(event_of(event));
    require((events.back()->flags & CU_EVENT_DISABLE_TIMING) != 0, "a launch records events without timing only");
  }
  return events;
}

}  // namespace kiln::emulator
