#include "base/printable_text.hpp"
#include "table.hpp"
#include "trace.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

namespace kiln::tool {

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

struct Kind {
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
std::string name_rows(const Kind& kind) {
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

std::vector<std::string> kinds_in_order(const std::map<std::string, Kind>& kinds) {
  std::vector<std::string> order;
  for (const std::string_view usual : usual_kinds)
    if (kinds.count(std::string(usual)) != 0) order.emplace_back(usual);
  for (const auto& [kind, unused] : kinds)
    if (std::find(order.begin(), order.end(), kind) == order.end()) order.push_back(kind);
  return order;
}

}  // namespace

std::string trace_table(const Trace& trace) {
  std::map<std::string, Kind> kinds;
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
