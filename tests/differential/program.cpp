#include "program.hpp"

#include <algorithm>
#include <fstream>
#include <regex>
#include <stdexcept>

namespace differential {
namespace {

kiln::Dim3 dim3_of(const std::string& text) {
  unsigned value[3] = {1, 1, 1};
  std::size_t count = 0;
  const std::regex number("[0-9]+");
  for (std::sregex_iterator each(text.begin(), text.end(), number), end; each != end && count < 3; ++each)
    value[count++] = static_cast<unsigned>(std::stoul(each->str()));
  return {value[0], value[1], value[2]};
}

Comparison comparison_of(const std::string& name, const std::string& bound) {
  using Kind = Comparison::Kind;
  if (name == "exact") return {};
  if (name == "f16") return {Kind::f16_ulps, std::stod(bound)};
  if (name == "f32") return {Kind::f32_ulps, std::stod(bound)};
  if (name == "f64") return {Kind::f64_ulps, std::stod(bound)};
  if (name == "absolute") return {Kind::f32_absolute, std::stod(bound)};
  if (name == "relative") return {Kind::f32_relative, std::stod(bound)};
  throw std::runtime_error("no comparison is named " + name);
}

// Groups: name, grid, block, shared, kind, words, words, rows, comparison, bound, the rest.
const std::regex& description() {
  static const std::regex made(
      R"(// (\w+) <<<(\([^)]*\)|\d+), (\([^)]*\)|\d+)(?:, (\d+))?>>> in (\w+) (\d+) out (\d+) rows (\d+) )"
      R"((\w+)(?: ([0-9.e-]+))?((?: \w+)*))");
  return made;
}

Program program_of(const std::string& file, const std::string& line) {
  std::smatch match;
  if (!std::regex_match(line, match, description())) throw std::runtime_error(file + ": cannot be read: " + line);
  Program program;
  program.file = file;
  program.name = match[1];
  program.grid = dim3_of(match[2]);
  program.block = dim3_of(match[3]);
  if (match[4].matched) program.shared = static_cast<unsigned>(std::stoul(match[4]));
  program.input = match[5];
  program.input_words = std::stoul(match[6]);
  program.output_words = std::stoul(match[7]);
  program.rows = std::stoul(match[8]);
  program.comparison = comparison_of(match[9], match[10]);
  const std::string rest = match[11];
  const auto says = [&](const char* word) { return rest.find(word) != std::string::npos; };
  program.cooperative = says("cooperative");
  program.prints = says("prints");
  program.dynamic = says("dynamic");
  program.for_hopper = says("sm_90a");
  program.has_plain = says("plain");
  return program;
}

}  // namespace

std::vector<Program> read_programs(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (entry.path().extension() == ".cu") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  std::vector<Program> programs;
  for (const std::filesystem::path& path : files) {
    std::ifstream file(path);
    for (std::string line; std::getline(file, line);)
      if (line.rfind("// ", 0) == 0 && line.find("<<<") != std::string::npos)
        programs.push_back(program_of(path.stem().string(), line));
  }
  return programs;
}

}  // namespace differential
