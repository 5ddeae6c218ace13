// The compiler options that NVRTC and nvcc do not both take as they are, or that Kiln must see the value of.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace kiln {

/// What becomes of an option for one of the compilers.
enum class OptionFate {
  keep,     // it takes the option
  drop,     // the option says nothing about the code that it makes
  rename,   // it has another spelling
  refuses,  // it cannot follow the option
};

struct KnownOption {
  std::string_view long_name;   // "--define-macro"
  std::string_view short_name;  // "-D"; the long one again where there is none
  /// None; one, apart or behind '='; the same, or right behind the short name; the same, where it is a number.
  enum class Value { none, one, joined, number } value;
  OptionFate nvrtc;
  std::string_view nvrtc_name;  // for rename: all of it, where it ends with a value, else the name
  OptionFate nvcc;
  std::string_view nvcc_name;
  bool path;  // the value is a file or a folder
};

/// One option of a list.
struct ReadOption {
  const KnownOption* known = nullptr;  // null: not in the table, and one word
  std::string value;                   // of a known option
  std::string text;                    // as spelled, a value that stands apart joined to it by '='
  std::size_t words = 1;               // of the list that it takes up
};

/// The option at options[at], without blanks around it.
ReadOption read_option(const std::vector<std::string>& options, std::size_t at);

/// Whether it is that option; by the long name.
bool is_option(const ReadOption& option, std::string_view long_name);

/// Whether its value is of the kind that the option takes: an option that is dropped must not hide a mistake. True for
/// an option that is not in the table.
bool has_fitting_value(const ReadOption& option);

/// The words in the value of an option that hands options on, such as -Xcompiler: nvcc writes the value into a command
/// of a shell, so blanks separate them as commas do, and quotes and backslashes are not part of them.
std::vector<std::string> passed_words(std::string_view value);

/// The names of the macros that the option defines or undefines.
std::vector<std::string> macros_of_option(const ReadOption& option);

/// The whole table, for tests.
const KnownOption* known_options(std::size_t& count);

}  // namespace kiln
