// The code of a template instance, by the name that a user gave it.
#pragma once

#include "module/load.hpp"

#include <kiln/detail/argument.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace kiln {

/// Name expressions, in canonical spacing.
struct InstanceName {
  std::string expression;  // "scale<float>"
  /// The same with its parameter types, for one of several templates of that name: "(void(*)(float*,int))scale<float>".
  /// Empty where the types were not stated.
  std::string overload;
};

/// Of "scale<float>(float*, int)", or of "scale<float>" with a typed function's types; null for no types.
InstanceName instance_name(std::string_view name, const detail::Signature* signature);

struct InstanceCode {
  CodeObject code;
  std::string symbol;
};

/// Compiles the source again with the instance in it. Throws CompileError, and ArgumentError where the source has no
/// template of that name, or several and none was picked.
InstanceCode compile_instance(const Recipe& recipe, const InstanceName& name, std::optional<int> device);

}  // namespace kiln
