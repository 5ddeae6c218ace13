// kiln wisdom: what tuning found out, looked at and taken elsewhere.
#include "base/argument_error.hpp"
#include "base/json_object.hpp"
#include "base/json_value.hpp"
#include "base/printable_text.hpp"
#include "commands.hpp"
#include "figures.hpp"
#include "output_file.hpp"
#include "source_file.hpp"
#include "tune/wisdom_line.hpp"

#include <kiln/device.hpp>
#include <kiln/error.hpp>
#include <kiln/wisdom.hpp>

#include <algorithm>
#include <filesystem>
#include <set>
#include <utility>

namespace kiln::tool {

namespace {

/// As all reports are: numbers are written in another way than in wisdom's files.
JsonReport record_json(const WisdomRecord& record) {
  JsonReport object;
  const JsonValue line = parsed_json(wisdom_line(record));
  for (const auto& [name, value] : std::get<JsonValue::Members>(line.content())) object.add_json(name, value.json());
  return object;
}

int print_records(const std::string& json) {
  print_json(json_indented(json) + "\n");
  return success;
}

std::string record_text(const WisdomRecord& record) {
  std::string text = printable_line(record.device + " (" + record.arch + ")") + "  " + problem_text(record.problem) +
                     "  " + time_text(record.seconds) + "  " + printable_line(record.date) + " ";
  for (const auto& [name, value] : record.configuration) text += printable_line(" " + name + "=" + value.text());
  return text + "\n";
}

/// Throws Error with the keys that there are.
std::vector<WisdomRecord> records_of(const Wisdom& wisdom, const std::string& key) {
  std::vector<WisdomRecord> records = wisdom.records(key);
  if (!records.empty()) return records;
  constexpr std::size_t most_shown = 20;
  const std::vector<std::string> known = wisdom.keys();
  std::string keys;
  for (std::size_t i = 0; i < std::min(known.size(), most_shown); ++i)
    keys += (i == 0 ? "" : ", ") + printable_word(known[i]);
  if (known.size() > most_shown) keys += ", ...";
  if (keys.empty())
    throw Error("there is no wisdom of " + key +
                ", nor of any other key: \"kiln tune\" keeps some in the first folder of "
                "KILN_WISDOM_DIR");
  throw Error("there is no wisdom of " + key + "; the keys that have some: " + keys);
}

/// What can be said of a key in short.
struct KeyFigures {
  std::size_t records;
  std::set<std::string> devices;
  std::set<std::string> problems;
};

KeyFigures figures_of(const std::vector<WisdomRecord>& records) {
  KeyFigures figures = {records.size(), {}, {}};
  for (const WisdomRecord& record : records) {
    figures.devices.insert(record.device);
    figures.problems.insert(problem_text(record.problem));
  }
  return figures;
}

std::string plural(std::size_t count, const std::string& word) {
  return std::to_string(count) + " " + word + (count == 1 ? "" : "s");
}

void tell_of_no_wisdom(const Wisdom& wisdom) {
  std::string folders;
  for (const std::filesystem::path& folder : wisdom.folders())
    folders += (folders.empty() ? "" : ", ") + folder.string();
  say("kiln: there is no wisdom in " + (folders.empty() ? "any folder" : folders) +
      ": \"kiln tune\" keeps what it found in the first folder of KILN_WISDOM_DIR, or of those\n");
}

int tell_added(std::size_t added) {
  print(plural(added, "record") + " added\n");
  return success;
}

}  // namespace

int wisdom_list_command(const WisdomArguments& arguments) {
  const Wisdom wisdom;
  std::vector<std::string> json;
  std::string text;
  for (const std::string& key : wisdom.keys()) {
    const KeyFigures figures = figures_of(wisdom.records(key));
    JsonReport object;
    object.add("key", key).add("records", figures.records).add("devices", figures.devices);
    json.push_back(object.add("problems", figures.problems).text());
    text += printable_line(key) + "  " + plural(figures.records, "record") + ", " +
            plural(figures.devices.size(), "device") + ", " + plural(figures.problems.size(), "problem size") + "\n";
  }
  if (arguments.json) return print_records(json_array(json));
  if (text.empty()) tell_of_no_wisdom(wisdom);
  print(text);
  return success;
}

int wisdom_show_command(const WisdomArguments& arguments) {
  std::vector<std::string> json;
  std::string text;
  for (const WisdomRecord& record : records_of(Wisdom(), arguments.keys.front())) {
    json.push_back(record_json(record).text());
    text += record_text(record);
  }
  if (arguments.json) return print_records(json_array(json));
  print(text);
  return success;
}

int wisdom_best_command(const WisdomArguments& arguments) {
  const Wisdom wisdom;
  const std::string& key = arguments.keys.front();
  (void)records_of(wisdom, key);
  const bool is_here = arguments.arch.empty();
  const std::string device = is_here ? Device::current().name() : arguments.device;
  const std::string arch = is_here ? Device::current().arch() : arguments.arch;
  const auto choice = wisdom.best(key, device, arch, problem_of(arguments.problem));
  if (!choice) throw Error("there is no wisdom of " + key + " for " + arch + " and problems of so many dimensions");
  if (arguments.json) return print_records(record_json(choice->record).add("match", to_string(choice->match)).text());
  print(std::string(to_string(choice->match)) + ": " + record_text(choice->record));
  return success;
}

int wisdom_export_command(const WisdomArguments& arguments) {
  const Wisdom wisdom;
  if (arguments.keys.empty()) {
    print_json(wisdom.text());
    return success;
  }
  std::string text;
  for (const std::string& key : arguments.keys)
    for (const WisdomRecord& record : records_of(wisdom, key)) text += wisdom_line(record);
  print_json(text);
  return success;
}

int wisdom_import_command(const WisdomArguments& arguments) {
  std::size_t added = 0;
  for (const std::string& file : arguments.files) {
    const WisdomLines lines = read_wisdom(read_input(file));
    if (lines.skipped != 0)
      throw Error(input_name(file) + ": lines that are no wisdom, or of a newer version: " + lines.skipped_text() +
                  "; nothing of it was added");
    std::string text;
    for (const WisdomRecord& record : lines.records) text += wisdom_line(record);
    added += Wisdom().merge(Wisdom::from_text(text));
  }
  return tell_added(added);
}

int wisdom_merge_command(const WisdomArguments& arguments) {
  std::size_t added = 0;
  for (const std::string& folder : arguments.files) {
    if (!std::filesystem::is_directory(folder))
      throw Error(folder + " is no folder; \"kiln wisdom import\" takes files");
    added += Wisdom().merge(Wisdom(folder));
  }
  return tell_added(added);
}

int wisdom_prune_command() {
  print(plural(Wisdom().prune(), "record") + " removed\n");
  return success;
}

}  // namespace kiln::tool
