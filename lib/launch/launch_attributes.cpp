#include "launch/launch_attributes.hpp"

#include "toolkit/driver/driver_extras.hpp"

#include <algorithm>

namespace kiln {

namespace {

CUaccessPolicyWindow window_of(const AccessPolicyWindow& window) {
  CUaccessPolicyWindow result = {};
  result.base_ptr = const_cast<void*>(window.pointer);
  result.num_bytes = window.bytes;
  result.hitRatio = window.hit_ratio;
  result.hitProp = static_cast<CUaccessProperty>(window.hit);
  result.missProp = static_cast<CUaccessProperty>(window.miss);
  return result;
}

}  // namespace

AttributeList::AttributeList(const LaunchAttributes& wanted) {
  if (wanted.cluster != Dim3{}) {
    auto& dimension = add(CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION).clusterDim;
    dimension.x = wanted.cluster.x;
    dimension.y = wanted.cluster.y;
    dimension.z = wanted.cluster.z;
  }
  if (wanted.cooperative) add(CU_LAUNCH_ATTRIBUTE_COOPERATIVE).cooperative = 1;
  if (wanted.programmatic_stream_serialization)
    add(CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION).programmaticStreamSerializationAllowed = 1;
  if (wanted.programmatic_event.event != nullptr) {
    auto& event = add(CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_EVENT).programmaticEvent;
    event.event = wanted.programmatic_event.event;
    event.flags = 0;
    event.triggerAtBlockStart = wanted.programmatic_event.trigger_at_block_start ? 1 : 0;
  }
  if (wanted.priority) add(CU_LAUNCH_ATTRIBUTE_PRIORITY).priority = *wanted.priority;
  if (wanted.mem_sync_domain)
    add(CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN).memSyncDomain =
        static_cast<CUlaunchMemSyncDomain>(*wanted.mem_sync_domain);
  if (wanted.shared_memory_carveout)
    add(CU_LAUNCH_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT).sharedMemCarveout =
        static_cast<unsigned>(*wanted.shared_memory_carveout);
  if (wanted.access_policy_window.bytes != 0)
    add(CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW).accessPolicyWindow = window_of(wanted.access_policy_window);
  const std::size_t raw = std::min(wanted.raw.size(), most_raw_attributes);  // more is refused before
  for (std::size_t i = 0; i < raw; ++i) attributes_[count_++] = wanted.raw.data()[i];
}

CUlaunchAttributeValue& AttributeList::add(CUlaunchAttributeID id) {
  CUlaunchAttribute& attribute = attributes_[count_++];
  attribute = {};
  attribute.id = id;
  return attribute.value;
}

DriverConfig::DriverConfig(const LaunchConfig& config) : attributes_(config.attributes) {
  launch_.gridDimX = config.grid.x;
  launch_.gridDimY = config.grid.y;
  launch_.gridDimZ = config.grid.z;
  launch_.blockDimX = config.block.x;
  launch_.blockDimY = config.block.y;
  launch_.blockDimZ = config.block.z;
  launch_.sharedMemBytes = static_cast<unsigned>(config.shared_size);
  launch_.hStream = config.stream;
  launch_.attrs = attributes_.data();
  launch_.numAttrs = attributes_.count();
}

CUresult launch_with_attributes(CUfunction function, const LaunchConfig& config, void** arguments) {
  const DriverConfig launch(config);
  return DriverExtras::get().launch_kernel_ex(launch.get(), function, arguments, nullptr);
}

}  // namespace kiln
