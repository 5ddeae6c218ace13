// Which of a list's configurations nobody has been given yet.
#pragma once

#include "tune/random_numbers.hpp"

#include <cstddef>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

namespace kiln {

/// Numbers below a count, each taken once. For one thread.
class Untried {
 public:
  explicit Untried(std::size_t count) : is_tried_(count), bag_(count) { std::iota(bag_.begin(), bag_.end(), 0); }

  bool has(std::size_t number) const { return !is_tried_[number]; }
  void take(std::size_t number) { is_tried_[number] = true; }

  /// Takes any, each as likely as the others; none where all are taken.
  std::optional<std::size_t> take_any(RandomNumbers& random) {
    while (!bag_.empty()) {
      std::swap(bag_[random.below(bag_.size())], bag_.back());
      const std::size_t number = bag_.back();
      bag_.pop_back();
      if (!has(number)) continue;  // taken by its number
      take(number);
      return number;
    }
    return std::nullopt;
  }

 private:
  std::vector<bool> is_tried_;
  std::vector<std::size_t> bag_;
};

}  // namespace kiln
