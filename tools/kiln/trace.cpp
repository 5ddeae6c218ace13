#include "trace.hpp"

#include "base/json_object.hpp"
#include "base/printable_text.hpp"
#include "base/text_parts.hpp"
#include "table.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <system_error>
#include <utility>

namespace kiln::tool {

namespace {

struct Line {
  char what = 0;
  std::int64_t process = 0, thread = 0, time = 0;
  std::string_view text;
};

bool take_number(std::string_view& text, std::int64_t& number) {
  if (text.empty() || text.front() != ' ') return false;
  const auto [end, error] = std::from_chars(text.data() + 1, text.data() + text.size(), number);
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return error == std::errc();
}

bool read_line(std::string_view text, Line& line) {
  if (text.empty()) return false;
  line.what = text.front();
  text.remove_prefix(1);
  if (!take_number(text, line.process) || !take_number(text, line.thread) || !take_number(text, line.time))
    return false;
  if (text.empty() || text.front() != ' ') return false;
  line.text = text.substr(1);
  return true;
}

/// The text is a kind and a name.
TraceEvent event_of(const Line& line) {
  TraceEvent event;
  event.process = line.process;
  event.thread = line.thread;
  event.begin = line.time;
  const std::size_t colon = line.text.find(": ");
  event.kind = line.text.substr(0, colon);
  if (colon != std::string_view::npos) event.name = line.text.substr(colon + 2);
  return event;
}

}  // namespace

void add_part(Trace& trace, std::string_view lines) {
  std::map<std::pair<std::int64_t, std::int64_t>, std::vector<std::size_t>> open;  // by process and thread
  std::map<std::int64_t, std::int64_t> last;                                       // times of processes
  while (!lines.empty()) {
    Line line;
    if (!read_line(next_line(lines), line)) continue;
    last[line.process] = line.time;
    auto& ranges = open[{line.process, line.thread}];
    if (line.what == 'p') {
      trace.processes[line.process] = line.text;
    } else if (line.what == 'b') {
      ranges.push_back(trace.events.size());
      trace.events.push_back(event_of(line));
    } else if (line.what == 'm') {
      trace.events.push_back(event_of(line));
      trace.events.back().is_mark = true;
      if (!ranges.empty()) trace.events.back().within = trace.events[ranges.front()].kind;
    } else if (line.what == 'e' && !ranges.empty()) {
      trace.events[ranges.back()].duration = line.time - trace.events[ranges.back()].begin;
      ranges.pop_back();
    }
  }
  for (const auto& [thread, ranges] : open)
    for (const std::size_t index : ranges) {
      trace.events[index].duration = last[thread.first] - trace.events[index].begin;
      trace.events[index].is_open = true;
    }
}

namespace {

constexpr double nanoseconds_in_microsecond = 1000;

std::string event_json(const TraceEvent& event) {
  JsonReport object;
  object.add("name", event.text()).add("cat", event.kind).add("ph", event.is_mark ? "i" : "X");
  object.add("pid", event.process).add("tid", event.thread);
  object.add("ts", static_cast<double>(event.begin) / nanoseconds_in_microsecond);
  if (event.is_mark)
    object.add("s", "t");  // of its thread
  else
    object.add("dur", static_cast<double>(event.duration) / nanoseconds_in_microsecond);
  if (event.is_open) object.add_json("args", JsonReport().add("did not end", true).text());
  return object.text();
}

}  // namespace

std::string trace_json(const Trace& trace) {
  std::vector<std::string> events;
  for (const auto& [process, name] : trace.processes)
    events.push_back(JsonReport()
                         .add("name", "process_name")
                         .add("ph", "M")
                         .add("pid", process)
                         .add_json("args", JsonReport().add("name", name).text())
                         .text());
  for (const TraceEvent& event : trace.events) events.push_back(event_json(event));
  // A name may hold bytes that are no UTF-8, or be cut within a character.
  return JsonReport().add("displayTimeUnit", "ms").add_json("traceEvents", json_array(events)).text() + "\n";
}

namespace {

constexpr std::array<std::string_view, 9> usual_kinds = {"look-up", "wait",  "fetch", "compile", "stage",
                                                         "link",    "store", "load",  "launch"};
constexpr std::size_t most_names = 10;  // of a kind

struct Figures {
  std::size_t count = 0;
  std::int64_t total = 0;
  std::int64_t longest = 0;
  std::size_t open = 0;
};

struct RangeKind {
  Figures all;
  std::map<std::string, Figures> names;
  std::map<std::string, std::size_t> marks;  // within its ranges
};

void add(Figures& figures, const TraceEvent& event) {
  ++figures.count;
  figures.total += event.duration;
  figures.longest = std::max(figures.longest, event.duration);
  if (event.is_open) ++figures.open;
}

std::string trace_row(const std::string& count, const std::string& total, const std::string& longest,
                      const std::string& what) {
  return table_row({count, total, longest, what}, {9, 12, 12}, "");
}

/// In milliseconds, to the microsecond, as launches take few of them.
std::string in_milliseconds(std::int64_t nanoseconds) {
  const std::int64_t microseconds = nanoseconds / 1000;
  const std::string fraction = std::to_string(microseconds % 1000);
  return std::to_string(microseconds / 1000) + "." + std::string(3 - fraction.size(), '0') + fraction;
}

std::string row(const Figures& figures, const std::string& what) {
  const std::string fault = figures.open == 0 ? "" : " (" + std::to_string(figures.open) + " did not end)";
  return trace_row(std::to_string(figures.count), in_milliseconds(figures.total), in_milliseconds(figures.longest),
                   "  " + printable_line(what) + fault);
}

std::string count_row(std::size_t count, const std::string& what) {
  return trace_row(std::to_string(count), "", "", "  " + printable_line(what));
}

/// Those that took longest first.
std::string name_rows(const RangeKind& kind) {
  std::vector<std::pair<std::string, Figures>> names(kind.names.begin(), kind.names.end());
  std::stable_sort(names.begin(), names.end(),
                   [](const auto& a, const auto& b) { return a.second.total > b.second.total; });
  std::string text;
  for (std::size_t i = 0; i < std::min(most_names, names.size()); ++i)
    text += row(names[i].second, "  " + names[i].first);
  if (names.size() > most_names)
    text += trace_row("", "", "", "  and " + std::to_string(names.size() - most_names) + " more");
  return text;
}

std::vector<std::string> kinds_in_order(const std::map<std::string, RangeKind>& kinds) {
  std::vector<std::string> order;
  for (const std::string_view usual : usual_kinds)
    if (kinds.count(std::string(usual)) != 0) order.emplace_back(usual);
  for (const auto& [kind, unused] : kinds)
    if (std::find(order.begin(), order.end(), kind) == order.end()) order.push_back(kind);
  return order;
}

}  // namespace

std::string trace_table(const Trace& trace) {
  std::map<std::string, RangeKind> kinds;
  for (const TraceEvent& event : trace.events) {
    if (event.is_mark) {
      ++kinds[event.within].marks[event.text()];
      continue;
    }
    add(kinds[event.kind].all, event);
    if (!event.name.empty()) add(kinds[event.kind].names[event.name], event);
  }
  std::string text = trace_row("count", "total ms", "longest ms", "");
  for (const std::string& kind : kinds_in_order(kinds)) {
    if (!kind.empty()) text += row(kinds.at(kind).all, kind) + name_rows(kinds.at(kind));
    for (const auto& [mark, count] : kinds.at(kind).marks) text += count_row(count, "  " + mark);
  }
  return text;
}

}  // namespace kiln::tool
