#include "tune/valid_configurations.hpp"

#include <algorithm>

namespace kiln {

std::optional<std::size_t> ValidConfigurations::find(const Configuration& configuration) const {
  const std::uint64_t rank = space_->rank(configuration);
  const auto found = std::lower_bound(ranks_.begin(), ranks_.end(), rank);
  if (found == ranks_.end() || *found != rank) return std::nullopt;
  return static_cast<std::size_t>(found - ranks_.begin());
}

std::vector<std::size_t> ValidConfigurations::along(const Configuration& configuration, std::size_t parameter) const {
  std::vector<std::size_t> found;
  Configuration other = configuration;
  for (std::uint32_t value = 0; value < space_->parameters()[parameter].values.size(); ++value) {
    other[parameter] = value;
    if (value == configuration[parameter]) continue;
    if (const auto number = find(other)) found.push_back(*number);
  }
  return found;
}

std::vector<std::size_t> ValidConfigurations::adjacent(std::size_t n) const {
  const Configuration configuration = nth(n);
  std::vector<std::size_t> all;
  for (std::size_t parameter = 0; parameter < configuration.size(); ++parameter) {
    // Numbers ascend with the parameter's value, so those below and above it are on either side of n.
    const std::vector<std::size_t> found = along(configuration, parameter);
    const auto above = std::upper_bound(found.begin(), found.end(), n);
    if (above != found.begin()) all.push_back(*(above - 1));
    if (above != found.end()) all.push_back(*above);
  }
  return all;
}

}  // namespace kiln
