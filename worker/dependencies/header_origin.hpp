// Whether a header is the user's or the toolkit's, by its folder.
#pragma once

#include "compile/headers/header_search_paths.hpp"

#include <string>

namespace kiln {

enum class HeaderOrigin { own, toolkit };

/// The toolkit's or the host compiler's, unless it lies below one of the request's own roots.
HeaderOrigin origin_of(const std::string& path, const HeaderSearchPaths& search);

}  // namespace kiln
