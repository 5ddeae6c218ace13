// What Kiln puts into a source's text: CompileOptions::late_defines, and the name of the file for debuggers.
#pragma once

#include "compile/compiler/compiler_job.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kiln {

/// The macro's name, without the parameters that may follow it.
std::string_view macro_word(std::string_view name);

/// Whether a compiler may take it for a macro's name: letters of other scripts and $ are the compilers' to judge.
bool is_macro_name(std::string_view word) noexcept;

std::vector<std::string> late_words(const CompilerJob& job);

/// The job's late_defines as directives, each on a line of its own.
std::string late_define_lines(const CompilerJob& job);

/// The same for a message: " TILE=4 N=8".
std::string late_define_text(const CompilerJob& job);

/// The job's source, in `source`, with them after its leading lines. All other lines keep their numbers and file name.
/// If the job has a line_file, the lines after the leading ones get that name. #line changes the name in line
/// information, __FILE__ and diagnostics, but not where compilers search for headers.
std::string with_own_lines(const CompilerJob& job, std::string_view source);

/// The first line, from 1, that has the word outside of comments and literals. Quick where the text has it nowhere.
std::optional<std::size_t> line_of_word(std::string_view text, std::string_view word);

/// Throws ArgumentError: the macro of that name is not defined yet where a text has the word.
[[noreturn]] void refuse_late_define(std::string_view name, const std::string& text_name, std::size_t line);

}  // namespace kiln
