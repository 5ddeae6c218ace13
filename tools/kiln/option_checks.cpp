#include "option_checks.hpp"

#include "base/text_parts.hpp"
#include "cache/size_text.hpp"
#include "compile/headers/late_defines.hpp"
#include "compile/options/arch.hpp"
#include "compile/options/known_options.hpp"
#include "compile/options/option_list.hpp"
#include "usage.hpp"

#include <kiln/error.hpp>

#include <CLI/CLI.hpp>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <string_view>
#include <system_error>
#include <vector>

namespace kiln::tool {

namespace {

std::string whole_number_fault(const std::string& text) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool is_one = error == std::errc() && end == text.data() + text.size();
  return is_one ? "" : "\"" + text + "\" is no whole number from 0 on, such as 12";
}

}  // namespace

std::string arch_fault(const std::string& text) try {
  if (!is_native(text) && !is_word_for_all(text)) static_cast<void>(asked_arch(text));
  return {};
} catch (const Error& error) {
  return error.what();
}

std::string code_fault(const std::string& text) {
  constexpr std::string_view link_time = "lto_";
  for (const std::string& part : split(text, ',')) {
    std::string arch = part;
    if (arch.starts_with(link_time)) arch.erase(0, link_time.size());
    if (const std::string fault = arch_fault(arch); !fault.empty()) return "\"" + text + "\": " + fault;
  }
  return {};
}

std::string define_fault(const std::string& text) {
  if (is_macro_name(std::string_view(text).substr(0, text.find_first_of("=(")))) return {};
  return "\"" + text +
         "\" is no macro: give NAME, or NAME=VALUE without blanks around the =; a name has letters, digits and _, and "
         "begins with no digit";
}

std::string compiler_option_fault(const std::string& text) {
  const std::vector<std::string> words = split_options(text);
  if (words.size() < 2 || !words.front().starts_with('-')) return {};
  for (std::size_t at = read_option(words, 0).words; at < words.size(); ++at)
    if (words[at].starts_with('-') && read_option(words, at).known != nullptr)
      return "\"" + text +
             "\" is more than one option: give each one a --option of its own, such as --option=" + words.front() +
             " --option=" + words[at];
  return {};
}

std::string size_fault(const std::string& text) {
  return parse_size(text) ? "" : "\"" + text + "\" is no size: give bytes, or a number with k, M, G or T";
}

void check_all_values(CLI::App& app) {
  const CLI::Validator not_empty([](const std::string& value) { return std::string(value.empty() ? is_empty : ""); },
                                 "");
  const CLI::Validator whole_number([](const std::string& value) { return whole_number_fault(value); }, "");
  for (CLI::Option* option : app.get_options()) {
    // Of a kernel's argument its own reader says which one is wrong.
    if (option->get_items_expected_max() == 0 || option->get_name() == "ARGUMENT") continue;
    if (option->get_type_name().starts_with("UINT")) option->transform(whole_number);
    option->transform(not_empty);  // the last one is asked first
  }
  for (CLI::App* command : app.get_subcommands({})) check_all_values(*command);
}

}  // namespace kiln::tool
