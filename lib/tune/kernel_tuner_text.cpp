#include "tune/kernel_tuner_text.hpp"

#include "base/argument_error.hpp"
#include "base/passkey.hpp"
#include "base/utc_time.hpp"
#include "memory/context.hpp"
#include "tune/tunable.hpp"

#include <kiln/kernel_tuner_cache.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cstddef>

namespace kiln {

namespace {

using TunerJson = nlohmann::ordered_json;

constexpr const char* compile_field = "compile_time";
constexpr const char* measure_field = "benchmark_time";
constexpr const char* time_field = "time";
constexpr const char* objective_field = "value";  // of an own objective
constexpr const char* date_field = "timestamp";
constexpr std::array untimed_fields = {"verification_time", "strategy_time", "framework_time"};

void check_tuner_names(const TunableDefinition& definition) {
  for (const TuneParameter& parameter : definition.parameters) {
    const std::string& name = parameter.name;
    const bool is_field = name == compile_field || name == measure_field || name == time_field ||
                          name == objective_field || name == date_field ||
                          std::find(untimed_fields.begin(), untimed_fields.end(), name) != untimed_fields.end();
    if (is_field)
      refuse("kernel_tuner_cache: a parameter's name", "one that a cache file of kernel_tuner has for nothing else",
             '"' + name + '"');
  }
}

TunerJson tuner_value(const TuneValue& value) {
  return std::visit([](const auto& one) { return TunerJson(one); }, value.kind());
}

/// As Python's str.
std::string python_text(const TuneValue& value) {
  if (const auto* const boolean = std::get_if<bool>(&value.kind())) return *boolean ? "True" : "False";
  return value.is_text() ? value.text() : tuner_value(value).dump();
}

std::string key_of(const TuneConfiguration& configuration) {
  std::string key;
  const char* separator = "";
  for (const auto& [name, value] : configuration) {
    key += separator + python_text(value);
    separator = ",";
  }
  return key;
}

const char* failure_name(TuneStatus status) {
  if (status == TuneStatus::not_compiled) return "CompilationFailedConfig";
  if (status == TuneStatus::over_limits) return "InvalidConfig";
  return "RuntimeFailedConfig";
}

bool has_own_objective(const TuneResult& result) {
  return std::any_of(result.candidates.begin(), result.candidates.end(),
                     [](const TuneCandidate& one) { return one.status == TuneStatus::ok && one.value != one.seconds; });
}

TunerJson parameters_of(const TunableDefinition& definition, TunerJson& names) {
  TunerJson parameters = TunerJson::object();
  for (const TuneParameter& parameter : definition.parameters) {
    names.push_back(parameter.name);
    TunerJson& values = parameters[parameter.name] = TunerJson::array();
    for (const TuneValue& value : parameter.values) values.push_back(tuner_value(value));
  }
  return parameters;
}

TunerJson tuner_problem(const ProblemSize& problem) {
  if (problem.dimensions() == 1) return problem[0];
  TunerJson sizes = TunerJson::array();
  for (std::size_t i = 0; i < problem.dimensions(); ++i) sizes.push_back(problem[i]);
  return sizes;
}

TunerJson head_of(const KernelTunerHead& head, bool is_own_objective) {
  TunerJson names = TunerJson::array();
  TunerJson parameters = parameters_of(head.definition, names);
  return {{"schema_version", "1.1.0"},
          {"device_name", head.device},
          {"kernel_name", head.definition.name},
          {"problem_size", tuner_problem(head.problem)},
          {"tune_params_keys", std::move(names)},
          {"tune_params", std::move(parameters)},
          {"objective", is_own_objective ? objective_field : time_field}};
}

/// The fields that all candidates have alike.
TunerJson shares_of(const KernelTunerHead& head, const TuneResult& result) {
  const double share = 1000.0 / static_cast<double>(std::max<std::size_t>(result.candidates.size(), 1));
  TunerJson shares = {{compile_field, result.compile_seconds * share}, {measure_field, result.measure_seconds * share}};
  for (const char* const field : untimed_fields) shares[field] = 0;
  shares[date_field] = head.date;
  return shares;
}

TunerJson entry_of(const TuneCandidate& candidate, bool is_own_objective, const TunerJson& shares) {
  TunerJson entry = TunerJson::object();
  for (const auto& [name, value] : candidate.configuration) entry[name] = tuner_value(value);
  const bool is_ok = candidate.status == TuneStatus::ok;
  const char* const failure = failure_name(candidate.status);
  entry[time_field] = is_ok ? TunerJson(candidate.seconds * 1000) : TunerJson(failure);
  if (is_own_objective) entry[objective_field] = is_ok ? TunerJson(candidate.value) : TunerJson(failure);
  entry.update(shares);
  return entry;
}

std::string json_of(const TunerJson& json) { return json.dump(-1, ' ', false, TunerJson::error_handler_t::replace); }

}  // namespace

std::string kernel_tuner_text(const KernelTunerHead& head, const TuneResult& result) {
  check_tuner_names(head.definition);
  const bool is_own_objective = has_own_objective(result);
  std::string text = "{\n";
  const TunerJson fields = head_of(head, is_own_objective);
  for (const auto& [name, value] : fields.items()) text += json_of(name) + ": " + json_of(value) + ",\n";
  text += "\"cache\": {";
  const TunerJson shares = shares_of(head, result);
  const char* separator = "\n";
  for (const TuneCandidate& candidate : result.candidates) {
    text += separator + json_of(key_of(candidate.configuration)) + ": ";
    text += json_of(entry_of(candidate, is_own_objective, shares));
    separator = ",\n";
  }
  return text + "}\n}\n";  // kernel_tuner takes a file with another end for one that was cut
}

std::string kernel_tuner_cache(const TunableKernel& kernel, const ProblemSize& problem, const TuneResult& result) {
  const TunedDevice& device = tuned_devices().at(static_cast<std::size_t>(current_device()));
  return kernel_tuner_text({kernel.impl(passkey).use(), device.name, problem, utc_now()}, result);
}

}  // namespace kiln
