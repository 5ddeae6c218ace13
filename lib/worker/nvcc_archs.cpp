#include "worker/nvcc_archs.hpp"

#include "base/text_parts.hpp"
#include "compile/identity/nvcc_environment.hpp"

#include <algorithm>
#include <charconv>
#include <map>
#include <string_view>

namespace kiln {

namespace {

/// Lines such as "sm_90".
std::vector<int> read_list(std::string_view text) {
  std::vector<int> archs;
  constexpr std::string_view prefix = "sm_";
  while (!text.empty()) {
    const std::string_view line = next_line(text);
    int number = 0;
    if (line.substr(0, prefix.size()) == prefix) {
      const auto [rest, error] = std::from_chars(line.data() + prefix.size(), line.data() + line.size(), number);
      if (error == std::errc() && rest == line.data() + line.size()) archs.push_back(number);
    }
  }
  std::sort(archs.begin(), archs.end());
  return archs;
}

}  // namespace

std::vector<int> nvcc_archs(const std::string& nvcc, ProcessRunner& runner) {
  static std::map<std::string, std::vector<int>> known;
  if (const auto found = known.find(nvcc); found != known.end()) return found->second;
  std::vector<int> archs = read_list(runner.run({{nvcc, "--list-gpu-code"}, nvcc_environment()}).output);
  if (!archs.empty()) known[nvcc] = archs;
  return archs;
}

}  // namespace kiln
