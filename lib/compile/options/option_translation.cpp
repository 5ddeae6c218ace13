#include "compile/options/option_list.hpp"

#include "base/text_parts.hpp"
#include "compile/options/known_options.hpp"

#include <algorithm>
#include <string_view>

namespace kiln {

namespace {

/// Options of the host compiler that change nothing of what it preprocesses.
bool is_harmless_to_host(std::string_view option) {
  return option.starts_with("-W") ? option != "-Wp" : option == "-w" || option == "-g" || option == "-pipe";
}

bool is_for_nvcc_only(const ReadOption& option) {
  if (option.known == nullptr || option.known->nvrtc != OptionFate::refuses) return false;
  if (!is_option(option, "--compiler-options")) return true;
  const auto words = passed_words(option.value);
  return !std::all_of(words.begin(), words.end(), is_harmless_to_host);
}

/// What becomes of it: an option with a value that it cannot have is the compiler's to refuse.
OptionFate fate_of(const ReadOption& option, OptionFate KnownOption::*compiler) {
  return option.known == nullptr || !has_fitting_value(option) ? OptionFate::keep : option.known->*compiler;
}

bool is_false(std::string_view value) { return value == "false"; }

}  // namespace

std::vector<std::string> options_for_nvrtc(const std::vector<std::string>& options) {
  std::vector<std::string> translated;
  std::vector<std::string> system_folders;  // searched behind all others
  for (std::size_t at = 0; at < options.size();) {
    const ReadOption option = read_option(options, at);
    at += option.words;
    const OptionFate fate = fate_of(option, &KnownOption::nvrtc);
    if (is_option(option, "--system-include")) {
      system_folders.push_back("-I" + option.value);
    } else if (is_option(option, "--ptxas-options")) {
      const auto words = split(option.value, ',');
      for (const std::string& word : words) translated.push_back("--ptxas-options=" + word);
      if (words.empty()) translated.push_back(option.text);
    } else if (fate == OptionFate::rename) {
      translated.emplace_back(option.known->nvrtc_name);
    } else if (fate == OptionFate::keep || is_for_nvcc_only(option)) {
      translated.push_back(option.text);
    }
  }
  translated.insert(translated.end(), system_folders.begin(), system_folders.end());
  return translated;
}

std::vector<std::string> options_for_nvcc(const std::vector<std::string>& options) {
  std::vector<std::string> translated;
  for (std::size_t at = 0; at < options.size();) {
    const ReadOption option = read_option(options, at);
    at += option.words;
    const OptionFate fate = fate_of(option, &KnownOption::nvcc);
    if (fate == OptionFate::keep) translated.push_back(option.text);
    if (fate == OptionFate::rename && is_false(option.value)) translated.emplace_back(option.known->nvcc_name);
  }
  return translated;
}

std::optional<std::string> option_for_nvcc_only(const std::vector<std::string>& options) {
  for (std::size_t at = 0; at < options.size();) {
    const ReadOption option = read_option(options, at);
    if (is_for_nvcc_only(option)) return option.text;
    at += option.words;
  }
  return std::nullopt;
}

}  // namespace kiln
