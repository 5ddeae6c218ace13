// The configurations that a kernel may be tuned to.
#pragma once

#include "tune/expression.hpp"

#include <kiln/tune_value.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace kiln {

/// Its values, in the order in which neighbours lie beside each other.
struct TuneParameter {
  std::string name;
  std::vector<TuneValue> values;
};

/// For each parameter, in their order, the index of its value.
using Configuration = std::vector<std::uint32_t>;

/// The same where only some parameters have a value. Empty: none has.
using FixedValues = std::vector<std::optional<std::uint32_t>>;

/// An expression that is to be true, and what errors call it.
struct NamedRestriction {
  std::string text;
  std::string subject;
};

/// Parameters and what restricts them. Immutable, so that all threads may use it, where its callables may be called so.
class SearchSpace {
 public:
  using Predicate = std::function<bool(const Configuration&)>;

  /// `constants` are what expressions may name beside the parameters: the problem's sizes, the device's attributes.
  /// `predicates` are evaluated last, for complete configurations; `limits` are restrictions, too. Throws ArgumentError
  /// for a parameter without a name or a value, with one twice, or with texts beside numbers; for a name twice; for an
  /// expression that is none, or one that names a parameter with floating values; and where there are 2^63 combinations
  /// or more.
  SearchSpace(std::vector<TuneParameter> parameters, const std::vector<std::string>& restrictions,
              const std::map<std::string, long long>& constants = {}, std::vector<Predicate> predicates = {},
              const std::vector<NamedRestriction>& limits = {});

  const std::vector<TuneParameter>& parameters() const noexcept { return parameters_; }
  /// Of all values, without restrictions.
  std::uint64_t combinations() const noexcept { return combinations_; }

  /// Whether all restrictions hold. One that cannot be evaluated, as it divides by 0, does not. The configuration must
  /// have an index below its parameter's count for each parameter.
  bool is_valid(const Configuration& configuration) const;

  /// Its number among all combinations, counted with the last parameter the fastest; and back.
  std::uint64_t rank(const Configuration& configuration) const;
  Configuration at_rank(std::uint64_t rank) const;

  /// The parameters' names with the values of a configuration.
  TuneConfiguration values(const Configuration& configuration) const;

  /// The ranks of the valid ones, ascending. A restriction is evaluated as soon as the parameters that it names are
  /// set, so that parameters which restrictions name together are best given first. `fault` gets the first reason why a
  /// restriction could not be evaluated, where one could not.
  std::vector<std::uint64_t> valid_ranks(std::string* fault = nullptr) const;
  /// The first of these that has the fixed values; nothing where none is valid.
  std::optional<Configuration> first_valid(const FixedValues& fixed = {}, std::string* fault = nullptr) const;

  /// An expression over the names that restrictions may have, and its value for a configuration. Throw ArgumentError as
  /// a restriction does.
  Expression expression(const std::string& text, const std::string& subject = {}) const;
  long long value(const Expression& expression, const Configuration& configuration) const;

 private:
  class Walk;
  struct Restriction {
    Expression expression;
    std::size_t complete;  // how many parameters must be set
  };

  void add_names(const std::map<std::string, long long>& constants);
  void add_restriction(const NamedRestriction& restriction);

  std::vector<TuneParameter> parameters_;
  std::vector<Restriction> restrictions_;
  std::vector<Predicate> predicates_;
  std::vector<ExpressionName> names_;  // the parameters, then the constants
  std::vector<long long> constants_;
  std::uint64_t combinations_ = 1;
};

}  // namespace kiln
