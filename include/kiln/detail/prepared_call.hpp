// What the calls of a PreparedFunction do with a configuration.
#pragma once

#include <kiln/driver_types.hpp>
#include <kiln/launch_config.hpp>

#include <type_traits>

namespace kiln::detail {

/// The configuration with another block and stream. Most have no attributes, and a copy of the whole that was filled
/// just before costs some 30 ns.
inline LaunchConfig changed(const LaunchConfig& config, const BlockDim& block, CUstream stream) {
  LaunchConfig result{config.grid, block, config.shared_size, stream, {}, config.texrefs};
  if (config.attributes.any()) result.attributes = config.attributes;
  return result;
}

/// A template parameter never takes braces: those are the grid's.
template <class Config>
using IfLaunchConfig = std::enable_if_t<std::is_same_v<Config, LaunchConfig>>;

}  // namespace kiln::detail
