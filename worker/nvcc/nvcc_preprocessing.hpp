// The part of nvcc's command that the host compiler's preprocessor gets: folders, macros, files to include.
#pragma once

#include "compile/options/known_options.hpp"

#include <string>
#include <vector>

namespace kiln {

/// Collects words for the host compiler. nvcc hands its options to a shell, quoted in part: commas, quotes, dollars and
/// backslashes arrive changed or not at all. Where a word has any of those, all go by a file that the host compiler
/// reads itself.
class NvccPreprocessing {
 public:
  /// Takes the option where it is of this kind; relative paths count from the folder.
  bool take(const ReadOption& option, const std::string& working_folder);
  void add_quote_folder(const std::string& folder);
  void add_folder(const std::string& folder);
  /// The source's own folder is not searched for quoted includes.
  bool skips_source_folder() const noexcept { return skips_source_folder_; }

  bool needs_file() const;
  /// The words for nvcc, where no file is needed.
  std::vector<std::string> nvcc_words() const;
  /// The text of the file.
  std::string file_text() const;
  /// A header that includes what the job wants included first; empty where there is nothing. After cuda_runtime.h, as
  /// nvcc's own -include is.
  const std::string& first_includes() const noexcept { return first_includes_; }

 private:
  struct Word {
    std::string option;
    std::string value;
  };
  std::vector<Word> words_;
  std::string first_includes_;
  bool skips_source_folder_ = false;
};

}  // namespace kiln
