#include "compile/identity/nvcc_environment.hpp"

#include "base/environment.hpp"
#include "base/path_text.hpp"
#include "base/text_parts.hpp"
#include "base/word_list.hpp"

#include <string_view>
#include <utility>

namespace kiln {

namespace {

/// Quotes belong to a macro's value, and are taken off everything else.
std::string without_quotes(const std::string& word, const std::vector<std::string>& before) {
  const bool apart = !before.empty() && (before.back() == "-D" || before.back() == "--define-macro");
  if (apart || word.starts_with("-D") || word.starts_with("--define-macro")) return word;
  std::string plain;
  for (const char c : word)
    if (c != '"') plain += c;
  return plain;
}

std::vector<std::string> split_flags(const std::string& text) {
  std::vector<std::string> words;
  std::string word;
  bool quoted = false;
  for (std::size_t at = 0; at <= text.size(); ++at) {
    const char c = at < text.size() ? text[at] : ' ';
    const bool blank = c == ' ' || c == '\t' || c == '\n';
    if (blank && (!quoted || at == text.size())) {
      if (!word.empty()) words.push_back(without_quotes(word, words));
      word.clear();
      continue;
    }
    if (c == '"' && (at == 0 || text[at - 1] != '\\')) quoted = !quoted;
    word += c;
  }
  return words;
}

/// What nvcc gets a value of Kiln's for, or none.
constexpr std::string_view replaced =
    "NVCC_PREPEND_FLAGS NVCC_APPEND_FLAGS TMPDIR LANG LANGUAGE SUNPRO_DEPENDENCIES DEPENDENCIES_OUTPUT "
    "CC_PRINT_HEADERS CC_PRINT_HEADERS_FILE CPATH CPLUS_INCLUDE_PATH";

/// Variables by which nvcc.profile hands options on, and which nvcc takes from the environment, too, though nothing
/// says so; and Clang's own. A Makefile that exports INCLUDES would change the code, and no key would show it.
constexpr std::string_view internal =
    "INCLUDES SYSTEM_INCLUDES LIBRARIES CUDAFE_FLAGS NVVM_FLAGS OCG_FLAGS PTXAS_FLAGS NVLINK_FLAGS NVASM_FLAGS "
    "NVDISASM_FLAGS LLVMC_FLAGS LLVMDIS_FLAGS compiler-bindir CCC_OVERRIDE_OPTIONS";

bool is_for_nvcc(std::string_view variable) {
  const std::string_view name = variable.substr(0, variable.find('='));
  return !has_word(replaced, name) && !has_word(internal, name) && !name.starts_with("LC_");
}

}  // namespace

std::vector<std::string> nvcc_environment_options_before() {
  return split_flags(environment("NVCC_PREPEND_FLAGS").value_or(""));
}

std::vector<std::string> nvcc_environment_options_after() {
  return split_flags(environment("NVCC_APPEND_FLAGS").value_or(""));
}

std::vector<std::string> folders_of_variable(const char* variable, const std::string& working_folder) {
  std::vector<std::string> folders;
  const std::string list = environment(variable).value_or("");
  for (std::string_view rest = list; !rest.empty();) {
    const std::string folder(next_part(rest, ':'));
    // An empty part is the working folder.
    folders.push_back(absolute_folder(folder.empty() ? "." : folder, working_folder));
  }
  return folders;
}

std::vector<std::string> nvcc_environment() {
  std::vector<std::string> variables;
  // nvcc works in another folder than the caller.
  for (const char* variable : {"CPATH", "CPLUS_INCLUDE_PATH"}) {
    std::string value;
    for (const std::string& folder : folders_of_variable(variable, working_folder()))
      value += (value.empty() ? "" : ":") + folder;
    if (!value.empty()) variables.push_back(std::string(variable) + "=" + value);
  }
  for (std::string& variable : all_variables())
    if (is_for_nvcc(variable)) variables.push_back(std::move(variable));
  variables.emplace_back("LC_ALL=C");
  variables.emplace_back("TMPDIR=.");
  return variables;
}

}  // namespace kiln
