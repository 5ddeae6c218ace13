// Whether an entry has the content that its kind requires.
#pragma once

#include "cache/entry.hpp"

namespace kiln {

/// As far as lib/cache knows: code itself is not checked.
bool makes_sense(const EntryName& name, const Sections& sections);

}  // namespace kiln
