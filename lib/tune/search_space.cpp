#include "tune/search_space.hpp"

#include "base/argument_error.hpp"

#include <algorithm>
#include <limits>
#include <set>
#include <string_view>
#include <utility>

namespace kiln {

namespace {

void check_parameter(const TuneParameter& parameter) {
  const std::vector<TuneValue>& values = parameter.values;
  const std::string subject = "tuning: parameter '" + parameter.name + "'";
  if (parameter.name.empty()) refuse(subject, "a name", "none");
  if (values.empty()) refuse(subject, "at least one value", "none");
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i].is_text() != values[0].is_text())
      refuse(subject, "numbers alone, or texts alone", values[0].text() + " and " + values[i].text());
    if (std::find(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(i), values[i]) !=
        values.begin() + static_cast<std::ptrdiff_t>(i))
      refuse(subject, "each value once", values[i].text() + " twice");
  }
}

void check_names(const std::vector<ExpressionName>& names) {
  std::set<std::string_view> seen;
  for (const ExpressionName& one : names)
    if (!seen.insert(one.name).second) refuse("SearchSpace", "each name once", one.name + " twice");
}

std::uint64_t product_of_counts(const std::vector<TuneParameter>& parameters) {
  std::uint64_t product = 1;
  for (const TuneParameter& parameter : parameters)
    if (__builtin_mul_overflow(product, parameter.values.size(), &product) || product >> 63 != 0)
      refuse("SearchSpace", "fewer than 2^63 combinations of all values", "more");
  return product;
}

bool has_floating(const TuneParameter& parameter) {
  return std::any_of(parameter.values.begin(), parameter.values.end(),
                     [](const TuneValue& value) { return std::holds_alternative<double>(value.kind()); });
}

/// Of texts the first that is no integer: it is the reason why the others are texts.
std::string example_of(const TuneParameter& parameter) {
  for (const TuneValue& value : parameter.values)
    if (value.text().find_first_not_of("0123456789") != std::string::npos) return value.text();
  return parameter.values.front().text();
}

/// Of floating numbers nothing: no expression names them.
ExpressionValue expression_value(const TuneValue& value) {
  if (const auto* const text = std::get_if<std::string>(&value.kind())) return {0, text};
  if (const auto* const boolean = std::get_if<bool>(&value.kind())) return {*boolean ? 1 : 0, nullptr};
  const auto* const number = std::get_if<long long>(&value.kind());
  return {number ? *number : 0, nullptr};
}

}  // namespace

/// Sets the parameters one after the other, the last one the fastest, and leaves out what cannot become valid.
class SearchSpace::Walk {
 public:
  explicit Walk(const SearchSpace& space) : space_(space), configuration_(space.parameters_.size()) {
    for (const TuneParameter& parameter : space.parameters_) {
      values_.emplace_back();
      for (const TuneValue& value : parameter.values) values_.back().push_back(expression_value(value));
    }
    names_.resize(values_.size());
    for (const long long constant : space.constants_) names_.push_back({constant, nullptr});
  }

  /// The first so many with the fixed values.
  std::vector<std::uint64_t> valid_ranks(std::size_t limit, FixedValues fixed = {}) {
    limit_ = limit;
    fixed_ = std::move(fixed);
    fixed_.resize(values_.size());
    if (holds_at(0)) visit(0, 0);
    return std::move(found_);
  }

  /// The first one, after a walk.
  void take_fault(std::string* fault) {
    if (fault != nullptr && !fault_.empty()) *fault = std::move(fault_);
  }

  /// What expressions are evaluated with.
  const std::vector<ExpressionValue>& names(const Configuration& configuration) {
    for (std::size_t i = 0; i < values_.size(); ++i) names_[i] = values_[i][configuration[i]];
    return names_;
  }

  bool is_valid(const Configuration& configuration) {
    (void)names(configuration);
    for (std::size_t complete = 0; complete <= values_.size(); ++complete)
      if (!holds_at(complete)) return false;
    return satisfies_predicates(configuration);
  }

 private:
  void visit(std::size_t parameter, std::uint64_t rank) {
    if (parameter == values_.size()) {
      if (satisfies_predicates(configuration_)) found_.push_back(rank);
      return;
    }
    const std::vector<ExpressionValue>& values = values_[parameter];
    for (std::size_t i = 0; i < values.size() && found_.size() < limit_; ++i) {
      if (fixed_[parameter] && *fixed_[parameter] != i) continue;
      names_[parameter] = values[i];
      configuration_[parameter] = static_cast<std::uint32_t>(i);
      if (holds_at(parameter + 1)) visit(parameter + 1, rank * values.size() + i);
    }
  }

