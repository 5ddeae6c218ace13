#include "tune/wisdom_line.hpp"

#include "base/json_object.hpp"
#include "base/json_value.hpp"
#include "base/text_parts.hpp"
#include "tune/tune_value_json.hpp"

#include <kiln/error.hpp>

namespace kiln {

namespace {

constexpr int newest_version = 1;

std::string number(double value) { return TuneValue(value).json(); }

std::string problem_json(const ProblemSize& problem) {
  std::vector<std::string> sizes;
  for (std::size_t i = 0; i < problem.dimensions(); ++i) sizes.push_back(std::to_string(problem[i]));
  return json_array(sizes);
}

ProblemSize problem_of(const JsonValue& json) {
  const auto sizes = json_get<std::vector<unsigned long long>>(json, "problem");
  if (sizes.size() == 1) return sizes[0];
  if (sizes.size() == 2) return {sizes[0], sizes[1]};
  if (sizes.size() == 3) return {sizes[0], sizes[1], sizes[2]};
  throw Error("a problem has one to three sizes");
}

WisdomRecord record_of(const JsonValue& json) {
  const int version = json_get<int>(json, "version");
  if (version < 1 || version > newest_version) throw Error("another version");
  WisdomRecord record;
  record.key = json_get<std::string>(json, "key");
  record.source = json_get<std::string>(json, "source");
  record.device = json_get<std::string>(json, "device");
  record.arch = json_get<std::string>(json, "arch");
  record.driver = json_get<int>(json, "driver");
  record.problem = problem_of(json);
  for (const auto& [name, value] : json_members(json, "configuration"))
    record.configuration.emplace_back(name, tune_value_of(value));
  record.seconds = json_get<double>(json, "seconds");
  record.spread = json_get<double>(json, "spread");
  record.objective = json_get<std::string>(json, "objective");
  record.value = json_get<double>(json, "value");
  record.is_largest_best = json_get<bool>(json, "largest_is_best");
  record.date = json_get<std::string>(json, "date");
  return record;
}

}  // namespace

std::string wisdom_line(const WisdomRecord& record) {
  JsonObject configuration;
  for (const auto& [name, value] : record.configuration) configuration.add_json(name, value.json());
  return JsonObject()
             .add("version", newest_version)
             .add("key", record.key)
             .add("source", record.source)
             .add("device", record.device)
             .add("arch", record.arch)
             .add("driver", record.driver)
             .add_json("problem", problem_json(record.problem))
             .add_json("configuration", configuration.text())
             .add_json("seconds", number(record.seconds))
             .add_json("spread", number(record.spread))
             .add("objective", record.objective)
             .add_json("value", number(record.value))
             .add("largest_is_best", record.is_largest_best)
             .add("date", record.date)
             .text() +
         "\n";
}

WisdomLines read_wisdom(std::string_view text) {
  WisdomLines lines;
  std::size_t number = 0;
  while (!text.empty()) {
    const std::string_view line = trimmed(next_line(text));
    ++number;
    if (line.empty()) continue;
    try {
      lines.records.push_back(record_of(parsed_json(line)));
    } catch (const std::exception&) {  // cut, or what this version did not write
      constexpr std::size_t most_named = 8;
      if (++lines.skipped <= most_named) lines.skipped_lines.push_back(number);
    }
  }
  return lines;
}

std::string WisdomLines::skipped_text() const {
  std::string numbers;
  for (const std::size_t line : skipped_lines) numbers += (numbers.empty() ? "" : ", ") + std::to_string(line);
  if (skipped > skipped_lines.size()) numbers += ", ...";
  return std::to_string(skipped) + (skipped == 1 ? " (line " : " (lines ") + numbers + ")";
}

}  // namespace kiln
