// Where the command line writes what it made.
#pragma once

#include <string>
#include <string_view>

namespace kiln::tool {

/// Writes the whole file or, where that fails, nothing. "-" is standard output; a pipe or a device is written to, not
/// replaced. Throws Error.
void write_output(const std::string& path, std::string_view bytes);

}  // namespace kiln::tool
