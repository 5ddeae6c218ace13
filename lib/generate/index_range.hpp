// The indices that a Slice stands for.
#pragma once

#include <kiln/slice.hpp>

#include <cstddef>
#include <string>

namespace kiln {

struct IndexRange {
  long start = 0, stop = 0, step = 1;

  std::size_t count() const;
  /// After the highest index.
  long end() const;
  /// Whether a vector of so many elements has all of them.
  bool is_within(std::size_t length) const;
  std::string text() const;  // "5:1:-2"
};

// They throw ArgumentError for a step of 0, naming the kernel.

/// As it is: what is left out is 0 or 1; a stop must be given.
IndexRange index_range(const Slice& slice, const std::string& kernel);
/// As Python's slice.indices() of a sequence of so many elements.
IndexRange clipped_range(const Slice& slice, std::size_t length, const std::string& kernel);

}  // namespace kiln
