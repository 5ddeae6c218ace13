// Wisdom: lines of JSON. Invalid lines are skipped.
#include "fuzz.hpp"
#include "json_members.hpp"
#include "tune/wisdom_choice.hpp"
#include "tune/wisdom_line.hpp"

#include <kiln/log.hpp>
#include <kiln/wisdom.hpp>

#include <nlohmann/json.hpp>

namespace fuzz_wisdom {

using namespace kiln;
using namespace kiln::fuzz;

namespace {

void check_record(const WisdomRecord& record) {
  const std::string line = wisdom_line(record);
  require(line.find('\n') == line.size() - 1, "a record is one line");
  require(printable_text(line) == line, "what is exported does not control the terminal");
  const WisdomLines lines = read_wisdom(line);
  require(lines.records.size() == 1 && lines.skipped == 0, "a record that was read can be written and read");
  require(lines.records[0].configuration == record.configuration, "a configuration survives, in its order");
  require(wisdom_line(lines.records[0]) == line, "a record settles");
}

/// How many records it is.
std::size_t check_line(std::string_view line) {
  const WisdomLines lines = read_wisdom(line);
  require(lines.records.size() + lines.skipped <= 1, "a line is a record or none");
  if (lines.records.empty()) return 0;
  const auto given = nlohmann::json::parse(line);
  const auto written = nlohmann::json::parse(wisdom_line(lines.records[0]));
  for (const auto& [name, value] : written.items())
    require(given.at(name) == value, "a record has the values that its line has");
  return 1;
}

void check_choice(const std::vector<WisdomRecord>& records) {
  const WisdomQuestion question = {"NVIDIA H200", "sm_90", {1024, 1024}, "0123"};
  std::size_t usable = 0;
  for (const WisdomRecord& record : records) usable += record.arch == "sm_90" && record.problem.dimensions() == 2;
  const auto choice = choose_wisdom(records, question, [](const WisdomRecord&) { return true; });
  require(choice.has_value() == (usable > 0), "a record that can be used is found");
  if (choice && choice->match == WisdomMatch::exact)
    require(choice->record.device == "NVIDIA H200" && choice->record.problem == question.problem,
            "an exact one is of that device and problem");
}

}  // namespace

int run(const std::uint8_t* data, std::size_t size) {
  const std::string_view text = view_of(data, size);
  static const bool is_heard = (set_log_handler([](LogLevel, const std::string& said) { check_said(said); }), true);
  static_cast<void>(is_heard);
  static_cast<void>(Wisdom::from_text(text));
  const WisdomLines all = read_wisdom(text);
  for (const WisdomRecord& record : all.records) check_record(record);
  check_choice(all.records);
  std::size_t records = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    records += check_line(text.substr(at, end - at));
    at = end + 1;
  }
  require(records == all.records.size(), "a line that is none takes no other one with it");
  check_line(with_members(wisdom_line({}), text));
  return 0;
}

}  // namespace fuzz_wisdom