  /// The restrictions that can be evaluated as soon as so many parameters are set.
  bool holds_at(std::size_t complete) {
    for (const Restriction& one : space_.restrictions_) {
      if (one.complete > complete) break;
      if (one.complete < complete) continue;
      long long value = 0;
      const char* const fault = one.expression.evaluate(names_, value);
      if (fault != nullptr && fault_.empty()) fault_ = one.expression.fault_text(fault, names_);
      if (fault != nullptr || value == 0) return false;
    }
    return true;
  }

  bool satisfies_predicates(const Configuration& configuration) const {
    return std::all_of(space_.predicates_.begin(), space_.predicates_.end(),
                       [&](const Predicate& predicate) { return predicate(configuration); });
  }

  const SearchSpace& space_;
  std::vector<std::vector<ExpressionValue>> values_;
  std::vector<ExpressionValue> names_;
  Configuration configuration_;
  FixedValues fixed_;
  std::size_t limit_ = 0;
  std::vector<std::uint64_t> found_;
  std::string fault_;
};

SearchSpace::SearchSpace(std::vector<TuneParameter> parameters, const std::vector<std::string>& restrictions,
                         const std::map<std::string, long long>& constants, std::vector<Predicate> predicates,
                         const std::vector<NamedRestriction>& limits)
    : parameters_(std::move(parameters)), predicates_(std::move(predicates)) {
  for (const TuneParameter& parameter : parameters_) check_parameter(parameter);
  combinations_ = product_of_counts(parameters_);
  add_names(constants);
  check_names(names_);
  for (const std::string& restriction : restrictions) add_restriction({restriction, {}});
  for (const NamedRestriction& limit : limits) add_restriction(limit);
  std::stable_sort(restrictions_.begin(), restrictions_.end(),
                   [](const Restriction& a, const Restriction& b) { return a.complete < b.complete; });
}

void SearchSpace::add_names(const std::map<std::string, long long>& constants) {
  for (const TuneParameter& parameter : parameters_)
    names_.push_back({parameter.name, parameter.values.front().is_text(), true, example_of(parameter)});
  for (const auto& [name, value] : constants) {
    names_.push_back({name});
    constants_.push_back(value);
  }
}

Expression SearchSpace::expression(const std::string& text, const std::string& subject) const {
  Expression expression(text, names_, subject);
  for (const std::size_t name : expression.used())
    if (name < parameters_.size() && has_floating(parameters_[name]))
      refuse("the expression '" + text + "'", "names of integers, booleans and texts",
             parameters_[name].name + ", which has floating values", "; ask a callable for those");
  return expression;
}

void SearchSpace::add_restriction(const NamedRestriction& named) {
  Expression restriction = expression(named.text, named.subject);
  std::size_t complete = 0;
  for (const std::size_t name : restriction.used())
    if (name < parameters_.size()) complete = name + 1;
  restrictions_.push_back({std::move(restriction), complete});
}

bool SearchSpace::is_valid(const Configuration& configuration) const { return Walk(*this).is_valid(configuration); }

TuneConfiguration SearchSpace::values(const Configuration& configuration) const {
  TuneConfiguration values;
  values.reserve(configuration.size());
  for (std::size_t i = 0; i < configuration.size(); ++i)
    values.emplace_back(parameters_[i].name, parameters_[i].values[configuration[i]]);
  return values;
}

std::vector<std::uint64_t> SearchSpace::valid_ranks(std::string* fault) const {
  Walk walk(*this);
  std::vector<std::uint64_t> ranks = walk.valid_ranks(std::numeric_limits<std::size_t>::max());
  walk.take_fault(fault);
  return ranks;
}

std::optional<Configuration> SearchSpace::first_valid(const FixedValues& fixed, std::string* fault) const {
  Walk walk(*this);
  const std::vector<std::uint64_t> first = walk.valid_ranks(1, fixed);
  walk.take_fault(fault);
  return first.empty() ? std::nullopt : std::optional(at_rank(first.front()));
}

long long SearchSpace::value(const Expression& expression, const Configuration& configuration) const {
  return expression.value(Walk(*this).names(configuration));
}

std::uint64_t SearchSpace::rank(const Configuration& configuration) const {
  std::uint64_t rank = 0;
  for (std::size_t i = 0; i < parameters_.size(); ++i) rank = rank * parameters_[i].values.size() + configuration[i];
  return rank;
}

Configuration SearchSpace::at_rank(std::uint64_t rank) const {
  Configuration configuration(parameters_.size());
  for (std::size_t i = parameters_.size(); i-- > 0;) {
    configuration[i] = static_cast<std::uint32_t>(rank % parameters_[i].values.size());
    rank /= parameters_[i].values.size();
  }
  return configuration;
}

}  // namespace kiln
