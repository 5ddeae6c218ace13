// What TuneOptions must be.
#pragma once

#include <kiln/tune_options.hpp>

namespace kiln {

/// Throws ArgumentError with the member at fault.
void check(const TuneOptions& options);

}  // namespace kiln
