// The headers that NVRTC 13.3 and newer bring along, where no toolkit's are found.
#pragma once

#include "cache/kept_tree.hpp"
#include "compile/request/request.hpp"

#include <string>

namespace kiln {

/// Whether the compile is to have them, and no folder of the request holds them yet.
bool needs_bundled_headers(const Request& request);

/// Where a cache folder keeps them: one tree for each NVRTC.
KeptTree bundled_headers_in(CacheFolder& cache, const ChosenCompiler& compiler);

/// The compiler and look-ups get the headers that unpack_headers() put into `folder`.
void use_bundled_headers(Request& request, const std::string& folder);

/// For a new request, whose key does not depend on it: uses the folder's headers if they are there. Where they are not,
/// look-ups take them to be those of the compiler, whose identity says what they are.
void find_bundled_headers(Request& request, CacheFolder* cache);

}  // namespace kiln
