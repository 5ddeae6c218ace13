// Where the cache served stale code before dependencies were what compilers ask for.
#pragma once

#include "scenario.hpp"

#include <string>
#include <vector>

namespace kiln::oracle {

/// A scenario that showed a difference as long as the hole was open.
struct ClosedHole {
  std::string cause;
  Scenario scenario;
  bool needs_rights = false;  // root reads what nobody may
};

std::vector<ClosedHole> closed_holes();

}  // namespace kiln::oracle
