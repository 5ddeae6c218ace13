// Where the cache serves stale code today.
#pragma once

#include "scenario.hpp"

#include <string>
#include <vector>

namespace kiln::oracle {

/// A scenario that shows a difference as long as the hole is open. When it is closed, remove it here, and let random
/// scenarios have its cause (Allowed).
struct KnownHole {
  std::string cause;
  Scenario scenario;
  bool only_of_a_trace = false;  // where the compiler's own list of headers is used, and no text is followed
  bool needs_rights = false;     // root reads what nobody may
};

std::vector<KnownHole> known_holes();

}  // namespace kiln::oracle
