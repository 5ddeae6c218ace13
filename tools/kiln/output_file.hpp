// Where the command line writes what it made, and what it says.
#pragma once

#include <string>
#include <string_view>

namespace kiln::tool {

/// Writes the whole file or, where that fails, nothing: write_named_file. "-" is standard output. Throws Error.
void write_output(const std::string& path, std::string_view bytes);

/// Why a file could not be written, as far as that is known before; empty where it can be, and for "-".
std::string why_unwritable(const std::string& file);
/// Of a file that is written after a long run: throws Error, which names the option.
void require_folder_of(const std::string& option, const std::string& file);

// Everything that is no file's content is said by one of these: texts can come from files that others made, and must
// not control the terminal.

/// To standard output. Throws Error where it cannot be written, as on a full disk.
void print(std::string_view text);
/// The same for JSON, which keeps its meaning.
void print_json(std::string_view json);
/// To standard error.
void say(std::string_view text) noexcept;

/// Throws Error where something that was written to standard output, also by a kernel, did not get there.
void check_standard_output();

}  // namespace kiln::tool
