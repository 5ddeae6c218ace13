#include "tune_report.hpp"

#include <nlohmann/json.hpp>

namespace kiln::tool {

namespace {

using TuneJson = nlohmann::ordered_json;

TuneJson candidate_json(const TuneCandidate& candidate) {
  TuneJson values = TuneJson::object();
  for (const auto& [name, value] : candidate.configuration) values[name] = TuneJson::parse(value.json());
  TuneJson object = {{"configuration", values}, {"status", to_string(candidate.status)}};
  if (candidate.status != TuneStatus::ok) {
    object["error"] = candidate.error;
    return object;
  }
  object["seconds"] = candidate.seconds;
  object["spread"] = candidate.spread;
  object["repetitions"] = candidate.repetitions;
  object["given_up"] = candidate.given_up;
  return object;
}

TuneJson optional_json(const std::optional<TuneCandidate>& candidate) {
  return candidate ? candidate_json(*candidate) : TuneJson();
}

}  // namespace

std::string tune_json(const TuneReport& report) {
  const TuneResult& result = report.result;
  TuneJson problem = TuneJson::array(), candidates = TuneJson::array();
  for (std::size_t i = 0; i < report.problem.dimensions(); ++i) problem.push_back(report.problem[i]);
  for (const TuneCandidate& candidate : result.candidates) candidates.push_back(candidate_json(candidate));
  const TuneJson object = {{"file", report.file},
                           {"kernel", report.kernel},
                           {"device", report.device},
                           {"emulator", report.is_emulator},
                           {"problem", problem},
                           {"valid", result.valid},
                           {"best", optional_json(result.best)},
                           {"default", optional_json(result.of_default)},
                           {"all_alike", result.all_alike},
                           {"end", to_string(result.end)},
                           {"resumed", result.resumed},
                           {"seconds", result.seconds},
                           {"compile_seconds", result.compile_seconds},
                           {"wait_seconds", result.wait_seconds},
                           {"measure_seconds", result.measure_seconds},
                           {"candidates", candidates}};
  return object.dump(2, ' ', false, TuneJson::error_handler_t::replace) + "\n";
}

}  // namespace kiln::tool
