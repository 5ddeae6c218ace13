// What the cache's files are called at a remote.
#pragma once

#include "cache/entry.hpp"

#include <string>

namespace kiln {

/// Of the present format: a new one has names of its own, so that versions of Kiln can share a remote.
inline std::string remote_name(EntryKind kind, const Digest& key) {
  const char* const end = kind == EntryKind::manifest ? ".manifest" : kind == EntryKind::note ? ".note" : ".code";
  return key.hex() + end + "-v2";
}

}  // namespace kiln
