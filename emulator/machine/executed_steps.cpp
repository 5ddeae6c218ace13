#include "emulator/machine/executed_steps.hpp"

#include "emulator/machine/code_place.hpp"

#include <algorithm>
#include <limits>
#include <vector>

namespace kiln::emulator {
namespace {

constexpr std::size_t listed_lines = 5;

// A source line, and the PTX lines that it became.
struct CountedLine {
  std::string place;
  std::uint64_t count = 0;
  std::uint32_t first = std::numeric_limits<std::uint32_t>::max(), last = 0;
};

std::string ptx_lines(const CountedLine& line) {
  if (line.first == line.last) return "PTX line " + std::to_string(line.first);
  return "PTX lines " + std::to_string(line.first) + " to " + std::to_string(line.last);
}

}  // namespace

std::string ExecutedSteps::most_executed() const {
  std::map<std::string, CountedLine> by_place;
  std::uint64_t all = 0;
  for (const auto& [step, count] : counts_) {
    const Code& code = *step.first;
    const std::uint32_t instruction = code.steps[step.second].instruction;
    if (instruction >= code.source->instructions.size()) continue;  // the end of the function
    const std::vector<std::string> places = source_places(code, instruction);
    CountedLine& line = by_place[places.empty() ? ptx_place(code, instruction) : places.front()];
    const std::uint32_t number = code.source->instructions[instruction].line;
    line.place = places.empty() ? std::string() : places.front();
    line.count += count;
    line.first = std::min(line.first, number);
    line.last = std::max(line.last, number);
    all += count;
  }
  std::vector<std::pair<std::string, CountedLine>> lines(by_place.begin(), by_place.end());
  std::stable_sort(lines.begin(), lines.end(),
                   [](const auto& a, const auto& b) { return a.second.count > b.second.count; });
  std::string text;
  for (std::size_t i = 0; i < std::min(lines.size(), listed_lines); ++i) {
    const CountedLine& line = lines[i].second;
    text += "\n    " + std::to_string((line.count * 100 + all / 2) / all) + " % " +
            (line.place.empty() ? lines[i].first : ptx_lines(line) + ", " + line.place);
  }
  return text;
}

}  // namespace kiln::emulator
