// Files that a tool reads because an option names them, such as those of ptxas' --options-file: part of the request.
#pragma once

#include "cache/dependencies.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace kiln {

/// Adds what may be a file's name in a list of words with commas or blanks between: what stands behind each '=' of
/// "-Xptxas=--apply-controls=file", and a word that is no option; nothing of "-v".
void add_possible_names(std::vector<std::string>& names, std::string_view words);

/// Those of `names` that are files, in order and each once, with absolute paths, states and digests; and the files that
/// stand in the text of one of them, as an options file may name another. What is no file is left out: it is no name of
/// one, or the tool fails on it. Relative names count from the folder.
std::vector<FileDependency> find_option_files(const std::vector<std::string>& names, const std::string& folder);

/// Whether one of them has another content by now.
bool have_changed(const std::vector<FileDependency>& files);

/// For a key: their digests; where they lie says nothing.
std::vector<std::string> digests_of(const std::vector<FileDependency>& files);

/// The file that cannot be opened and its option, or the line of a file that has the option which the error names;
/// `quoted` are the words that the error has in quotes. The tool worked in `folder`, from which relative names count.
/// Empty where the error is of something else.
std::string option_file_advice(std::string_view error, const std::vector<std::string_view>& quoted,
                               const std::vector<std::string>& options, const std::string& folder);

}  // namespace kiln
