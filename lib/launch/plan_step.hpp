// What a plan consists of: values that replays bring, windows, and the launches that use them.
#pragma once

#include "launch/kernel.hpp"

#include <kiln/launch_config.hpp>
#include <kiln/launch_plan.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace kiln {

/// Bytes that stay where they are, aligned as device code aligns every builtin type.
class PlanBytes {
 public:
  explicit PlanBytes(std::size_t size) : blocks_((size + sizeof(Block) - 1) / sizeof(Block)) {}
  void* data() noexcept { return blocks_.data(); }

 private:
  struct alignas(16) Block {
    std::byte bytes[16] = {};
  };
  std::vector<Block> blocks_;
};

/// A value that the kernels get, and the launches that use it.
struct PlanValue {
  std::string name;
  detail::ArgumentInfo info;
  PlanBytes bytes{info.size};
  std::vector<std::size_t> steps = {};

  /// Of a pointer's value.
  const void* pointer() noexcept {
    const void* result = nullptr;
    std::memcpy(&result, bytes.data(), sizeof result);
    return result;
  }
  /// The last launch of the plan does not use it after all.
  void forget(std::size_t step) noexcept {
    while (!steps.empty() && steps.back() == step) steps.pop_back();
  }
  /// Returns whether that changed anything.
  bool set(const void* value) noexcept {
    if (std::memcmp(bytes.data(), value, info.size) == 0) return false;
    std::memcpy(bytes.data(), value, info.size);
    return true;
  }
};

/// A range to keep in L2, from what `start` points to now.
struct PlanWindow {
  const void* constant;
  PlanValue* start;  // null for a constant
  std::size_t bytes;
  float hit_ratio;
};

/// A tensor map that follows a pointer.
struct PlanMap {
  TensorMap original;
  PlanValue* address;
  PlanValue* value;
  std::optional<const void*> placed;  // where the value's map points
};

/// One launch. Its stream is null: each replay has its own.
struct PlanStep {
  std::shared_ptr<Kernel> kernel;
  LaunchConfig config = {};
  std::vector<TextureReference> texrefs = {};          // which the configuration's view shows
  std::vector<CUlaunchAttribute> raw_attributes = {};  // likewise
  std::vector<PlanBytes> constants = {};
  std::vector<void*> arguments = {};   // into the constants and the plan's values
  const PlanWindow* window = nullptr;  // for a configuration without a window of its own
  bool own_window = false;
  // When, by the plan's clock.
  std::uint64_t changed = 0;
  std::uint64_t reconfigured = 0;

  void configure(const LaunchConfig& given) {
    // The caller keeps the references and the raw attributes until the launch is recorded.
    std::vector<TextureReference> kept;
    for (std::size_t i = 0; i < given.texrefs.size(); ++i) kept.push_back(given.texrefs[i]);
    const RawLaunchAttributes raw = given.attributes.raw;
    std::vector<CUlaunchAttribute> kept_raw(raw.data(), raw.data() + raw.size());
    texrefs = std::move(kept);
    raw_attributes = std::move(kept_raw);
    config = given;
    config.texrefs = texrefs;
    config.attributes.raw = raw_attributes;
    own_window = config.attributes.access_policy_window.bytes != 0;
  }
};

using PlanSteps = std::deque<PlanStep>;

}  // namespace kiln
