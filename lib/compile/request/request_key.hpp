// The key of a request: no absolute path of the source tree is in it, unless the code would hold the path.
#pragma once

#include "compile/request/request.hpp"

#include <string>

namespace kiln {

/// The canonical bytes (cache/key.hpp). An entry of code that holds no path serves every checkout of one tree, wherever
/// it lies, because the include folders are named by their order, and by how they and the toolkit's lie to each other:
/// -I/p -I/p/inc is not -I/q -I/r/inc, where a header of the second could not be one of the first.
std::string canonical_key(const Request& request);

}  // namespace kiln
