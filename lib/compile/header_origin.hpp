// Whose a header is, told by where it lies.
#pragma once

#include "compile/header_search.hpp"

#include <string>

namespace kiln {

enum class HeaderOrigin { own, toolkit };

/// The toolkit's or the host compiler's, unless it lies below one of the request's own roots.
HeaderOrigin origin_of(const std::string& path, const HeaderSearch& search);

/// Whether it is one of the host compiler's.
bool is_in_system(const std::string& path, const HeaderSearch& search);

/// The rest of a path below the folder of the host compiler's that it was found in. Those folders are not listed
/// anywhere, but look alike everywhere.
std::string rest_in_system(const std::string& path);

}  // namespace kiln
