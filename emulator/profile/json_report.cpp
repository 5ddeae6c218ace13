#include "emulator/profile/json_report.hpp"

#include "base/file_system.hpp"
#include "base/files.hpp"
#include "base/json_object.hpp"
#include "base/text_parts.hpp"
#include "emulator/core/device_attributes.hpp"
#include "emulator/machine/code_place.hpp"
#include "emulator/profile/advice.hpp"
#include "emulator/profile/launch_occupancy.hpp"
#include "emulator/profile/report_rows.hpp"
#include "toolkit/names/kernel_name.hpp"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

namespace kiln::emulator {

namespace {

// Of the character that begins there: its bytes, as many as are right; 0 for none.
std::size_t character_length(std::string_view text) {
  const auto first = static_cast<unsigned char>(text.front());
  const std::size_t length = first < 0x80 ? 1 : first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : first >= 0xC0 ? 2 : 0;
  return length <= text.size() ? length : 0;
}

// Texts of strangers for a report: they become valid JSON, whatever they hold.

/// A JSON string. Bytes that are no UTF-8 become U+FFFD.
std::string valid_json_text(std::string_view text) {
  std::string json = json_text(text);
  if (json.starts_with('"')) return json;
  std::string valid;
  while (!text.empty()) {
    const std::size_t length = character_length(text);
    const std::string_view character = text.substr(0, std::max<std::size_t>(length, 1));
    const bool is_valid = length != 0 && json_text(character).starts_with('"');
    valid += is_valid ? character : std::string_view("\xEF\xBF\xBD");
    text.remove_prefix(is_valid ? length : 1);
  }
  return json_text(valid);
}

/// "0x7f00"
std::string hex_text(std::uint64_t number) {
  char digits[16];
  const auto [end, error] = std::to_chars(std::begin(digits), std::end(digits), number, 16);
  return "0x" + std::string(std::begin(digits), end);
}

/// The text of an ordinary file; nothing if there is none, or it is larger.
std::optional<std::string> file_text(const std::string& path, std::size_t most) {
  ReadOptions options;
  options.max_size = most;
  FileStatus status;
  std::string text;
  if (read_file(FileSystem::real(), path, text, status, options) != 0) return std::nullopt;
  return text;
}

constexpr std::size_t longest_text = std::size_t{4} << 20;

using RowNumbers = std::unordered_map<const InstructionCounts*, std::size_t>;

std::string number_json(std::uint64_t number) { return std::to_string(number); }

std::string size_json(const Dim3& size) {
  return json_array({number_json(size.x), number_json(size.y), number_json(size.z)});
}

// Without zeros.
JsonObject counters_json(const Counters& counters) {
  JsonObject json;
  for (std::size_t i = 0; i < counter_count; ++i)
    if (counters.values[i] != 0) json.add_json(name_of(static_cast<Counter>(i)).key, number_json(counters.values[i]));
  return json;
}

std::string metrics_json() {
  JsonObject json;
  for (std::size_t i = 0; i < counter_count; ++i) {
    const CounterName& name = name_of(static_cast<Counter>(i));
    JsonObject metric;
    metric.add("unit", name.unit);
    if (name.nsight.empty())
      metric.add_json("nsight", "null");
    else
      metric.add("nsight", name.nsight);
    metric.add("text", name.text);
    json.add_json(name.key, metric.text());
  }
  return json.text();
}

void add_place(JsonObject& json, const SourcePlace* place) {
  json.add_json("source", place == nullptr ? "null" : number_json(place->source));
  json.add_json("line", place == nullptr ? "null" : number_json(place->line));
}

const SourcePlace* innermost(const InstructionCounts* row) {
  return row == nullptr || row->places.empty() ? nullptr : &row->places.front();
}

std::string instruction_json(const InstructionCounts& row) {
  JsonObject json;
  json.add_json("ptx_line", number_json(row.ptx_line));
  json.add_json("function", valid_json_text(demangle(row.function)));
  json.add_json("text", valid_json_text(row.text));
  json.add("kind", name_of(row.kind));
  add_place(json, innermost(&row));
  std::vector<std::string> outer;
  for (std::size_t i = 1; i < row.places.size(); ++i) {
    JsonObject place;
    add_place(place, &row.places[i]);
    outer.push_back(place.text());
  }
  if (!outer.empty()) json.add_json("inlined_at", json_array(outer));
  if (row.access) {
    JsonObject access;
    access.add("space", row.access->space).add("operation", row.access->operation);
    if (row.access->bytes != 0) access.add_json("bytes", number_json(row.access->bytes));
    json.add_json("access", access.text());
  }
  return json.add_json("counters", counters_json(row.counters).text()).text();
}

std::string lines_json(const std::vector<const InstructionCounts*>& rows) {
  std::vector<std::string> all;
  for (const auto& [key, counters] : lines_of(rows)) {
    const SourcePlace place{static_cast<std::size_t>(key.first), key.second};
    JsonObject json;
    add_place(json, key.first < 0 ? nullptr : &place);
    all.push_back(json.add_json("counters", counters_json(counters).text()).text());
  }
  return json_array(all);
}

std::string totals_json(const LaunchEntry& entry, const std::vector<const InstructionCounts*>& rows) {
  const Counters total = total_of(rows);
  JsonObject json = counters_json(total);
  const auto threads = threads_by_kind(rows);
  for (std::size_t i = 0; i < kind_count; ++i)
    if (threads[i] != 0)
      json.add_json(std::string("thread_inst_executed_op_") + name_of(static_cast<InstructionKind>(i)),
                    number_json(threads[i]));
  if (const std::uint64_t bytes = global_bytes(total)) json.add_json("global_bytes", number_json(bytes));
  const std::uint64_t blocks = entry.grid.count() * entry.launches;
  json.add_json("warps", number_json(blocks * ((entry.block.count() + warp_size - 1) / warp_size)));
  return json.add_json("threads", number_json(blocks * entry.block.count())).text();
}

const char* word_for(Operation operation) {
  return operation == Operation::load ? "load" : operation == Operation::store ? "store" : "atomic";
}

const char* word_for(ptx::Space space) {
  switch (space) {
    case ptx::Space::shared:
      return "shared";
    case ptx::Space::local:
      return "local";
    case ptx::Space::constant:
      return "constant";
    default:
      return "global";
  }
}

std::string sample_json(const AccessSample& sample, std::size_t instruction, bool is_worst) {
  JsonObject json;
  json.add_json("instruction", number_json(instruction));
  json.add("space", word_for(sample.space)).add("operation", word_for(sample.operation));
  json.add_json("block", size_json(sample.block)).add_json("warp", number_json(sample.warp));
  if (is_worst) json.add("worst", true);
  json.add("lanes", hex_text(sample.lanes)).add_json("bytes", number_json(sample.size));
  json.add("base", hex_text(sample.base));
  if (!sample.base_name.empty()) json.add_json("base_name", valid_json_text(sample.base_name));
  std::vector<std::string> offsets;
  for (unsigned lane = 0; lane < warp_size; ++lane) {
    const bool is_active = (sample.lanes >> lane & 1u) != 0;
    offsets.push_back(is_active ? std::to_string(static_cast<std::int64_t>(sample.at[lane] - sample.base)) : "null");
  }
  json.add_json("offsets", json_array(offsets));
  const char* const units = sample.space == ptx::Space::shared     ? "wavefronts"
                            : sample.space == ptx::Space::constant ? "addresses"
                                                                   : "sectors";
  return json.add_json(units, number_json(sample.units)).text();
}

std::string samples_json(const std::vector<const InstructionCounts*>& rows) {
  std::vector<std::string> all;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (const AccessSample& each : rows[i]->firsts) all.push_back(sample_json(each, i, false));
    if (rows[i]->worst) all.push_back(sample_json(*rows[i]->worst, i, true));
  }
  return json_array(all);
}

std::string trace_json(const LaunchEntry& entry, const RowNumbers& numbers) {
  if (entry.trace.empty()) return "null";
  std::string steps = "[";
  for (const LaunchEntry::TraceRow& each : entry.trace) {
    if (steps.size() > 1) steps += ',';
    steps += json_array({number_json(numbers.at(each.row)), number_json(each.lanes), number_json(each.active)});
  }
  const std::uint64_t threads = entry.block.count();
  JsonObject json;
  json.add_json("block", "[0,0,0]").add_json("warp", "0");
  json.add_json("threads", number_json(threads >= warp_size ? all_lanes : (LaneMask{1} << threads) - 1));
  return json.add_json("steps", steps + "]").add("truncated", entry.is_trace_cut).text();
}

std::string advice_json(const LaunchEntry& entry, const RowNumbers& numbers) {
  std::vector<std::string> all;
  for (const Advice& each : advice_for(entry)) {
    JsonObject json;
    json.add("rule", each.rule);
    json.add("severity", each.severity == Advice::Severity::high     ? "high"
                         : each.severity == Advice::Severity::medium ? "medium"
                                                                     : "low");
    add_place(json, innermost(each.row));
    if (each.row != nullptr) json.add_json("instruction", number_json(numbers.at(each.row)));
    all.push_back(json.add_json("text", valid_json_text(each.text)).text());
  }
  return json_array(all);
}

std::string busiest_json(const BusiestThread& thread) {
  JsonObject json;
  json.add_json("global_reads", number_json(thread.global_reads));
  json.add_json("global_writes", number_json(thread.global_writes));
  json.add_json("shared_reads", number_json(thread.shared_reads));
  return json.add_json("shared_writes", number_json(thread.shared_writes)).text();
}

// From 0 to 1, in steps of a ten-thousandth. Without the locale.
std::string share_json(std::uint64_t part, std::uint64_t whole) {
  const std::uint64_t share = (part * 10'000 + whole / 2) / whole;
  const std::string digits = std::to_string(10'000 + share % 10'000);
  return std::to_string(share / 10'000) + "." + digits.substr(1);
}

void add_occupancy(JsonObject& json, const std::optional<LaunchOccupancy>& occupancy) {
  if (!occupancy) {
    json.add_json("registers", "null").add_json("spill_bytes", "null").add_json("occupancy", "null");
    return;
  }
  const KernelResources& resources = occupancy->resources;
  json.add_json("registers", number_json(resources.registers));
  json.add_json("spill_bytes", resources.spill_bytes ? number_json(*resources.spill_bytes) : "null");
  JsonObject limits;
  limits.add_json("registers", number_json(occupancy->limits.registers));
  limits.add_json("shared", number_json(occupancy->limits.shared));
  limits.add_json("warps", number_json(occupancy->limits.warps));
  limits.add_json("blocks", number_json(occupancy->limits.blocks));
  JsonObject all;
  all.add_json("theoretical", share_json(occupancy->warps, occupancy->most_warps));
  all.add_json("warps", number_json(occupancy->warps)).add_json("warps_max", number_json(occupancy->most_warps));
  all.add_json("blocks", number_json(occupancy->blocks));
  if (occupancy->limited_by != nullptr)
    all.add("limited_by", occupancy->limited_by);
  else
    all.add_json("limited_by", "null");
  json.add_json("occupancy", all.add_json("limits", limits.text()).text());
}

std::string launch_json(const ProfileStore& store, const LaunchEntry& entry) {
  const std::vector<const InstructionCounts*> rows = rows_of(entry);
  RowNumbers numbers;
  for (std::size_t i = 0; i < rows.size(); ++i) numbers[rows[i]] = i;
  JsonObject json;
  json.add_json("kernel", valid_json_text(demangle(entry.kernel))).add_json("mangled", valid_json_text(entry.kernel));
  json.add_json("program", number_json(entry.program));
  json.add_json("grid", size_json(entry.grid)).add_json("block", size_json(entry.block));
  json.add_json("static_shared_bytes", number_json(entry.static_shared));
  json.add_json("dynamic_shared_bytes", number_json(entry.dynamic_shared));
  json.add_json("local_bytes", number_json(entry.local_bytes)).add("cooperative", entry.cooperative);
  json.add_json("launches", number_json(entry.launches)).add_json("failed", number_json(entry.failed));
  add_occupancy(json, occupancy_of(store, entry));
  json.add_json("totals", totals_json(entry, rows)).add_json("busiest_thread", busiest_json(entry.busiest));
  json.add_json("lines", lines_json(rows));
  std::vector<std::string> instructions;
  instructions.reserve(rows.size());
  for (const InstructionCounts* const row : rows) instructions.push_back(instruction_json(*row));
  json.add_json("instructions", json_array(instructions));
  json.add_json("samples", samples_json(rows)).add_json("trace", trace_json(entry, numbers));
  return json.add_json("advice", advice_json(entry, numbers)).text();
}

std::string text_lines_json(std::string_view text) {
  if (text.size() > longest_text) return "null";
  std::vector<std::string> lines;
  while (!text.empty()) lines.push_back(valid_json_text(next_line(text)));
  return json_array(lines);
}

std::string source_json(const ProfiledSource& source) {
  const std::optional<std::string> text = source.text ? source.text : file_text(source.name, longest_text);
  JsonObject json;
  json.add_json("name", valid_json_text(source.name));
  return json.add_json("text", text ? text_lines_json(*text) : "null").text();
}

std::string program_json(const ProfiledProgram& program) {
  JsonObject json;
  json.add_json("target", valid_json_text(program.target)).add("ptx_version", program.version);
  if (!program.resources.missing.empty()) json.add_json("no_machine_code", valid_json_text(program.resources.missing));
  return json.add_json("ptx", text_lines_json(without_embedded_sources(*program.text))).text();
}

template <class Items, class F>
std::string json_array_of(const Items& items, F f) {
  std::vector<std::string> all;
  all.reserve(items.size());
  for (const auto& each : items) all.push_back(f(each));
  return json_array(all);
}

}  // namespace

std::string json_report(const ProfileStore& store) {
  JsonObject device;
  device.add("name", "Kiln PTX emulator");
  device.add("compute_capability", std::to_string(device_arch() / 10) + "." + std::to_string(device_arch() % 10));
  JsonObject json;
  json.add("format", "kiln-emulator-profile").add("version", 1).add_json("device", device.text());
  json.add_json("metrics", metrics_json()).add_json("sources", json_array_of(store.sources(), source_json));
  json.add_json("programs", json_array_of(store.programs(), program_json));
  // A launch that has not ended has no counts yet.
  std::vector<std::string> launches;
  for (const LaunchEntry& each : store.entries())
    if (each.launches != 0) launches.push_back(launch_json(store, each));
  json.add_json("launches", json_array(launches));
  return json.add_json("launches_omitted", number_json(store.omitted())).text() + "\n";
}

}  // namespace kiln::emulator
