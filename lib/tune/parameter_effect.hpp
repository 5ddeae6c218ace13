// Whether a parameter's values change the code or the launch. If they change neither, differences in time are noise.
#pragma once

#include "tune/tunable_space.hpp"

#include <kiln/cancel.hpp>
#include <kiln/code_object.hpp>

#include <string>

namespace kiln {

/// Equal for equal code, even if nvcc named static variables after different source texts.
std::string code_identity(const CodeObject& code);

/// Throws ArgumentError for a definition without parameters, and for a parameter that changes neither code nor launch.
/// Such a parameter is not named by the source, the kernel's name, sizes, restrictions, macros, options or the other
/// parameters' values, and the code is the same for each of its values. Only unnamed parameters are compiled for this
/// check, as a macro may paste the name together. If a callable may use the parameter, it is a warning.
void refuse_unused_parameters(const TunableDefinition& definition, const TunableSpace& space, bool has_objective,
                              const CancelToken& cancel);

}  // namespace kiln
