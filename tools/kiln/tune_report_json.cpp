#include "tune_report.hpp"

#include "base/json_object.hpp"
#include "base/json_value.hpp"

#include <optional>
#include <vector>

namespace kiln::tool {

namespace {

std::string candidate_json(const TuneCandidate& candidate) {
  JsonReport values, object;
  for (const auto& [name, value] : candidate.configuration) values.add_json(name, parsed_json(value.json()).json());
  object.add_json("configuration", values.text()).add("status", to_string(candidate.status));
  if (candidate.status != TuneStatus::ok) return object.add("error", candidate.error).text();
  object.add("seconds", candidate.seconds).add("spread", candidate.spread);
  return object.add("repetitions", candidate.repetitions).add("given_up", candidate.given_up).text();
}

std::string optional_json(const std::optional<TuneCandidate>& candidate) {
  return candidate ? candidate_json(*candidate) : "null";
}

}  // namespace

std::string tune_json(const TuneReport& report) {
  const TuneResult& result = report.result;
  std::vector<unsigned long long> problem;
  for (std::size_t i = 0; i < report.problem.dimensions(); ++i) problem.push_back(report.problem[i]);
  std::vector<std::string> candidates;
  for (const TuneCandidate& candidate : result.candidates) candidates.push_back(candidate_json(candidate));
  JsonReport object;
  object.add("file", report.file).add("kernel", report.kernel).add("device", report.device);
  object.add("emulator", report.is_emulator).add("problem", problem).add("valid", result.valid);
  object.add_json("best", optional_json(result.best)).add_json("default", optional_json(result.of_default));
  object.add("all_alike", result.all_alike).add("end", to_string(result.end)).add("resumed", result.resumed);
  object.add("seconds", result.seconds).add("compile_seconds", result.compile_seconds);
  object.add("wait_seconds", result.wait_seconds).add("measure_seconds", result.measure_seconds);
  return json_indented(object.add_json("candidates", json_array(candidates)).text()) + "\n";
}

}  // namespace kiln::tool
