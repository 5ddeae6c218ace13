// What values change: the code or the launch. What is measured of values that change neither is noise.
#pragma once

#include "tune/tunable_space.hpp"

#include <kiln/cancel.hpp>
#include <kiln/code_object.hpp>

#include <string>

namespace kiln {

/// Equal for equal code, whatever the text was that nvcc names static variables by.
std::string code_identity(const CodeObject& code);

/// Throws ArgumentError for a definition without parameters, and for a parameter that changes neither code nor launch:
/// the source, the kernel's name, the sizes, the restrictions, macros, options and the other parameters' values do not
/// name it, and with each of its values the code is the same. That is compiled only where nothing names it, as a macro
/// may paste the name together. Where a callable may use the parameter, it is a warning.
void refuse_unused_parameters(const TunableDefinition& definition, const TunableSpace& space, bool has_objective,
                              const CancelToken& cancel);

}  // namespace kiln
