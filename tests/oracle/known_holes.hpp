// Where the cache serves stale code today.
#pragma once

#include "story.hpp"

#include <string>
#include <vector>

namespace kiln::oracle {

/// A story that shows a difference until somebody closes the hole; then it is to be taken out here, and what it
/// is about let into random stories (Allowed).
struct KnownHole {
  std::string cause;
  Story story;
  bool only_of_a_trace = false;  // where the compiler's own list of headers is used, and no text is followed
  bool needs_rights = false;     // root reads what nobody may
};

std::vector<KnownHole> known_holes();

}  // namespace kiln::oracle
