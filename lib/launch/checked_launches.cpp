#include "launch/attribute_check.hpp"

#include <array>

namespace kiln {

namespace {

struct Checked {
  std::uint64_t kernel = 0;  // 0 for none
  int device = 0;
  LaunchConfig config;
};

bool same_window(const AccessPolicyWindow& a, const AccessPolicyWindow& b) {
  return a.bytes == b.bytes && a.hit_ratio == b.hit_ratio && a.hit == b.hit && a.miss == b.miss &&
         (a.pointer == nullptr) == (b.pointer == nullptr);
}

bool same_attributes(const LaunchAttributes& a, const LaunchAttributes& b) {
  return a.cluster == b.cluster && a.cooperative == b.cooperative &&
         a.programmatic_stream_serialization == b.programmatic_stream_serialization &&
         a.programmatic_event.event == b.programmatic_event.event && a.priority == b.priority &&
         a.mem_sync_domain == b.mem_sync_domain && a.shared_memory_carveout == b.shared_memory_carveout &&
         same_window(a.access_policy_window, b.access_policy_window);
}

bool same_demands(const LaunchConfig& a, const LaunchConfig& b) {
  return a.grid == b.grid && a.block == b.block && a.shared_size == b.shared_size && a.attributes.raw.empty() &&
         b.attributes.raw.empty() && same_attributes(a.attributes, b.attributes);
}

/// The one slot for such a launch: programs that launch a few kernels in turn find them all.
Checked& place_of(const LaunchConfig& config, std::uint64_t kernel) {
  constexpr std::size_t places = 16;
  thread_local std::array<Checked, places> checked;
  return checked[(kernel * 5 + config.grid.x + config.block.x / 32) % places];
}

}  // namespace

bool was_checked(const LaunchConfig& config, std::uint64_t kernel, int device) noexcept {
  const Checked& checked = place_of(config, kernel);
  return checked.kernel == kernel && checked.device == device && same_demands(checked.config, config);
}

void note_checked(const LaunchConfig& config, std::uint64_t kernel, int device) noexcept {
  place_of(config, kernel) = {kernel, device, config};
}

}  // namespace kiln
