// "Did you mean" for options.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace kiln {

/// A line with the first of the options that the compiler's log names, that Kiln does not know, and that is much like
/// one that a compiler has, or that an environment variable gives; empty where there is none.
std::string misspelt_option(const std::vector<std::string>& options, std::string_view log);

/// Likewise of libnvvm's and nvJitLink's options.
std::string misspelt_nvvm_option(const std::vector<std::string>& options, std::string_view log);
std::string misspelt_nvjitlink_option(const std::vector<std::string>& options, std::string_view log);

}  // namespace kiln
