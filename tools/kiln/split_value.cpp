#include "split_value.hpp"

#include "base/argument_error.hpp"
#include "compile/options/known_options.hpp"

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>

namespace kiln::tool {

namespace {

std::vector<std::string>& noted_words() {
  static std::vector<std::string> words;
  return words;
}

bool is_path(const std::string& path) {
  std::error_code none;
  return path != "-" && std::filesystem::exists(path, none);
}

/// The option's value that ends with the word at `at`: the word itself, or what is joined to the option's name.
std::optional<std::string> value_at(std::size_t at, std::string_view option) {
  const std::vector<std::string>& words = noted_words();
  if (at > 0 && words[at - 1] == option) return words[at];
  if (!words[at].starts_with(option) || words[at] == option) return std::nullopt;
  std::string rest = words[at].substr(option.size());
  if (!option.starts_with("--")) return rest;  // -DN
  return rest.starts_with('=') ? std::optional(rest.substr(1)) : std::nullopt;
}

/// How the word at `at` and that behind it are written as one.
std::string advice_behind(std::size_t at, const std::string& word) {
  const std::string before = noted_words()[at];
  for (const char* const option : {"-D", "--late-define"})
    if (const auto macro = value_at(at, option); macro && !macro->empty()) {
      const std::string begin = std::string("it stands apart from ") + option + " " + *macro + ": ";
      if (macro->find('=') != std::string::npos)
        return begin + "a value with blanks needs quotes, " + option + " \"" + *macro + " " + word + "\"";
      return begin + "a definition is one word, " + option + " " + *macro + "=" +
             (word.starts_with('=') ? word.size() > 1 ? word.substr(1) : "VALUE" : word);
    }
  if (const auto value = value_at(at, "--option")) {
    const ReadOption option = read_option({*value}, 0);
    if (option.known != nullptr && option.known->value != KnownOption::Value::none && option.value.empty())
      return "it stands apart from --option " + *value + ": an option is one word, --option=" + *value + "=" + word;
  }
  if (is_path(before + " " + word)) return "a path with blanks needs quotes, \"" + before + " " + word + "\"";
  if (before.ends_with(',') || word.starts_with(','))
    return "it stands apart from " + before + ": a list is one word, " + before + word;
  return {};
}

}  // namespace

void note_words(std::vector<std::string> words) { noted_words() = std::move(words); }

std::string split_value_advice(const std::string& word) {
  const std::vector<std::string>& words = noted_words();
  for (std::size_t at = 1; at < words.size(); ++at)
    if (words[at] == word)
      if (std::string advice = advice_behind(at - 1, word); !advice.empty()) return advice;
  return {};
}

void refuse_split_value(const std::string& file) {
  if (file == "-" || is_path(file)) return;
  const std::string advice = split_value_advice(file);
  if (!advice.empty()) throw_argument_error("there is no file \"" + file + "\": " + advice, "a file", file);
}

}  // namespace kiln::tool
