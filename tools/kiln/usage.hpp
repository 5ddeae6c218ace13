// How a wrong command line is answered, and how messages name what a command was given.
#pragma once

#include <exception>
#include <string>

namespace CLI {
class App;
class Error;
}  // namespace CLI

namespace kiln::tool {

/// Of an option: without its value it would mean something else.
inline constexpr const char* is_empty =
    "the value is empty, as that of a variable that is not set: give one, or leave it out";

/// Throws an error that lists the commands, where the command line has none of them.
void require_command(const CLI::App& app);

/// The fault, what may have been meant, and how the options are listed.
std::string usage_text(const CLI::App& app, const CLI::Error& error);

/// Messages are those of the command that was given from here on. `app` must outlive them.
void speak_of(const CLI::App& app);

/// What an error says on the command line: in_options, and with the whole of a compiler's log that is not long.
std::string error_text(const std::exception& error);

/// A message of the library, which names members of its structs, in words of the command line: "--arch" for
/// "CompileOptions::arch". An option that only "kiln compile" has is named with it.
std::string in_options(std::string message);

}  // namespace kiln::tool
