#include "worker/nvcc_archs.hpp"

#include "base/fork_safe_instance.hpp"
#include "base/fork_safe_mutex.hpp"
#include "base/text_parts.hpp"
#include "compile/nvcc_environment.hpp"

#include <algorithm>
#include <charconv>
#include <map>
#include <mutex>
#include <string_view>

namespace kiln {

namespace {

struct Memo {
  ForkSafeMutex mutex;
  std::map<std::string, std::vector<int>> archs;
};

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

std::vector<int> nvcc_archs(const std::string& nvcc, const Stop& stop, ProcessRunner& runner) {
  auto& memo = fork_safe_instance<Memo>();
  {
    const std::lock_guard lock(memo.mutex);
    const auto known = memo.archs.find(nvcc);
    if (known != memo.archs.end()) return known->second;
  }
  ProcessRequest request;
  request.arguments = {nvcc, "--list-gpu-code"};
  request.environment = nvcc_environment(false);
  request.stop = stop;
  const ProcessResult result = runner.run(request);
  if (result.stopped) return {};
  std::vector<int> archs = read_list(result.output);
  if (archs.empty()) return archs;
  const std::lock_guard lock(memo.mutex);
  memo.archs[nvcc] = archs;
  return archs;
}

}  // namespace kiln
