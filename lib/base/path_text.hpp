// Paths as texts: nothing is looked at, and no link is followed.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace kiln {

inline bool is_absolute(std::string_view path) { return path.substr(0, 1) == "/"; }

/// The path without its last part; empty where it has one part only.
std::string folder_of(const std::string& path);

/// The last part of the path; empty where it ends with a slash.
std::string file_name_of(const std::string& path);

/// `name` below `folder`, or `name` itself where it is absolute or there is no folder.
std::string joined(const std::string& folder, const std::string& name);

/// The rest of `path` below `folder`, empty where they are equal; nothing where it is elsewhere.
std::optional<std::string> rest_below(const std::string& path, const std::string& folder);

/// The folder as an absolute path without a slash at its end.
std::string absolute_folder(const std::string& path, const std::string& working_folder);

/// The folder that a file's name names, absolute.
std::string folder_of_name(const std::string& name, const std::string& working_folder);

/// The process's; "/" where it has none.
std::string working_folder();

}  // namespace kiln
