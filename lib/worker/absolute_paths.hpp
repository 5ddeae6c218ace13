// Code that holds the absolute path of its source tree is right in that place only.
#pragma once

#include "worker/read_dependencies.hpp"

#include <kiln/compile_options.hpp>

#include <string_view>

namespace kiln {

/// Adds to the report's dependencies the own roots whose path the code holds, or may hold: where a text mentions
/// __FILE__, as what is computed from it does not show in the code; and where the code is of a form that cannot be
/// searched.
void note_absolute_paths(DependencyReport& report, const HeaderSearchPaths& search, Target target,
                         std::string_view code);

}  // namespace kiln
