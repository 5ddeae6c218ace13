#include "compile/options/option_files.hpp"

#include "base/bounded_text.hpp"
#include "base/file_system.hpp"
#include "base/files.hpp"
#include "base/path_text.hpp"
#include "base/text_parts.hpp"
#include "cache/file_observer.hpp"
#include "compile/options/known_options.hpp"

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <utility>

namespace kiln {

namespace {

// An options file is short; the words of a large file are not looked at one by one.
constexpr std::uint64_t longest_list = std::uint64_t{1} << 18;

class Finder {
 public:
  explicit Finder(const std::string& folder) : folder_(folder) {}

  void add(const std::string& name) {
    const std::string path = joined(folder_, name);
    const auto is_known = [&](const FileDependency& file) { return file.path.path == path; };
    FileStatus status;
    if (name.empty() || std::any_of(found_.begin(), found_.end(), is_known)) return;
    if (files_.status(path, status) != 0 || !status.is_regular()) return;
    FileDependency file{{-1, path}, status, {}};
    // A file that cannot be read has the digest of nothing: the tool cannot read it either.
    if (observer_.digest(path, file.status, file.digest) != 0) file.status = status;
    found_.push_back(std::move(file));
    if (status.size <= longest_list) add_named_in(path);
  }

  std::vector<FileDependency> take() { return std::move(found_); }

 private:
  void add_named_in(const std::string& path) {
    std::string text;
    if (read_file(files_, path, text) != 0 || text.find('\0') != std::string::npos) return;
    constexpr std::string_view between = " \t\r\n,=";
    std::string word;
    char quote = 0;
    for (const char c : text + "\n") {
      if (quote != 0 ? c == quote : c == '"' || c == '\'') {
        quote = quote != 0 ? '\0' : c;
      } else if (quote != 0 || between.find(c) == std::string_view::npos) {
        word += c;
      } else {
        add(std::exchange(word, {}));
      }
    }
  }

  FileSystem& files_ = FileSystem::real();
  FileObserver observer_{files_, false};
  const std::string& folder_;
  std::vector<FileDependency> found_;
};

}  // namespace

void add_possible_names(std::vector<std::string>& names, std::string_view words) {
  const auto add = [&](std::string_view word) {
    if (!word.starts_with('-')) names.emplace_back(word);
    for (std::size_t at = word.find('='); at != std::string_view::npos; at = word.find('=', at + 1))
      names.emplace_back(word.substr(at + 1));
  };
  // A blank is part of a name or, where nvcc passes the words on, ends one.
  for (const std::string& word : passed_words(words)) add(word);
  while (!words.empty()) add(next_part(words, ','));
}

std::vector<FileDependency> find_option_files(const std::vector<std::string>& names, const std::string& folder) {
  Finder finder(folder);
  for (const std::string& name : names) finder.add(name);
  return finder.take();
}

bool have_changed(const std::vector<FileDependency>& files) {
  FileObserver observer(FileSystem::real(), false);
  return std::any_of(files.begin(), files.end(), [&](const FileDependency& file) {
    FileStatus status;
    Digest digest;
    return observer.digest(file.path.path, status, digest) != 0 || digest != file.digest;
  });
}

std::vector<std::string> digests_of(const std::vector<FileDependency>& files) {
  std::vector<std::string> digests;
  digests.reserve(files.size());
  for (const FileDependency& file : files) digests.push_back(file.digest.hex());
  return digests;
}

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
