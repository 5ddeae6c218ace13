// Where Kiln itself lies, for what was built or installed beside it.
#pragma once

#include <filesystem>

namespace kiln {

/// The folder of the library, or of the program, that Kiln's code is in; empty where the system does not report it.
/// Thread-safe.
const std::filesystem::path& own_folder();

}  // namespace kiln
