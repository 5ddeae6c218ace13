#include "worker/nvrtc/option_versions.hpp"

#include "base/library_version.hpp"
#include "base/word_list.hpp"

#include <algorithm>
#include <string_view>

namespace kiln {

namespace {

struct Introduction {
  std::string_view options;  // without dashes; of options with values, the name alone or a certain value
  std::pair<int, int> version;
};

// Found by asking each release from 12.0 to 13.3. The first that fits counts.
constexpr Introduction introductions[] = {
    {"brief-diagnostics time", {12, 1}},
    {"jump-table-density jtd", {12, 3}},
    {"minimal fdevice-syntax-only", {12, 4}},
    {"Ofast-compile=min Ofast-compile=mid Ofc=min Ofc=mid", {12, 9}},
    {"Ofast-compile Ofc fdevice-time-trace", {12, 5}},
    {"device-stack-protector", {12, 6}},
    {"pch create-pch use-pch pch-dir pch-verbose pch-messages instantiate-templates-in-pch", {12, 8}},
    {"frandom-seed no-cache", {12, 9}},
    {"std=c++23 enable-tile", {13, 3}},
};

std::pair<int, int> first_version(std::string_view option) {
  option.remove_prefix(std::min(option.find_first_not_of('-'), option.size()));
  const std::string_view name = option.substr(0, option.find('='));
  for (const Introduction& introduction : introductions)
    if (has_word(introduction.options, name) || has_word(introduction.options, option)) return introduction.version;
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
