#include "compile/options/option_file_advice.hpp"

#include "base/bounded_text.hpp"
#include "base/file_system.hpp"
#include "base/files.hpp"
#include "base/path_text.hpp"
#include "base/text_parts.hpp"
#include "compile/options/known_options.hpp"
#include "compile/options/option_files.hpp"

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace kiln {

namespace {

/// Options that name a file of options: "--options-file=/x/f", "-Xptxas=-v,--options-file=f".
std::vector<std::string> options_with_files(const std::vector<std::string>& options) {
  std::vector<std::string> found;
  for (std::size_t at = 0; at < options.size();) {
    const ReadOption option = read_option(options, at);
    at += option.words;
    if (contains(option.text, "options-file") || contains(option.text, "-optf")) found.push_back(option.text);
  }
  return found;
}

std::string unopened_file_text(const std::string& name, const std::vector<std::string>& options,
                               const std::string& folder) {
  std::string of;
  for (const std::string& option : options_with_files(options))
    if (contains(option, name)) of = ", of the option " + bounded(option, 300) + ",";
  const std::string what = "The file of options " + name + of;
  if (!is_absolute(name) && folder != working_folder())
    return what + " is not found in the folder where the compiler works: give its absolute path.";
  FileStatus status;
  const bool is_there = FileSystem::real().status(joined(folder, name), status) == 0;
  return what + (is_there ? " cannot be opened: " : " is not there: ") +
         "name a text file with compiler options in it, or leave the option out.";
}

/// The line of a file of options that has the word; of a quote, that in which it is not closed. 0: none.
std::size_t line_with(std::string_view text, std::string_view word, std::string& line) {
  const bool is_quote = word == "\"" || word == "'";
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::string_view row = next_line(text);
    if (is_quote ? std::count(row.begin(), row.end(), word.front()) % 2 == 0 : !contains(row, word)) continue;
    line = trimmed(row);
    return number;
  }
  return 0;
}

}  // namespace

std::string option_file_advice(std::string_view error, const std::vector<std::string_view>& quoted,
                               const std::vector<std::string>& options, const std::string& folder) {
  if (quoted.empty()) return {};
  if (contains(error, "Input file '") && quoted.front().starts_with('@'))
    return "ptxas takes " + bounded(quoted.front(), 300) +
           " for an input: name a file of options by --options-file=" + bounded(quoted.front().substr(1), 300);
  if (contains(error, "options file '")) return unopened_file_text(std::string(quoted.front()), options, folder);
  if (!contains(error, "option") && !contains(error, "expected a number") && !contains(error, "Stray '")) return {};
  std::vector<std::string> names;
  for (const std::string& option : options_with_files(options)) add_possible_names(names, option);
  for (const FileDependency& file : find_option_files(names, folder)) {
    std::string content, line;
    const std::string& path = file.path.path;
    if (read_file(FileSystem::real(), path, content) != 0) continue;
    if (const std::size_t number = line_with(content, quoted.back(), line); number != 0)
      return "The file of options " + path + "(line " + std::to_string(number) + ") has: " + bounded(line, 300);
  }
  return {};
}

}  // namespace kiln
