#include "compile/options/misspelt_option.hpp"

#include "base/similar_name.hpp"
#include "base/text_parts.hpp"
#include "compile/options/known_options.hpp"

#include <algorithm>
#include <cstddef>

namespace kiln {

namespace {

/// What both compilers take in one spelling, and the table of known options leaves out.
constexpr std::string_view others =
    "--use_fast_math -use_fast_math --device-debug --extra-device-vectorization -extra-device-vectorization --restrict "
    "-restrict --device-c --device-w --disable-warnings --display-error-number -err-no --no-display-error-number "
    "-no-err-no --no-source-include -no-source-include --gen-opt-lto -gen-opt-lto --extensible-whole-program -ewp "
    "--fdevice-syntax-only -fdevice-syntax-only";

std::vector<std::string> all_names() {
  std::vector<std::string> names;
  std::size_t count = 0;
  const KnownOption* const known = known_options(count);
  for (std::size_t i = 0; i < count; ++i) {
    names.emplace_back(known[i].long_name);
    names.emplace_back(known[i].short_name);
  }
  for (std::string_view rest = others; !rest.empty();) names.emplace_back(next_part(rest, ' '));
  return names;
}

}  // namespace

std::string misspelt_option(const std::vector<std::string>& options, std::string_view log) {
  std::vector<std::string> names;
  for (std::size_t at = 0; at < options.size();) {
    const ReadOption option = read_option(options, at);
    at += option.words;
    const std::string name = option.text.substr(0, option.text.find_first_of("= \t"));
    if (option.known != nullptr || name.empty() || name.front() != '-' || log.find(name) == std::string_view::npos)
      continue;
    if (names.empty()) names = all_names();
    const std::string similar = similar_name(name, names);
    if (similar.empty() || similar == name) continue;
    std::string text = "There is no option \"" + name;
    return text.append("\": did you mean \"").append(similar).append("\"?");
  }
  return {};
}

}  // namespace kiln
