#include "timing_table.hpp"

#include "base/printable_text.hpp"
#include "compile/options/target_name.hpp"
#include "figures.hpp"
#include "table.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <optional>

namespace kiln::tool {

namespace {

using Time = std::optional<std::chrono::microseconds>;

constexpr int width = 10;

std::string row(const Time& time, const std::string& what) {
  return table_row({time ? milliseconds(*time) : "-", what}, {width});
}

/// What is no phase of NVRTC.
Time rest_of(const CompileTiming& timing) {
  std::chrono::microseconds rest = *timing.compile;
  for (const Time& phase : {timing.front_end, timing.optimizer, timing.ptxas})
    rest -= phase.value_or(std::chrono::microseconds());
  return std::max(rest, std::chrono::microseconds());
}

std::string phase_rows(const CompileTiming& timing, const std::string& headers) {
  return row(timing.front_end, "  front end") + row(timing.headers, "    headers" + headers) +
         row(timing.optimizer, "  optimizer") + row(timing.ptxas, "  ptxas");
}

/// Why NVRTC's headers are no part of the front end's time.
std::string apart(const CompileTiming& timing) {
  return timing.precompiled_header ? ", measured apart: the compile had them precompiled" : ", measured apart";
}

std::string compile_rows(const CodeObject& code) {
  const CompileTiming& timing = code.timing();
  std::string text = row(timing.compile, "compile by " + backend_name(code.backend()));
  if (code.backend() == Backend::nvcc) {
    text += table_row({"", "in a second compile, measured apart:"}, {width}) + phase_rows(timing, "");
  } else {
    text += phase_rows(timing, apart(timing));
    text += row(rest_of(timing), "  the rest: starting kiln-worker, other attempts, what the code depends on");
  }
  const bool lacks_phases = text.find(" -  ") != std::string::npos;
  text += row(timing.store, timing.store ? "store" : "store: the code is not kept");
  return lacks_phases ? text + "-: this compiler does not tell it\n" : text;
}

std::string header_rows(const CompileTiming& timing) {
  if (timing.slowest_headers.empty()) return {};
  std::string text = "the headers that the source includes, slowest first:\n";
  for (const HeaderTime& header : timing.slowest_headers) text += row(header.time, printable_line(header.name));
  return text;
}

}  // namespace

std::chrono::microseconds time_in_all(const CompileTiming& timing) {
  const std::chrono::microseconds none{};
  return timing.look_up + timing.compile.value_or(none) + timing.store.value_or(none);
}

std::string timing_table(const CodeObject& code) {
  const CompileTiming& timing = code.timing();
  std::string text = cell("ms", width) + "\n" + row(timing.look_up, "look-up");
  if (!timing.compile) return text + "found in the cache, so that nothing was compiled: --no-cache compiles it\n";
  return text + compile_rows(code) + header_rows(timing);
}

}  // namespace kiln::tool
