#include "worker/nvcc_version.hpp"

#include "compile/nvcc_environment.hpp"

#include <kiln/error.hpp>

#include <charconv>
#include <chrono>
#include <optional>
#include <string_view>

namespace kiln {

namespace {

constexpr std::chrono::seconds longest_answer{60};

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

}  // namespace

NvccVersion version_of_nvcc(const std::string& nvcc, ProcessRunner& runner) {
  ProcessRequest request;
  request.arguments = {nvcc, "--version"};
  request.environment = nvcc_environment(false);
  request.stop.deadline = Stop::Clock::now() + longest_answer;
  std::string said;
  try {
    const ProcessResult result = runner.run(request);
    if (const auto version = read_version(result.output)) return *version;
    said = result.stopped ? "it did not end within a minute" : "it said: " + result.output + result.errors;
  } catch (const Error& error) {
    said = error.what();
  }
  throw ToolkitError(nvcc + " --version does not tell a version, as an nvcc would: " + said, {nvcc});
}

}  // namespace kiln
