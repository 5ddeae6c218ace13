#include "trace.hpp"

#include "base/json_object.hpp"
#include "base/text_parts.hpp"

#include <charconv>
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

}  // namespace kiln::tool
