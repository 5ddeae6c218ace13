// What a program says of a kernel that can be tuned.
#pragma once

#include "tune/search_space.hpp"

#include <kiln/compile_options.hpp>

#include <array>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace kiln {

/// Sizes in x, y and z as expressions.
using SizeTexts = std::array<std::string, 3>;

/// A plain value.
struct TunableDefinition {
  std::string source;
  std::string name;        // as it was given: "matmul<TYPE, TILE>"
  CompileOptions options;  // of all variants
  std::vector<TuneParameter> parameters;
  std::vector<bool> is_option;  // for each parameter: its value is an option of the compiler
  std::vector<std::string> restrictions;
  std::vector<std::function<bool(const TuneConfiguration&)>> predicates;
  std::optional<SizeTexts> block;
  std::optional<SizeTexts> grid;  // none: a thread for each element
  std::string shared = "0";
  std::optional<TuneConfiguration> default_values;
  std::string key;

  /// Throws ArgumentError for a name that is no identifier or is there already, and for values that cannot be.
  void add(TuneParameter parameter, bool is_compiler_option);
  /// With the others' defaults: the block is needed.
  SizeTexts block_texts() const;
  SizeTexts grid_texts() const;
};

}  // namespace kiln
