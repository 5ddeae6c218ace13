#include "trace.hpp"

#include <nlohmann/json.hpp>

namespace kiln::tool {

namespace {

constexpr double nanoseconds_in_microsecond = 1000;

nlohmann::ordered_json event_json(const TraceEvent& event) {
  nlohmann::ordered_json object = {{"name", event.text()},
                                   {"cat", event.kind},
                                   {"ph", event.is_mark ? "i" : "X"},
                                   {"pid", event.process},
                                   {"tid", event.thread},
                                   {"ts", static_cast<double>(event.begin) / nanoseconds_in_microsecond}};
  if (event.is_mark)
    object["s"] = "t";  // of its thread
  else
    object["dur"] = static_cast<double>(event.duration) / nanoseconds_in_microsecond;
  if (event.is_open) object["args"] = {{"did not end", true}};
  return object;
}

}  // namespace

std::string trace_json(const Trace& trace) {
  nlohmann::ordered_json events = nlohmann::ordered_json::array();
  for (const auto& [process, name] : trace.processes)
    events.push_back({{"name", "process_name"}, {"ph", "M"}, {"pid", process}, {"args", {{"name", name}}}});
  for (const TraceEvent& event : trace.events) events.push_back(event_json(event));
  const nlohmann::ordered_json all = {{"displayTimeUnit", "ms"}, {"traceEvents", events}};
  // A name may hold bytes that are no UTF-8, or be cut within a character.
  return all.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace kiln::tool
