// The places that may hold a CUDA toolkit. Each function looks at the file system when called, so that a search that
// ends early costs nothing for later places. The paths of a warm start are plain text: std::filesystem's first use in a
// process costs as much as reading an entry.
#pragma once

#include "toolkit/locate/toolkit.hpp"

namespace kiln {

/// Where a toolkit's root has libraries, each with a slash in front.
inline constexpr const char* library_folders[] = {"/lib64",
                                                  "/lib",
                                                  "/targets/x86_64-linux/lib",
                                                  "/targets/sbsa-linux/lib",
                                                  "/targets/aarch64-linux/lib",
                                                  "/lib/x86_64-linux-gnu",
                                                  "/lib/aarch64-linux-gnu"};

/// Whether something is at that path, links followed.
bool exists(const std::string& path);

/// Whether it is a file that this process may run.
bool is_program(const std::string& path);

/// A file that exists, with all links resolved; nothing else.
std::optional<std::string> resolved(const std::string& path);

/// The file that a path leads to by links of its last part, which costs less than to resolve it all; nothing where
/// there is none.
std::optional<std::string> followed(std::string path);

/// The first executable of that name in an absolute folder of a PATH, resolved.
std::optional<std::string> find_program(const std::string& path_variable, const std::string& name);

/// /usr/local/cuda, then the versioned folders beside it, newest first.
std::vector<std::filesystem::path> default_toolkit_roots(const ToolkitSearch& search);

/// Python's folders for packages, the most specific environment first.
std::vector<std::filesystem::path> python_package_dirs(const ToolkitSearch& search);

/// The folders that the dynamic loader searches.
std::vector<std::filesystem::path> loader_dirs(const ToolkitSearch& search);

}  // namespace kiln
