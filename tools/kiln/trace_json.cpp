#include "base/json_object.hpp"
#include "trace.hpp"

namespace kiln::tool {

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
