// Where the headers of a request are looked for.
#pragma once

#include "compile/headers/source_scan.hpp"
#include "compile/request/request.hpp"

#include <string>
#include <vector>

namespace kiln {

/// Completes request.search, whose folders of the request's own are in place, with all places that a search may start
/// from, and with the toolkit's folders. `system_dirs` are those of -isystem.
void resolve_search(Request& request, const SourceScan& scan, const std::vector<std::string>& system_dirs);

}  // namespace kiln
