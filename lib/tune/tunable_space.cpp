#include "tune/tunable_space.hpp"

#include "base/argument_error.hpp"

#include <kiln/error.hpp>

#include <algorithm>
#include <cstdint>
#include <utility>

namespace kiln {

namespace {

const std::array<std::string, 3> letters = {"x", "y", "z"};

std::map<std::string, long long> constants_of(const std::map<std::string, int>& attributes,
                                              const ProblemSize& problem) {
  std::map<std::string, long long> constants(attributes.begin(), attributes.end());
  for (std::size_t i = 0; i < letters.size(); ++i)
    constants["problem_" + letters[i]] = static_cast<long long>(problem[i]);
  return constants;
}

constexpr const char* block_name = "block_size (--block)";
constexpr const char* grid_name = "grid_size (--grid)";
constexpr const char* shared_name = "shared_memory (--shared)";

/// What errors call an expression of that function.
std::string subject_of(const std::string& expression, const std::string& function) {
  return "the expression '" + expression + "' of " + function;
}

NamedRestriction between(const std::string& expression, const char* function, const std::string& lowest,
                         const std::string& highest) {
  return {"(" + expression + ") >= " + lowest + " && (" + expression + ") <= " + highest,
          subject_of(expression, function)};
}

/// The definition's, and what the device can run.
std::vector<NamedRestriction> restrictions_of(const TunableDefinition& definition, const ProblemSize& problem) {
  std::vector<NamedRestriction> restrictions;
  for (const std::string& text : definition.restrictions)
    restrictions.push_back({text, subject_of(text, "restriction (--restrict)")});
  const SizeTexts block = definition.block_texts(), grid = definition.grid_texts();
  for (std::size_t i = 0; i < letters.size(); ++i) {
    restrictions.push_back(between(block[i], block_name, "1", "max_block_dim_" + letters[i]));
    restrictions.push_back(between(grid[i], grid_name, problem.is_empty() ? "0" : "1", "max_grid_dim_" + letters[i]));
  }
  const std::string threads = "(" + block[0] + ") * (" + block[1] + ") * (" + block[2] + ")";
  restrictions.push_back({threads + " <= max_threads_per_block", subject_of(threads, block_name)});
  restrictions.push_back(between(definition.shared, shared_name, "0", "max_shared_memory_per_block_optin"));
  return restrictions;
}

/// Callables that are evaluated for values.
std::vector<SearchSpace::Predicate> predicates_of(const TunableDefinition& definition) {
  std::vector<SearchSpace::Predicate> predicates;
  for (const auto& holds : definition.predicates)
    predicates.push_back([&definition, &holds](const Configuration& configuration) {
      TuneConfiguration values;
      for (std::size_t i = 0; i < configuration.size(); ++i)
        values.emplace_back(definition.parameters[i].name, definition.parameters[i].values[configuration[i]]);
      return holds(values);
    });
  return predicates;
}

/// So that what is wrong with one is said of that alone, not of the restrictions that are made of it.
const TunableDefinition& with_checked_sizes(const TunableDefinition& definition,
                                            const std::map<std::string, int>& attributes, const ProblemSize& problem) {
  const SearchSpace space(definition.parameters, {}, constants_of(attributes, problem));
  const auto check = [&](const std::string& text, const char* function) {
    (void)space.expression(text, subject_of(text, function));
  };
  for (const std::string& text : definition.block_texts()) check(text, block_name);
  for (const std::string& text : definition.grid_texts()) check(text, grid_name);
  check(definition.shared, shared_name);
  return definition;
}

std::array<Expression, 3> expressions_of(const SearchSpace& space, const SizeTexts& texts) {
  return {space.expression(texts[0]), space.expression(texts[1]), space.expression(texts[2])};
}

std::string text_of(const TuneConfiguration& values) {
  std::string text;
  for (const auto& [name, value] : values) text += (text.empty() ? "" : ", ") + name + " = " + value.text();
  return text.empty() ? "nothing" : text;
}

/// The values of expressions for one configuration, to say which is at fault.
struct Valuation {
  const SearchSpace& space;
  const Configuration& configuration;

