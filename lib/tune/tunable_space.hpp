// A tunable kernel for one problem on one device: which configurations there are, and how each is launched.
#pragma once

#include "tune/search_space.hpp"
#include "tune/tunable_definition.hpp"

#include <kiln/launch_config.hpp>
#include <kiln/problem_size.hpp>

#include <array>
#include <map>
#include <optional>
#include <string>

namespace kiln {

/// Immutable, so that all threads may use it, where the definition's callables may be called so. The definition must
/// outlive it.
class TunableSpace {
 public:
  /// `attributes` are the device's, by name. What the device cannot run is not valid: too large a block, a grid, or too
  /// much dynamic shared memory. Throws ArgumentError for expressions that are none or have unknown names.
  TunableSpace(const TunableDefinition& definition, const std::map<std::string, int>& attributes,
               const ProblemSize& problem);

  const SearchSpace& space() const noexcept { return space_; }
  /// The first valid one with the definition's default values, else the first valid one. Throws ArgumentError where
  /// none is.
  Configuration default_configuration() const;
  /// Why no valid one has the definition's default values; empty where one has them.
  std::string default_fault() const;
  /// By its values; nothing where it has other parameters or values than the space, or is not valid.
  std::optional<Configuration> find(const TuneConfiguration& values) const;
  /// The same of values for some of the parameters: the others have their default, or else what is valid first.
  std::optional<Configuration> complete(const TuneConfiguration& values) const;
  /// Grid, block and shared memory of a valid one.
  LaunchConfig launch_config(const Configuration& configuration) const;

 private:
  using Sizes = std::array<Expression, 3>;

  /// Nothing where a name or a value is not the space's, or a name is there twice.
  std::optional<FixedValues> indices(const TuneConfiguration& values) const;
  Dim3 sizes(const Sizes& expressions, const Configuration& configuration) const;
  /// Why that one, for which all expressions but the grid's have a value, is not valid: the first size that no launch
  /// can have, else the restriction.
  std::string fault_text(const Configuration& configuration) const;

  const TunableDefinition& definition_;
  SearchSpace space_;
  Sizes block_;
  Sizes grid_;
  Expression shared_;
  FixedValues default_;
};

}  // namespace kiln
