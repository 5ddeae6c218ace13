#include "compile/options/misspelt_option.hpp"

#include "base/environment.hpp"
#include "base/similar_name.hpp"
#include "base/text_parts.hpp"
#include "base/word_list.hpp"
#include "compile/options/known_options.hpp"
#include "compile/options/option_list.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <utility>

namespace kiln {

namespace {

/// What both compilers take in one spelling, and the table of known options leaves out.
constexpr std::string_view others =
    "--use_fast_math -use_fast_math --device-debug --extra-device-vectorization -extra-device-vectorization --restrict "
    "-restrict --device-c --device-w --disable-warnings --display-error-number -err-no --no-display-error-number "
    "-no-err-no --no-source-include -no-source-include --gen-opt-lto -gen-opt-lto --extensible-whole-program -ewp "
    "--fdevice-syntax-only -fdevice-syntax-only";

constexpr std::string_view nvvm_names =
    "-g -generate-line-info -opt -arch -ftz -prec-sqrt -prec-div -fma -gen-lto -Ofast-compile -jump-table-density";
constexpr std::string_view nvjitlink_names =
    "-arch -maxrregcount -time -verbose -lto -ptx -g -lineinfo -ftz -prec-div -prec-sqrt -fma -kernels-used "
    "-variables-used -optimize-unused-variables -Xptxas -split-compile -split-compile-extended -jump-table-density "
    "-no-cache -device-stack-protector";

std::vector<std::string> words_of(std::string_view list) {
  std::vector<std::string> words;
  while (!list.empty()) words.emplace_back(next_part(list, ' '));
  return words;
}

std::string did_you_mean(const std::string& name, const std::vector<std::string>& names) {
  const std::string similar = similar_name(name, names);
  if (similar.empty() || similar == name) return {};
  std::string text = "There is no option \"" + name;
  return text.append("\": did you mean \"").append(similar).append("\"?");
}

std::string spelled_name(const std::string& option) { return option.substr(0, option.find_first_of("= \t")); }

/// Of a library whose options are all listed.
std::string misspelt_among(const std::vector<std::string>& names, const std::vector<std::string>& options,
                           std::string_view log) {
  for (const std::string& option : options) {
    const std::string name = spelled_name(option);
    if (name.empty() || log.find(name) == std::string_view::npos) continue;
    if (std::string text = did_you_mean(name, names); !text.empty()) return text;
  }
  return {};
}

std::vector<std::string> all_names() {
  std::vector<std::string> names;
  std::size_t count = 0;
  const KnownOption* const known = known_options(count);
  for (std::size_t i = 0; i < count; ++i) {
    names.emplace_back(known[i].long_name);
    names.emplace_back(known[i].short_name);
  }
  for (std::string& name : words_of(others)) names.push_back(std::move(name));
  return names;
}

/// A sentence that says so, of an option that the user may not remember; empty where it is from elsewhere.
std::string said_by_environment(const std::string& option) {
  const char* const variable =
      environment_has("KILN_DEFAULT_OPTIONS") ? "KILN_DEFAULT_OPTIONS" : "PYCUDA_DEFAULT_NVCC_FLAGS";
  const std::vector<std::string> words = split_options(environment(variable).value_or(""));
  const bool is_there = std::find(words.begin(), words.end(), option) != words.end();
  return is_there ? std::string("The option \"") + option + "\" is one of " + variable + "." : std::string();
}

bool is_refusal(std::string_view log) {
  return log.find("nrecognized option") != std::string_view::npos ||
         log.find("nknown option") != std::string_view::npos;
}

/// Values of options that take few.
struct AllowedValues {
  std::string_view names;  // long ones
  std::string_view values;
  std::string_view newer = {};       // which not every version takes
  std::string_view newer_text = {};  // from when on
};
constexpr AllowedValues allowed_values[] = {
    {"--std", "c++03 c++11 c++14 c++17 c++20", "c++23", " (c++23 from CUDA 13.3 on)"},
    {"--Ofast-compile", "0 min mid max"},
    {"--default-stream", "legacy null per-thread"},
    {"--ftz --fmad --prec-div --prec-sqrt --relocatable-device-code --device-stack-protector", "true false"},
};

std::string listed_values(std::string_view values) {
  std::string text;
  while (!values.empty()) {
    const std::string_view value = next_part(values, ' ');
    text += (text.empty() ? "" : values.empty() ? " or " : ", ") + std::string(value);
  }
  return text;
}

/// What the compilers say of a value; of which option, and not always of which value.
bool is_about_value(std::string_view log) {
  for (const std::string_view words : {"invalid value for ", "invalid argument for option ", " expects ",
                                       " is not defined for option ", "': expected "})
    if (contains(log, words)) return true;
  return false;
}

/// Of an option whose value the log refuses.
std::string wrong_value(const std::vector<std::string>& options, std::string_view log) {
  for (std::size_t at = 0; is_about_value(log) && at < options.size();) {
    const ReadOption option = read_option(options, at);
    at += option.words;
    if (option.known == nullptr || option.value.empty()) continue;
    const std::string_view name = option.known->long_name;
    const bool is_named = contains(log, name) || contains(log, "'" + option.value + "'");
    if (!is_named) continue;
    std::string text = "\"" + option.value + "\" is no value of the option " + std::string(name);
    const auto* const allowed = std::find_if(std::begin(allowed_values), std::end(allowed_values),
                                             [name](const auto& each) { return has_word(each.names, name); });
    if (allowed == std::end(allowed_values)) return text + ".";
    if (has_word(allowed->values, option.value) || has_word(allowed->newer, option.value)) continue;
    return text + ": write " + listed_values(allowed->values) + std::string(allowed->newer_text) + ".";
  }
  return {};
}

}  // namespace

std::string misspelt_option(const std::vector<std::string>& options, std::string_view log) {
  std::vector<std::string> names;
  for (std::size_t at = 0; at < options.size();) {
    const ReadOption option = read_option(options, at);
    at += option.words;
    const std::string name = spelled_name(option.text);
    if (option.known != nullptr || name.empty() || name.front() != '-' || log.find(name) == std::string_view::npos)
      continue;
    if (names.empty()) names = all_names();
    std::string text = did_you_mean(name, names);
    if (const std::string origin = said_by_environment(option.text); !origin.empty() && is_refusal(log))
      text += (text.empty() ? "" : " ") + origin;
    if (!text.empty()) return text;
  }
  return wrong_value(options, log);
}

std::string misspelt_nvvm_option(const std::vector<std::string>& options, std::string_view log) {
  return misspelt_among(words_of(nvvm_names), options, log);
}

std::string misspelt_nvjitlink_option(const std::vector<std::string>& options, std::string_view log) {
  return misspelt_among(words_of(nvjitlink_names), options, log);
}

}  // namespace kiln