  /// Nothing where there is no number, such as ceil_div(problem_x, BLOCK) of a BLOCK that is 0.
  std::optional<long long> value(const Expression& expression) const {
    try {
      return space.value(expression, configuration);
    } catch (const ArgumentError&) {
      return std::nullopt;
    }
  }
  bool is_within(const Expression& expression, long long least, long long most) const {
    const auto number = value(expression);
    return number && *number >= least && *number <= most;
  }
  bool is_true(const Expression& expression) const { return value(expression).value_or(0) != 0; }
  std::string text(const Expression& expression) const {
    const auto number = value(expression);
    return number ? std::to_string(*number) : "no number";
  }
  std::string list(const std::array<Expression, 3>& sizes) const {
    return text(sizes[0]) + " x " + text(sizes[1]) + " x " + text(sizes[2]);
  }
  long long product(const std::array<Expression, 3>& sizes) const {
    return *value(sizes[0]) * *value(sizes[1]) * *value(sizes[2]);
  }
  long long limit(const std::string& attribute) const { return *value(space.expression(attribute)); }
  /// Whether the problem has a size of 0, for which a launch is left out.
  bool is_of_nothing() const {
    return std::any_of(letters.begin(), letters.end(),
                       [&](const std::string& letter) { return limit("problem_" + letter) == 0; });
  }
  /// The first of three that is below the least, or above the device's limit; empty where none is.
  std::string wrong_sizes(const std::array<Expression, 3>& sizes, long long least, const std::string& attribute) const {
    for (std::size_t i = 0; i < letters.size(); ++i) {
      const long long most = limit(attribute + letters[i]);
      if (!is_within(sizes[i], least, most))
        return ": expected " + std::to_string(least) + " to " + std::to_string(most) + " in " + letters[i] +
               ", given " + text(sizes[i]);
    }
    return {};
  }
};

}  // namespace

TunableSpace::TunableSpace(const TunableDefinition& definition, const std::map<std::string, int>& attributes,
                           const ProblemSize& problem)
    : definition_(with_checked_sizes(definition, attributes, problem)),
      space_(definition.parameters, {}, constants_of(attributes, problem), predicates_of(definition),
             restrictions_of(definition, problem)),
      block_(expressions_of(space_, definition.block_texts())),
      grid_(expressions_of(space_, definition.grid_texts())),
      shared_(space_.expression(definition.shared)) {
  if (!definition.default_values) return;
  const auto fixed = indices(*definition.default_values);
  if (!fixed)
    refuse("TunableKernel " + definition.name + ": default_configuration",
           "names of its parameters, each once and with one of its values", text_of(*definition.default_values));
  default_ = *fixed;
}

Configuration TunableSpace::default_configuration() const {
  if (const auto preferred = space_.first_valid(default_)) return *preferred;
  std::string fault;
  if (const auto first = space_.first_valid({}, &fault)) return *first;
  std::string restrictions;
  for (const std::string& one : definition_.restrictions) restrictions += (restrictions.empty() ? "" : ", ") + one;
  refuse("TunableKernel " + definition_.name,
         "values that fulfil the restrictions (" + (restrictions.empty() ? "none of its own" : restrictions) +
             ") and that the device can run",
         "none among " + std::to_string(space_.combinations()),
         "; " + (fault.empty() ? fault_text(space_.at_rank(0)) : fault));
}

std::string TunableSpace::default_fault() const {
  std::string fault;
  if (space_.first_valid(default_, &fault)) return {};
  if (!fault.empty()) return fault;
  Configuration configuration = space_.at_rank(0);
  for (std::size_t i = 0; i < default_.size(); ++i) configuration[i] = default_[i].value_or(configuration[i]);
  return fault_text(configuration);
}

std::string TunableSpace::fault_text(const Configuration& configuration) const {
  const Valuation of{space_, configuration};
  const std::string where = "where " + text_of(space_.values(configuration)) + " ";
  if (const std::string fault = of.wrong_sizes(block_, 1, "max_block_dim_"); !fault.empty())
    return where + "the block (--block) is " + of.list(block_) + " threads" + fault;
  const long long threads = of.product(block_), most_threads = of.limit("max_threads_per_block");
  if (threads > most_threads)
    return where + "the block (--block) is " + of.list(block_) + " threads: expected at most " +
           std::to_string(most_threads) + " in all, given " + std::to_string(threads);
  if (const std::string fault = of.wrong_sizes(grid_, of.is_of_nothing() ? 0 : 1, "max_grid_dim_"); !fault.empty())
    return where + "the grid (--grid) is " + of.list(grid_) + " blocks" + fault;
  const long long most_shared = of.limit("max_shared_memory_per_block_optin");
  if (!of.is_within(shared_, 0, most_shared))
    return where + "a block has " + of.text(shared_) + " bytes of dynamic shared memory (--shared): expected 0 to " +
           std::to_string(most_shared);
  for (const std::string& restriction : definition_.restrictions)
    if (!of.is_true(space_.expression(restriction))) return where + "'" + restriction + "' is not true";
  return where + "a restriction that is a function of the program is not true";
}

std::optional<FixedValues> TunableSpace::indices(const TuneConfiguration& values) const {
  const std::vector<TuneParameter>& parameters = space_.parameters();
  FixedValues fixed(parameters.size());
  for (const auto& [name, value] : values) {
    const auto parameter = std::find_if(parameters.begin(), parameters.end(),
                                        [&name = name](const TuneParameter& one) { return one.name == name; });
    if (parameter == parameters.end()) return std::nullopt;
    auto& index = fixed[static_cast<std::size_t>(parameter - parameters.begin())];
    const auto found = std::find(parameter->values.begin(), parameter->values.end(), value);
    if (index || found == parameter->values.end()) return std::nullopt;
    index = static_cast<std::uint32_t>(found - parameter->values.begin());
  }
  return fixed;
}

std::optional<Configuration> TunableSpace::find(const TuneConfiguration& values) const {
  if (values.size() != space_.parameters().size()) return std::nullopt;
  const auto fixed = indices(values);
  if (!fixed) return std::nullopt;
  Configuration configuration;
  for (const std::optional<std::uint32_t>& index : *fixed) configuration.push_back(*index);
  return space_.is_valid(configuration) ? std::optional(configuration) : std::nullopt;
}

std::optional<Configuration> TunableSpace::complete(const TuneConfiguration& values) const {
  const auto given = indices(values);
  if (!given) return std::nullopt;
  FixedValues with_defaults = *given;
  for (std::size_t i = 0; i < default_.size(); ++i)
    if (!with_defaults[i]) with_defaults[i] = default_[i];
  if (auto found = space_.first_valid(with_defaults)) return found;
  return space_.first_valid(*given);
}

Dim3 TunableSpace::sizes(const Sizes& expressions, const Configuration& configuration) const {
  const auto size = [&](std::size_t i) {
    return static_cast<std::uint32_t>(space_.value(expressions[i], configuration));
  };
  return {size(0), size(1), size(2)};
}

LaunchConfig TunableSpace::launch_config(const Configuration& configuration) const {
  LaunchConfig config;
  config.grid = sizes(grid_, configuration);
  config.block = sizes(block_, configuration);
  config.shared_size = static_cast<std::size_t>(space_.value(shared_, configuration));
  return config;
}

}  // namespace kiln
