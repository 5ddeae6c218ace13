// Whether an entry holds what an entry of its kind is to hold.
#pragma once

#include "cache/entry.hpp"

namespace kiln {

/// As far as this room can tell: of code it knows nothing, and what explains or helps is never wrong.
bool makes_sense(const EntryName& name, const Sections& sections);

}  // namespace kiln
