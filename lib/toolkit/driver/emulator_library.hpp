// Where Kiln's own emulator of a device is.
#pragma once

#include "base/file_system.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace kiln {

/// The name that KILN_DRIVER and use_driver have for it.
inline constexpr const char* emulator_name = "emulator";

/// What to open for that name, in order: the library that was installed or built with this one, or with the program
/// that Kiln is linked into, then what the loader knows.
std::vector<std::string> emulator_candidates();

/// The first of these, seen from the folder that Kiln's code is in. Folders above it may be open to all users, as /tmp
/// is: what lies there counts only where it belongs to this user or root.
std::vector<std::string> emulators_near(FileSystem& files, const std::filesystem::path& folder);

/// Whether a driver library's file is the emulator.
bool is_emulator(const std::string& path);
/// Whether it is the driver library that this process uses.
bool emulator_in_use() noexcept;

}  // namespace kiln
