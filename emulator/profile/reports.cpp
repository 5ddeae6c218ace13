#include "emulator/profile/reports.hpp"

#include "base/files.hpp"
#include "base/path_text.hpp"
#include "base/printable_text.hpp"
#include "emulator/core/call_error.hpp"
#include "emulator/core/settings.hpp"
#include "emulator/profile/advice.hpp"
#include "emulator/profile/json_report.hpp"
#include "emulator/profile/launch_occupancy.hpp"
#include "emulator/profile/page/profile_page.hpp"
#include "emulator/profile/profile_store.hpp"
#include "emulator/profile/report_rows.hpp"
#include "toolkit/names/kernel_name.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

namespace kiln::emulator {

namespace {

constexpr std::size_t most_table_lines = 20, most_table_advice = 10;

// With one digit after the point; "-" where there is nothing to divide by. Without the locale.
std::string ratio(std::uint64_t part, std::uint64_t whole) {
  if (whole == 0) return "-";
  const std::uint64_t tenths = (part * 10 + whole / 2) / whole;
  return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10);
}

std::string at_right(const std::string& text, std::size_t width) {
  return std::string(width > text.size() ? width - text.size() : 0, ' ') + text;
}
std::string at_left(const std::string& text, std::size_t width) {
  return text + std::string(width > text.size() ? width - text.size() : 0, ' ');
}

std::string sectors_text(const Counters& counters, Operation operation) {
  return ratio(counters[counter_of(Counter::global_load_requests, operation, AccessCounter::units)],
               counters[counter_of(Counter::global_load_requests, operation, AccessCounter::requests)]);
}

std::uint64_t bank_conflicts(const Counters& counters) {
  std::uint64_t conflicts = 0;
  for (const Operation operation : {Operation::load, Operation::store, Operation::atomic})
    conflicts += counters[counter_of(Counter::shared_load_requests, operation, AccessCounter::extra)];
  return conflicts;
}

struct Column {
  const char* title;
  std::string (*text)(const Counters& counters);
};
constexpr std::array columns = std::to_array<Column>({
    {"warp instr.", [](const Counters& all) { return std::to_string(all[Counter::inst_executed]); }},
    {"lanes",
     [](const Counters& all) { return ratio(all[Counter::thread_inst_executed_true], all[Counter::inst_executed]); }},
    {"divergent", [](const Counters& all) { return std::to_string(all[Counter::branches_divergent]); }},
    {"sectors/load", [](const Counters& all) { return sectors_text(all, Operation::load); }},
    {"sectors/store", [](const Counters& all) { return sectors_text(all, Operation::store); }},
    {"conflicts", [](const Counters& all) { return std::to_string(bank_conflicts(all)); }},
});

std::string table_line(const std::string& place, std::size_t width, const Counters& counters) {
  std::string line = "  " + at_left(place, width);
  for (const Column& each : columns) line += "  " + at_right(each.text(counters), std::string(each.title).size());
  return line + "\n";
}

std::string place_text(const ProfileStore& store, const LineKey& key) {
  if (key.first < 0) return "(no line)";
  return file_name_of(store.sources().at(static_cast<std::size_t>(key.first)).name) + ":" + std::to_string(key.second);
}

// The lines that were executed most, in the order of the source.
std::vector<std::pair<LineKey, Counters>> busiest_lines(const std::vector<const InstructionCounts*>& rows) {
  const auto all = lines_of(rows);
  std::vector<std::pair<LineKey, Counters>> lines(all.begin(), all.end());
  const auto runs_more = [](const auto& a, const auto& b) {
    return a.second[Counter::inst_executed] > b.second[Counter::inst_executed];
  };
  std::stable_sort(lines.begin(), lines.end(), runs_more);
  lines.resize(std::min(lines.size(), most_table_lines));
  std::sort(lines.begin(), lines.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  return lines;
}

std::string head_text(const LaunchEntry& entry) {
  std::string text =
      "profile of " + demangle(entry.kernel) + ", grid " + entry.grid.text() + ", block " + entry.block.text();
  if (entry.launches != 1) text += ", " + std::to_string(entry.launches) + " launches";
  if (entry.failed != 0) text += ", " + std::to_string(entry.failed) + " failed";
  const BusiestThread& thread = entry.busiest;
  return text + "\n  the busiest thread: global memory " + std::to_string(thread.global_reads) + " reads, " +
         std::to_string(thread.global_writes) + " writes; shared memory " + std::to_string(thread.shared_reads) +
         " reads, " + std::to_string(thread.shared_writes) + " writes\n";
}

std::string occupancy_text(const ProfileStore& store, const LaunchEntry& entry) {
  const std::optional<LaunchOccupancy> occupancy = occupancy_of(store, entry);
  if (!occupancy) return {};
  std::string text =
      "  occupancy " + std::to_string((occupancy->warps * 100 + occupancy->most_warps / 2) / occupancy->most_warps);
  text += " %: " + std::to_string(occupancy->warps) + " of " + std::to_string(occupancy->most_warps) + " warps";
  if (occupancy->limited_by != nullptr) text += ", limited by " + std::string(occupancy->limited_by);
  text += "; " + std::to_string(occupancy->resources.registers) + " registers a thread";
  if (const auto spilled = occupancy->resources.spill_bytes; spilled && *spilled != 0)
    text += ", " + std::to_string(*spilled) + " bytes spilled";
  return text + "\n";
}

std::string entry_text(const ProfileStore& store, const LaunchEntry& entry) {
  const std::vector<const InstructionCounts*> rows = rows_of(entry);
  const auto lines = busiest_lines(rows);
  std::size_t width = std::string("all lines").size();
  for (const auto& [key, counters] : lines) width = std::max(width, place_text(store, key).size());
  std::string text = head_text(entry) + occupancy_text(store, entry) + "  " + at_left("line", width);
  for (const Column& each : columns) text += std::string("  ") + each.title;
  text += "\n";
  for (const auto& [key, counters] : lines) text += table_line(place_text(store, key), width, counters);
  text += table_line("all lines", width, total_of(rows));
  std::vector<Advice> advice = advice_for(entry);
  for (std::size_t i = 0; i < std::min(advice.size(), most_table_advice); ++i) text += "  * " + advice[i].text + "\n";
  return text;
}

}  // namespace

std::string table_report(const ProfileStore& store) {
  std::string text;
  for (const LaunchEntry& entry : store.entries()) {
    if (entry.launches == 0) continue;
    if (!text.empty()) text += "\n";
    text += entry_text(store, entry);
  }
  if (store.omitted() != 0)
    text += "\n" + std::to_string(store.omitted()) + " launches of further kernels and sizes were not counted\n";
  return text;
}

namespace {

constexpr const char* in_terminal = "-";

std::atomic<int> writing_process{0};

// The handler is inherited by a child of fork, whose launches are none of the emulator's.
void write_at_exit() {
  if (writing_process.load() != ::getpid()) return;
  if (Settings::get().profile == in_terminal) {
    try {
      const std::string table = printable_text(ProfileStore::get().locked(table_report));
      std::fflush(stdout);
      std::fwrite(table.data(), 1, table.size(), stderr);
    } catch (...) {  // no memory for the text
    }
    return;
  }
  write_profile_report();
}

// "%p" is the number of the process, so that several that run at the same time do not replace each other's reports.
std::string file_name(const std::string& setting) {
  std::string name = setting;
  const std::string process = std::to_string(::getpid());
  for (std::size_t at = name.find("%p"); at != name.npos; at = name.find("%p", at + process.size()))
    name.replace(at, 2, process);
  return name;
}

}  // namespace

void write_profile_report_at_exit() {
  const int process = ::getpid();
  if (writing_process.exchange(process) == process) return;
  if (std::atexit(write_at_exit) != 0) log("KILN_EMULATOR_PROFILE: there will be no report at the end of the process");
}

void write_profile_report() noexcept {
  const std::string& setting = Settings::get().profile;
  if (setting.empty() || setting == in_terminal) return;
  try {
    const std::string name = file_name(setting);
    const std::string json = ProfileStore::get().locked(json_report);
    const int result = write_named_file(name, name.ends_with(".html") ? profile_page(json) : json);
    if (result != 0) log("KILN_EMULATOR_PROFILE: cannot write " + name + ": " + std::strerror(-result));
  } catch (const std::exception& error) {
    log(std::string("KILN_EMULATOR_PROFILE: ") + error.what());
  }
}

}  // namespace kiln::emulator
