// The tokens of a program's texts, and the macros that these texts define.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace kiln {

using OperationTokens = std::vector<std::string_view>;

/// All words, numbers, literals and marks; no blanks and no comments. Views of the text, so that neighbours show
/// whether they touch.
OperationTokens operation_tokens(std::string_view text);

struct OperationMacro {
  std::string_view name;
  OperationTokens body;  // without its parameters
};

/// Those that directives of the text define.
std::vector<OperationMacro> macros_of(std::string_view text);

/// What the name is after the text, as far as its own directives say.
enum class MacroKind { none, plain, with_parameters };
MacroKind macro_kind(std::string_view text, std::string_view name);

/// Where a text names std::complex, which is the host's alone, it and its functions become those of cuda::std in all of
/// them: the type that a program's std::complex is in a generated kernel.
void use_device_complex(const std::vector<std::string*>& texts);

/// Whether the token is a word: a name or a keyword.
bool is_word(std::string_view token);

}  // namespace kiln
