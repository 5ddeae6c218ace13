// The arguments of a generated kernel: their count, the vectors' lengths, and how they lie to each other.
#pragma once

#include "generate/element_use.hpp"
#include "generate/index_range.hpp"
#include "generate/parameter_list.hpp"

#include <kiln/detail/vector_call.hpp>
#include <kiln/driver_types.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace kiln {

/// A value; thread-safe where it is not changed. All but the last three throw ArgumentError.
struct VectorArguments {
  std::string kernel;  // its name
  std::vector<GeneratedParameter> parameters;
  std::vector<ElementUse> uses;

  void check_count(std::size_t given) const;
  /// The number of elements of one argument; unknown_count if it does not give it. Throws nothing.
  std::size_t count_of(const detail::VectorCall& call, std::size_t k) const;
  /// Elements: the length of the vectors that are used at [i] alone, which must be one, else that of the first vector
  /// that knows its own; unknown_count where none does.
  std::size_t known_length(const detail::VectorCall& call) const;
  /// The same where one must know.
  std::size_t length(const detail::VectorCall& call) const;
  /// Whether the vectors that are used at [i] alone have all of these.
  void check_range(const detail::VectorCall& call, const IndexRange& range) const;

  /// Whether any vector goes through registers.
  bool is_staged() const;
  /// Whether these vectors can: they begin where words of 16 bytes do, and none that is written overlaps another one.
  /// `is_in_place_fit`: one that is the same may be.
  bool can_be_staged(const detail::VectorCall& call, std::size_t n, bool is_in_place_fit) const;
  /// Elements that a thread takes at once, as the source reckons it. Kernels are right with any number of threads, so
  /// that a pointer without a type does no harm.
  std::size_t lane_count(const detail::VectorCall& call) const;

 private:
  static bool is_host(const detail::VectorCall& call, std::size_t k);
  bool may_overlap(const detail::VectorCall& call, std::size_t k, std::size_t m, std::size_t n,
                   bool is_in_place_fit) const;
  [[noreturn]] void refuse_lengths(const detail::VectorCall& call, std::size_t one, std::size_t other) const;
};

}  // namespace kiln
