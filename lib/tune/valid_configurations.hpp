// All valid configurations of a space, numbered.
#pragma once

#include "tune/search_space.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace kiln {

/// In the order of the parameters' values, the last parameter the fastest; 8 bytes each. Immutable, so that all threads
/// may use it. The space must outlive it.
class ValidConfigurations {
 public:
  /// Goes through the whole space.
  explicit ValidConfigurations(const SearchSpace& space) : space_(&space), ranks_(space.valid_ranks(&fault_)) {}

  const SearchSpace& space() const noexcept { return *space_; }
  /// Why one of the others is not valid for which a restriction could not be evaluated; empty where there is none.
  const std::string& fault() const noexcept { return fault_; }
  std::size_t count() const noexcept { return ranks_.size(); }
  Configuration nth(std::size_t n) const { return space_->at_rank(ranks_[n]); }
  /// The number of a configuration; none where it is not valid.
  std::optional<std::size_t> find(const Configuration& configuration) const;
  /// Of the valid ones that differ in that parameter alone, in the order of its values.
  std::vector<std::size_t> along(const Configuration& configuration, std::size_t parameter) const;
  /// Those that differ in one parameter, whichever, whose value is the nearest valid one below or above.
  std::vector<std::size_t> adjacent(std::size_t n) const;

 private:
  const SearchSpace* space_;
  std::string fault_;  // before the ranks, which set it
  std::vector<std::uint64_t> ranks_;
};

}  // namespace kiln
