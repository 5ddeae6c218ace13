// The errors of template instances that cannot be had.
#pragma once

#include <kiln/error.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace kiln {

/// The source has no template of that name, such as "sapxy<float>".
ArgumentError unknown_template(const std::string& wanted, std::string_view source);
/// It has several, and no types were stated.
ArgumentError ambiguous_template(const std::string& wanted);
/// It has several, none with these types: "(void(*)(float*,int))over<float>".
ArgumentError no_such_overload(const std::string& overload);
/// A template instance that is not in linked code, to which none can be added.
ArgumentError instance_not_linked(const ArgumentError& unknown);

/// The kernel would use another image's variable of that name than what was given out before. `instances` were, as name
/// expressions.
ArgumentError kernel_splits_variable(const std::string& kernel, const std::string& variable,
                                     std::vector<std::string> instances);
/// Instances in several images use the variable.
ArgumentError global_in_two_images(std::string_view wanted, const std::vector<std::string>& instances);

}  // namespace kiln
