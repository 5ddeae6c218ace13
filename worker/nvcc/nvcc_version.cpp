#include "worker/nvcc/nvcc_version.hpp"

#include "base/text_parts.hpp"
#include "compile/identity/nvcc_environment.hpp"

#include <kiln/error.hpp>

#include <algorithm>
#include <charconv>
#include <optional>
#include <string_view>
#include <system_error>

namespace kiln {

namespace {

/// "Cuda compilation tools, release 13.0, V13.0.88"
std::optional<NvccVersion> read_version(const std::string& text) {
  const std::string_view before = "release ";
  const std::size_t at = text.find(before);
  if (at == std::string::npos) return std::nullopt;
  const char* const begin = text.data() + at + before.size();
  const char* const end = text.data() + text.size();
  NvccVersion version;
  const auto major = std::from_chars(begin, end, version.major);
  if (major.ec != std::errc() || major.ptr == end || *major.ptr != '.') return std::nullopt;
  const auto minor = std::from_chars(major.ptr + 1, end, version.minor);
  return minor.ec == std::errc() ? std::optional(version) : std::nullopt;
}

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

NvccVersion version_of_nvcc(const std::string& nvcc, ProcessRunner& runner) {
  std::string said;
  try {
    const ProcessResult result = runner.run({{nvcc, "--version"}, nvcc_environment()});
    if (const auto version = read_version(result.output)) return *version;
    std::string_view lines = result.output;
    const std::string first(next_line(lines));
    if (!first.empty() && result.exit.code == 0 && result.exit.signal == 0)
      throw NotNvccError(nvcc + " is no nvcc: its --version says \"" + first +
                             "\". Name an nvcc by CompileOptions::nvcc.path, or compile with NVRTC",
                         {nvcc});
    said = "it said: " + result.output + result.errors;
  } catch (const NotNvccError&) {
    throw;
  } catch (const Error& error) {
    said = error.what();
  }
  throw ToolkitError(nvcc + " --version prints no version, as an nvcc would: " + said, {nvcc});
}

std::vector<int> archs_of_nvcc(const std::string& nvcc, ProcessRunner& runner) {
  return read_list(runner.run({{nvcc, "--list-gpu-code"}, nvcc_environment()}).output);
}

}  // namespace kiln
