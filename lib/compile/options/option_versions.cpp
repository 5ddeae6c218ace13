#include "compile/options/option_versions.hpp"

#include "base/version_text.hpp"

#include <algorithm>
#include <string_view>

namespace kiln {

namespace {

struct Introduction {
  std::string_view option;  // without dashes; of options with values, the name alone or a certain value
  std::pair<int, int> version;
};

// Found by asking each release from 12.0 to 13.3. The first that fits counts.
constexpr Introduction introductions[] = {
    {"brief-diagnostics", {12, 1}},
    {"time", {12, 1}},
    {"jump-table-density", {12, 3}},
    {"jtd", {12, 3}},
    {"minimal", {12, 4}},
    {"fdevice-syntax-only", {12, 4}},
    {"Ofast-compile=min", {12, 9}},
    {"Ofast-compile=mid", {12, 9}},
    {"Ofc=min", {12, 9}},
    {"Ofc=mid", {12, 9}},
    {"Ofast-compile", {12, 5}},
    {"Ofc", {12, 5}},
    {"fdevice-time-trace", {12, 5}},
    {"device-stack-protector", {12, 6}},
    {"pch", {12, 8}},
    {"create-pch", {12, 8}},
    {"use-pch", {12, 8}},
    {"pch-dir", {12, 8}},
    {"pch-verbose", {12, 8}},
    {"pch-messages", {12, 8}},
    {"instantiate-templates-in-pch", {12, 8}},
    {"frandom-seed", {12, 9}},
    {"no-cache", {12, 9}},
    {"std=c++23", {13, 3}},
    {"enable-tile", {13, 3}},
};

std::pair<int, int> first_version(std::string_view option) {
  option.remove_prefix(std::min(option.find_first_not_of('-'), option.size()));
  const std::string_view name = option.substr(0, option.find('='));
  for (const Introduction& introduction : introductions)
    if (introduction.option == name || introduction.option == option) return introduction.version;
  // A family of architectures.
  if ((name == "arch" || name == "gpu-architecture") && option.back() == 'f') return {12, 9};
  return {};
}

}  // namespace

std::string options_of_newer_nvrtc(const std::vector<std::string>& options, std::pair<int, int> version) {
  std::string text;
  for (const std::string& option : options) {
    const auto first = first_version(option);
    if (first <= version) continue;
    text += (text.empty() ? "" : "\n") + option + " needs NVRTC " + version_text(first) +
            " or newer: leave it out, or use a newer CUDA toolkit (CUDA_HOME)";
  }
  return text;
}

}  // namespace kiln
