#include "worker/nvcc/nvcc_advice.hpp"

#include "base/bounded_text.hpp"
#include "base/environment.hpp"
#include "base/file_system.hpp"
#include "base/files.hpp"
#include "base/path_text.hpp"
#include "base/text_parts.hpp"
#include "compile/options/arch.hpp"
#include "compile/options/known_options.hpp"
#include "compile/options/option_files.hpp"
#include "worker/nvcc/nvcc_version.hpp"

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <vector>

namespace kiln {

namespace {

bool contains_any(std::string_view text, std::initializer_list<std::string_view> parts) {
  return std::any_of(parts.begin(), parts.end(), [&](std::string_view part) { return contains(text, part); });
}

/// nvcc's #error for a host compiler of another version than it supports, in a header of its own.
bool is_other_version(std::string_view text) {
  return contains(text, "#error") && contains_any(text, {"unsupported GNU version", "unsupported clang version",
                                                         "unsupported Intel", "unsupported PGI"});
}

/// Missing, without one of its parts (cc1plus), or none at all; not where it lacks a file of the user's.
bool is_of_host_compiler(std::string_view text) {
  if (contains_any(text, {"host compiler", "Host compiler", "cannot execute", "Unsupported compiler"})) return true;
  const std::string program = file_name_of(std::string(text.substr(0, text.find(':'))));
  return !contains(text, "error") && contains_any(program, {"gcc", "g++", "cc", "clang"}) &&
         !contains_any(program, {"nvcc", "cicc"});  // NVIDIA's own
}

std::string advice_for_host_compiler(std::string_view text) {
  constexpr const char* by_name = "name another by NVCC_CCBIN or the option -ccbin";
  if (is_other_version(text))
    return std::string("nvcc takes host compilers of certain versions: install an older one, such as g++-13, and ") +
           by_name + "; the option -allow-unsupported-compiler makes it try this one.\n";
  if (!is_of_host_compiler(text)) return {};
  return std::string("nvcc needs a whole host compiler: install g++ (apt-get install g++, dnf install gcc-c++), or ") +
         by_name + ".\n";
}

/// The libraries of LD_PRELOAD that check a program's memory or threads.
std::string sanitizers_in_preload() {
  std::string found;
  std::string list = environment("LD_PRELOAD").value_or("");
  std::replace(list.begin(), list.end(), ' ', ':');
  for (const std::string& library : split(list, ':')) {
    const std::string name = file_name_of(library);
    const std::initializer_list<std::string_view> sanitizers = {"libasan",  "liblsan", "libtsan",
                                                                "libubsan", "libmsan", "libclang_rt."};
    if (contains_any(name, sanitizers)) found += (found.empty() ? "" : ", ") + library;
  }
  return found;
}

std::string advice_for_preload() {
  const std::string sanitizers = sanitizers_in_preload();
  if (sanitizers.empty()) return {};
  return "LD_PRELOAD has " + sanitizers +
         ", which nvcc and the compilers that it runs load, too, and which ends them for what it finds in them: link "
         "the sanitizer into the program instead, set ASAN_OPTIONS=detect_leaks=0, or have the code in the cache "
         "before.\n";
}

/// The user's: a worker's own folder, and nvcc's, are below it.
std::string folder_for_temporary_files(std::string folder) {
  while (file_name_of(folder).starts_with("kiln-tmp-")) folder = folder_of(folder);
  return folder;
}

std::string advice_for_arch(const std::string& nvcc, ProcessRunner& runner) {
  const std::vector<int> archs = archs_of_nvcc(nvcc, runner);
  if (archs.empty()) return {};
  return "This nvcc knows " + arch_list(archs) + ": choose one of these, or another CUDA toolkit (CUDA_HOME).\n";
}

/// Options that name a file of options: "--options-file=/x/f", "-Xptxas=-v,--options-file=f".
std::vector<std::string> options_with_files(const std::vector<std::string>& options) {
  std::vector<std::string> found;
  for (std::size_t at = 0; at < options.size();) {
    const ReadOption option = read_option(options, at);
    at += option.words;
    if (contains_any(option.text, {"options-file", "-optf"})) found.push_back(option.text);
  }
  return found;
}

std::string advice_for_unopened_file(const std::string& name, const std::vector<std::string>& options) {
  std::string of;
  for (const std::string& option : options_with_files(options))
    if (contains(option, name)) of = ", of the option " + bounded(option, 300) + ",";
  const std::string what = "The file of options " + name + of;
  if (!is_absolute(name)) return what + " is not found in the folder where nvcc works: give its absolute path.\n";
  FileStatus status;
  const bool is_there = FileSystem::real().status(name, status) == 0;
  return what + (is_there ? " cannot be opened: " : " is not there: ") +
         "name a text file with compiler options in it, or leave the option out.\n";
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

/// Where what nvcc, or a program that it runs, says of an option stands in a file of options.
std::string advice_for_options_file(std::string_view text, const std::vector<std::string>& options) {
  const std::size_t at = text.find("options file '");
  const auto words = quoted_words(text);
  if (at != std::string_view::npos && !words.empty())
    return advice_for_unopened_file(std::string(words.front()), options);
  if (words.empty() || !contains_any(text, {"option", "expected a number", "Stray '"})) return {};
  std::vector<std::string> names;
  for (const std::string& option : options_with_files(options)) add_possible_names(names, option);
  for (const FileDependency& file : find_option_files(names, working_folder())) {
    std::string content, line;
    const std::string& path = file.path.path;
    if (read_file(FileSystem::real(), path, content) != 0) continue;
    if (const std::size_t number = line_with(content, words.back(), line); number != 0)
      return "The file of options " + path + "(line " + std::to_string(number) + ") has: " + bounded(line, 300) + "\n";
  }
  return {};
}

}  // namespace

std::string nvcc_advice(const std::optional<Diagnostic>& said, const std::vector<std::string>& command,
                        const std::string& folder, ProcessRunner& runner) {
  const std::string text = said ? said->text : std::string();
  if (contains_any(text, {"No space left on device", "Disk quota exceeded"}))
    return "The folder for temporary files, " + folder_for_temporary_files(folder) +
           ", is full: make room there, or name another by TMPDIR.\n";
  if (contains(text, "Unsupported gpu architecture")) return advice_for_arch(command.front(), runner);
  if (std::string advice = advice_for_host_compiler(text); !advice.empty()) return advice;
  if (said && said->file.empty())
    if (std::string advice = advice_for_options_file(text, command); !advice.empty()) return advice;
  return said && !said->file.empty() ? std::string() : advice_for_preload();
}

}  // namespace kiln
