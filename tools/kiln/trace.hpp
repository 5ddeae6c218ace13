// What `kiln trace` saw of a program: the ranges of its processes.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace kiln::tool {

struct TraceEvent {
  std::int64_t process = 0;
  std::int64_t thread = 0;
  std::int64_t begin = 0;     // ns of the system's monotonic clock
  std::int64_t duration = 0;  // ns; 0 of a mark
  std::string kind;           // "compile"
  std::string name;           // "scale.cu"; may be empty
  std::string within;         // of a mark: the kind of the outermost range around it; may be empty
  bool is_mark = false;       // one moment
  bool is_open = false;       // did not end: the process did, or a fault is in Kiln

  std::string text() const { return name.empty() ? kind : kind + ": " + name; }
};

struct Trace {
  std::map<std::int64_t, std::string> processes;  // names by number
  std::vector<TraceEvent> events;

  bool empty() const noexcept { return events.empty(); }
};

/// Adds what a process wrote. A line that is none, as a full disk leaves one, is passed over.
void add_part(Trace& trace, std::string_view lines);

/// How often, how long, and for which names; ends with a line feed.
std::string trace_table(const Trace& trace);
/// In the format of Chrome's traces, which Perfetto opens.
std::string trace_json(const Trace& trace);

}  // namespace kiln::tool
