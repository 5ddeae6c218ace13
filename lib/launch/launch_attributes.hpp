// Launches with attributes.
#pragma once

#include "toolkit/driver/driver.hpp"

#include <kiln/launch_config.hpp>

#include <array>
#include <cstddef>

namespace kiln {

/// How many attributes of the driver's own a launch may have.
constexpr std::size_t most_raw_attributes = 16;

/// The attributes of a configuration as the driver takes them; also those of a graph's node.
class AttributeList {
 public:
  explicit AttributeList(const LaunchAttributes& attributes);

  unsigned count() const noexcept { return static_cast<unsigned>(count_); }
  CUlaunchAttribute* data() noexcept { return attributes_.data(); }

 private:
  CUlaunchAttributeValue& add(CUlaunchAttributeID id);

  std::array<CUlaunchAttribute, 8 + most_raw_attributes> attributes_;
  std::size_t count_ = 0;
};

/// A configuration as the driver takes it.
class DriverConfig {
 public:
  explicit DriverConfig(const LaunchConfig& config);
  DriverConfig(const DriverConfig&) = delete;
  DriverConfig& operator=(const DriverConfig&) = delete;

  const CUlaunchConfig* get() const noexcept { return &launch_; }

 private:
  AttributeList attributes_;
  CUlaunchConfig launch_ = {};
};

/// cuLaunchKernelEx with everything that the configuration requests. Allocates nothing.
CUresult launch_with_attributes(CUfunction function, const LaunchConfig& config, void** arguments);

}  // namespace kiln
