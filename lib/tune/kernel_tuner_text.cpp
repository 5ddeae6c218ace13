#include "tune/kernel_tuner_text.hpp"

#include "base/argument_error.hpp"
#include "base/json_object.hpp"
#include "base/passkey.hpp"
#include "base/utc_time.hpp"
#include "memory/context.hpp"
#include "tune/tunable.hpp"

#include <kiln/kernel_tuner_cache.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <vector>

namespace kiln {

namespace {

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

std::string tuner_value(const TuneValue& value) {
  if (value.is_text()) return json_report_text(value.text());
  const auto* const number = std::get_if<double>(&value.kind());
  return number != nullptr ? json_number(*number) : value.json();
}

/// As Python's str.
std::string python_text(const TuneValue& value) {
  if (const auto* const boolean = std::get_if<bool>(&value.kind())) return *boolean ? "True" : "False";
  return value.is_text() ? value.text() : tuner_value(value);
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

std::string tuner_parameters(const TunableDefinition& definition) {
  JsonReport parameters;
  for (const TuneParameter& parameter : definition.parameters) {
    std::vector<std::string> values;
    for (const TuneValue& value : parameter.values) values.push_back(tuner_value(value));
    parameters.add_json(parameter.name, json_array(values));
  }
  return parameters.text();
}

std::string tuner_problem(const ProblemSize& problem) {
  std::vector<std::string> sizes;
  for (std::size_t i = 0; i < problem.dimensions(); ++i) sizes.push_back(std::to_string(problem[i]));
  return sizes.size() == 1 ? sizes.front() : json_array(sizes);
}

std::string head_field(const char* name, const std::string& json) { return json_text(name) + ": " + json + ",\n"; }

std::string head_lines(const KernelTunerHead& head, bool is_own_objective) {
  std::vector<std::string> names;
  for (const TuneParameter& parameter : head.definition.parameters) names.push_back(json_report_text(parameter.name));
  return head_field("schema_version", json_text("1.1.0")) + head_field("device_name", json_report_text(head.device)) +
         head_field("kernel_name", json_report_text(head.definition.name)) +
         head_field("problem_size", tuner_problem(head.problem)) + head_field("tune_params_keys", json_array(names)) +
         head_field("tune_params", tuner_parameters(head.definition)) +
         head_field("objective", json_text(is_own_objective ? objective_field : time_field));
}

/// The fields that all candidates have alike.
void add_shares(JsonReport& entry, const KernelTunerHead& head, const TuneResult& result) {
  const double share = 1000.0 / static_cast<double>(std::max<std::size_t>(result.candidates.size(), 1));
  entry.add(compile_field, result.compile_seconds * share).add(measure_field, result.measure_seconds * share);
  for (const char* const field : untimed_fields) entry.add(field, 0);
  entry.add(date_field, head.date);
}

std::string tuner_entry(const TuneCandidate& candidate, bool is_own_objective, const KernelTunerHead& head,
                        const TuneResult& result) {
  JsonReport entry;
  for (const auto& [name, value] : candidate.configuration) entry.add_json(name, tuner_value(value));
  const bool is_ok = candidate.status == TuneStatus::ok;
  const std::string failure = json_text(failure_name(candidate.status));
  entry.add_json(time_field, is_ok ? json_number(candidate.seconds * 1000) : failure);
  if (is_own_objective) entry.add_json(objective_field, is_ok ? json_number(candidate.value) : failure);
  add_shares(entry, head, result);
  return entry.text();
}

}  // namespace

std::string kernel_tuner_text(const KernelTunerHead& head, const TuneResult& result) {
  check_tuner_names(head.definition);
  const bool is_own_objective = has_own_objective(result);
  std::string text = "{\n" + head_lines(head, is_own_objective) + "\"cache\": {";
  const char* separator = "\n";
  for (const TuneCandidate& candidate : result.candidates) {
    text += separator + json_report_text(key_of(candidate.configuration)) + ": ";
    text += tuner_entry(candidate, is_own_objective, head, result);
    separator = ",\n";
  }
  return text + "}\n}\n";  // kernel_tuner takes a file with another end for one that was cut
}

std::string kernel_tuner_cache(const TunableKernel& kernel, const ProblemSize& problem, const TuneResult& result) {
  const TunedDevice& device = tuned_devices().at(static_cast<std::size_t>(current_device()));
  return kernel_tuner_text({kernel.impl(passkey).use(), device.name, problem, utc_now()}, result);
}

}  // namespace kiln
