#include "timing_table.hpp"

#include "compile/options/target_name.hpp"
#include "milliseconds.hpp"
#include "printable.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <optional>

namespace kiln::tool {

namespace {

using Time = std::optional<std::chrono::microseconds>;

constexpr std::size_t width = 10;

std::string row(const Time& time, const std::string& what) {
  const std::string figure = time ? milliseconds(*time) : "-";
  return std::string(figure.size() < width ? width - figure.size() : 0, ' ') + figure + "  " + what + "\n";
}

/// What is no phase of the compiler.
Time rest_of(const CompileTiming& timing) {
  std::chrono::microseconds rest = *timing.compile;
  for (const Time& phase : {timing.front_end, timing.optimizer, timing.ptxas})
    rest -= phase.value_or(std::chrono::microseconds());
  return std::max(rest, std::chrono::microseconds());
}

std::string compile_rows(const CodeObject& code) {
  const CompileTiming& timing = code.timing();
  std::string text = row(timing.compile, "compile by " + backend_name(code.backend()));
  text += row(timing.front_end, "  front end");
  text +=
      row(timing.headers, timing.precompiled_header ? "    headers, measured apart: the compile had them precompiled"
                                                    : "    headers, measured apart");
  text += row(timing.optimizer, "  optimizer");
  text += row(timing.ptxas, "  ptxas");
  text += row(rest_of(timing), "  the rest: starting kiln-worker, other attempts, what the code depends on");
  return text + row(timing.store, "store");
}

std::string header_rows(const CompileTiming& timing) {
  if (timing.slowest_headers.empty()) return {};
  std::string text = "the headers that the source includes, slowest first:\n";
  for (const HeaderTime& header : timing.slowest_headers) text += row(header.time, printable(header.name));
  return text;
}

}  // namespace

std::chrono::microseconds time_in_all(const CompileTiming& timing) {
  const std::chrono::microseconds none{};
  return timing.look_up + timing.compile.value_or(none) + timing.store.value_or(none);
}

std::string timing_table(const CodeObject& code) {
  const CompileTiming& timing = code.timing();
  std::string text = std::string(width - 2, ' ') + "ms\n" + row(timing.look_up, "look-up");
  if (!timing.compile) return text + "found in the cache, so that nothing was compiled: --no-cache compiles it\n";
  text += compile_rows(code);
  if (text.find(" -  ") != std::string::npos) text += "-: this compiler does not tell it\n";
  return text + header_rows(timing);
}

}  // namespace kiln::tool
