#include "worker/nvrtc/time_table.hpp"

#include "base/text_parts.hpp"

#include <charconv>
#include <cstdint>
#include <string>
#include <system_error>
#include <vector>

namespace kiln {

namespace {

/// More than any compile takes, so that sums stay numbers.
constexpr std::int64_t longest_ms = 1'000'000'000;

std::optional<std::int64_t> milliseconds_of(std::string_view text) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool is_all = error == std::errc() && end == text.data() + text.size();
  return is_all && number >= 0 && number <= longest_ms ? std::optional(number) : std::nullopt;
}

std::optional<std::chrono::microseconds>* phase_of(std::string_view name, CompilerTimes& times) {
  if (name == "CUDA C++ Frontend") return &times.front_end;
  if (name == "NVVM Optimizer") return &times.optimizer;
  if (name == "PTX Translation") return &times.ptxas;
  return nullptr;
}

}  // namespace

// "kernel.cu, CUDA C++ Frontend, 1080, ms". The name may have commas.
void read_time_table(std::string_view text, CompilerTimes& times) {
  while (!text.empty()) {
    const std::vector<std::string> cells = split(std::string(next_line(text)), ',');
    if (cells.size() < 4 || trimmed(cells.back()) != "ms") continue;
    auto* const phase = phase_of(trimmed(cells[cells.size() - 3]), times);
    const auto time = milliseconds_of(trimmed(cells[cells.size() - 2]));
    if (phase != nullptr && time)
      *phase = phase->value_or(std::chrono::microseconds()) + std::chrono::milliseconds(*time);
  }
}

}  // namespace kiln
