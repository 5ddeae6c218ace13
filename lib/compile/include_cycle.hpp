// Headers that include themselves, which NVRTC's time trace leaves out.
#pragma once

#include "base/file_system.hpp"
#include "compile/header_search.hpp"
#include "compile/source_scan.hpp"

#include <string>

namespace kiln {

/// The file that such an #include in a text of that folder leads to; empty where there is none.
std::string included_file(FileSystem& files, const HeaderSearch& search, const HeaderName& header,
                          const std::string& folder);

/// Whether an #include in the own header at `path`, or in what it includes, may lead to it again. One of a macro may.
bool may_include_itself(FileSystem& files, const HeaderSearch& search, const std::string& path);

}  // namespace kiln
