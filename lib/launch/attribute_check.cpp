#include "launch/attribute_check.hpp"

#include "launch/cluster_check.hpp"
#include "launch/launch_attributes.hpp"
#include "memory/context.hpp"
#include "toolkit/driver/driver_extras.hpp"

#include <kiln/device.hpp>

#include <algorithm>

namespace kiln {

namespace {

std::string on_device(const KernelOnDevice& kernel) {
  const auto [major, minor] = Device(kernel.device).compute_capability();
  return " (device " + std::to_string(kernel.device) + " has compute capability " + std::to_string(major) + "." +
         std::to_string(minor) + ")";
}

void check_programmatic(const LaunchAttributes& attributes, const KernelOnDevice& kernel) {
  const bool event = attributes.programmatic_event.event != nullptr;
  if (!event && !attributes.programmatic_stream_serialization) return;
  if (device_compute_capability(kernel.device) < 90)
    throw_limit(kernel.name, event ? "programmatic_event" : "programmatic_stream_serialization",
                "a device of compute capability 9.0 or more", "device " + std::to_string(kernel.device),
                on_device(kernel) + "; leave the attribute out there: the launch then waits for the one before it");
}

void check_carveout(const LaunchAttributes& attributes, const KernelOnDevice& kernel) {
  if (!attributes.shared_memory_carveout) return;
  const int percent = *attributes.shared_memory_carveout;
  if (percent >= 0 && percent <= 100) return;
  throw_limit(kernel.name, "shared_memory_carveout", "0 to 100 percent", std::to_string(percent),
              "; leave it unset for the driver's own choice");
}

void check_mem_sync_domain(const LaunchAttributes& attributes, const KernelOnDevice& kernel) {
  if (!attributes.mem_sync_domain) return;
  const int domain = static_cast<int>(*attributes.mem_sync_domain);
  if (domain < 0 || domain > 1)
    throw_limit(kernel.name, "mem_sync_domain", "MemSyncDomain::normal or remote", std::to_string(domain), "");
}

void check_window(const AccessPolicyWindow& window, const KernelOnDevice& kernel) {
  if (window.bytes == 0) return;
  if (window.pointer == nullptr)
    throw_limit(kernel.name, "access_policy_window.pointer", "an address in device memory", "null", "");
  if (!(window.hit_ratio >= 0 && window.hit_ratio <= 1))
    throw_limit(kernel.name, "access_policy_window.hit_ratio", "0 to 1", std::to_string(window.hit_ratio),
                "; it is the share of the window's accesses that get `hit`");
  if (window.miss == AccessProperty::persisting)
    throw_limit(kernel.name, "access_policy_window.miss", "AccessProperty::normal or streaming", "persisting",
                "; the accesses that are to persist get `hit`");
  const int limit = Device(kernel.device).attribute(CU_DEVICE_ATTRIBUTE_MAX_ACCESS_POLICY_WINDOW_SIZE);
  if (limit <= 0)
    throw_limit(kernel.name, "access_policy_window", "a device that keeps lines in L2 (compute capability 8.0 or more)",
                "device " + std::to_string(kernel.device), on_device(kernel) + "; leave the attribute out there");
  if (window.bytes > static_cast<std::size_t>(limit))
    throw_limit(kernel.name, "access_policy_window.bytes", "at most " + std::to_string(limit) + " bytes",
                std::to_string(window.bytes) + " bytes",
                " (CU_DEVICE_ATTRIBUTE_MAX_ACCESS_POLICY_WINDOW_SIZE of device " + std::to_string(kernel.device) +
                    "); lay the window over the part that is read most");
}

void check_raw(const LaunchAttributes& attributes, const KernelOnDevice& kernel) {
  const std::size_t count = attributes.raw.size();
  if (count == 0) return;
  if (count > most_raw_attributes)
    throw_limit(kernel.name, "attributes.raw", "at most " + std::to_string(most_raw_attributes) + " attributes",
                std::to_string(count), "");
  AttributeList all(attributes);
  const CUlaunchAttribute* const end = all.data() + all.count();
  for (const CUlaunchAttribute* raw = end - count; raw != end; ++raw)
    if (std::any_of(static_cast<const CUlaunchAttribute*>(all.data()), raw,
                    [&](const CUlaunchAttribute& other) { return other.id == raw->id; }))
      throw_limit(kernel.name, "attributes.raw", "each CUlaunchAttributeID once, here or by its own member",
                  "number " + std::to_string(static_cast<int>(raw->id)) + " twice", "");
}

}  // namespace

void check_attributes(const LaunchConfig& config, const KernelOnDevice& kernel) {
  const LaunchAttributes& attributes = config.attributes;
  check_cluster(config, kernel);
  check_cooperative(config, kernel);
  check_programmatic(attributes, kernel);
  check_carveout(attributes, kernel);
  check_mem_sync_domain(attributes, kernel);
  check_window(attributes.access_policy_window, kernel);
  check_raw(attributes, kernel);
}

void throw_refused_event(int result, const KernelOnDevice& kernel) {
  throw_limit(kernel.name, "programmatic_event",
              "an event made without timing (CU_EVENT_DISABLE_TIMING), of the launch's device and this process",
              "one that cuLaunchKernelEx refuses with " + driver_result_name(result), "");
}

std::string describe_attributes(const LaunchAttributes& attributes) {
  std::string list;
  const auto add = [&](const std::string& text) { list += (list.empty() ? "; attributes: " : ", ") + text; };
  if (attributes.cluster != Dim3{}) add("cluster " + text_of(attributes.cluster));
  if (attributes.cooperative) add("cooperative");
  if (attributes.programmatic_stream_serialization) add("programmatic_stream_serialization");
  if (attributes.programmatic_event.event != nullptr) add("programmatic_event");
  if (attributes.priority) add("priority " + std::to_string(*attributes.priority));
  if (attributes.mem_sync_domain)
    add("mem_sync_domain " + std::to_string(static_cast<int>(*attributes.mem_sync_domain)));
  if (attributes.shared_memory_carveout)
    add("shared_memory_carveout " + std::to_string(*attributes.shared_memory_carveout));
  if (attributes.access_policy_window.bytes != 0)
    add("access_policy_window of " + std::to_string(attributes.access_policy_window.bytes) + " bytes");
  for (std::size_t i = 0; i < attributes.raw.size(); ++i)
    add("raw attribute " + std::to_string(static_cast<int>(attributes.raw.data()[i].id)));
  return list;
}

}  // namespace kiln
