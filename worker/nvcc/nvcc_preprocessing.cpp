#include "worker/nvcc/nvcc_preprocessing.hpp"

#include "base/escaped_text.hpp"
#include "base/identifier.hpp"
#include "base/path_text.hpp"

#include <unistd.h>

#include <algorithm>
#include <string_view>

namespace kiln {

namespace {

/// Within double quotes, which nvcc puts around it, a shell leaves it alone; and nvcc itself does.
bool arrives_intact(const std::string& value) {
  constexpr std::string_view harmless = "./+:=@%^~-";
  return std::all_of(value.begin(), value.end(), [&](char c) {
    return is_of_identifier(c) || static_cast<unsigned char>(c) >= 0x80 || harmless.find(c) != std::string_view::npos;
  });
}

/// Where a file of --pre-include is: beside the caller, else wherever the include folders have it.
std::string include_line(const std::string& name, const std::string& working_folder) {
  const std::string beside = absolute_folder(name, working_folder);
  const std::string path = ::access(beside.c_str(), R_OK) == 0 ? beside : name;
  const bool quote = path.find('"') != std::string::npos;
  return std::string("#include ") + (quote ? "<" : "\"") + path + (quote ? ">" : "\"") + "\n";
}

}  // namespace

bool NvccPreprocessing::take(const ReadOption& option, const std::string& working_folder) {
  if (option.text == "--no-source-include" || option.text == "-no-source-include") {
    skips_source_folder_ = true;
  } else if (is_option(option, "--include-path")) {
    words_.push_back({"-I", absolute_folder(option.value, working_folder)});
  } else if (is_option(option, "--system-include")) {
    words_.push_back({"-isystem", absolute_folder(option.value, working_folder)});
  } else if (is_option(option, "--define-macro")) {
    words_.push_back({"-D", option.value});
  } else if (is_option(option, "--undefine-macro")) {
    words_.push_back({"-U", option.value});
  } else if (is_option(option, "--pre-include")) {
    first_includes_ += include_line(option.value, working_folder);
  } else {
    return false;
  }
  return true;
}

void NvccPreprocessing::add_quote_folder(const std::string& folder) { words_.push_back({"-iquote", folder}); }
void NvccPreprocessing::add_folder(const std::string& folder) { words_.push_back({"-I", folder}); }

bool NvccPreprocessing::needs_file() const {
  return !std::all_of(words_.begin(), words_.end(), [](const Word& word) { return arrives_intact(word.value); });
}

std::vector<std::string> NvccPreprocessing::nvcc_words() const {
  std::vector<std::string> words;
  for (const Word& word : words_) {
    if (word.option == "-iquote") {
      words.insert(words.end(), {"-Xcompiler", "-iquote," + word.value});
    } else if (word.option == "-isystem") {
      words.insert(words.end(), {word.option, word.value});
    } else {
      words.push_back(word.option + word.value);
    }
  }
  return words;
}

std::string NvccPreprocessing::file_text() const {
  std::string text;
  for (const Word& word : words_) text += word.option + "\n" + escaped_text(word.value) + "\n";
  return text;
}

}  // namespace kiln
