// NVRTC's own headers in the cache folder, for a request that is to be compiled.
#pragma once

#include "compile/request/request.hpp"

namespace kiln {

/// Where the request needs them, has a worker unpack them into the cache folder, once for all processes, and uses them.
/// Where there is no folder, or this fails, the request still needs them: who compiles unpacks them for itself. Throws
/// CompileStopped.
void unpack_bundled_headers(Request& request, CacheFolder* cache);

/// After a compile that failed: whether the request's unpacked headers were damaged, or removed meanwhile, and are
/// whole now, so that it is worth another compile. Reads them all.
bool have_repaired_headers(Request& request, CacheFolder* cache);

}  // namespace kiln
