// What to do about an error of --options-file, by which nvcc, ptxas and others read options from a file.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace kiln {

/// The file that cannot be opened and its option, or the line of a file that has the option which the error names;
/// `quoted` are the words that the error has in quotes. The tool worked in `folder`, from which relative names count.
/// Empty where the error is of something else.
std::string option_file_advice(std::string_view error, const std::vector<std::string_view>& quoted,
                               const std::vector<std::string>& options, const std::string& folder);

}  // namespace kiln
