// From a configuration to what is compiled.
#pragma once

#include "tune/tunable_definition.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace kiln {

/// The definition's source, compiled with these options, has the kernel under that name.
struct TunableRequest {
  CompileOptions options;
  std::string function;
};

/// `name` with each word between < and > that is a parameter's name, and no part of a longer one, replaced by its
/// value.
std::string with_template_arguments(std::string_view name, const TuneConfiguration& values);
/// Whether such a word is there.
bool names_template_argument(std::string_view name, std::string_view parameter);

/// `values` has all of the definition's parameters in their order.
TunableRequest request_of(const TunableDefinition& definition, const TuneConfiguration& values);

}  // namespace kiln
