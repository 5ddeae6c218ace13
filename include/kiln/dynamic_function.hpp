// DynamicFunction: a function of a generated module, in parts.
#pragma once

#include <string>

namespace kiln {

/// An aggregate: {"float", "twice", "float x", "return 2 * x;"}, with "__global__", "template <class T> __device__" or
/// the like as the fifth member where it is not a plain device function. It becomes
///
///     QUALIFIERS RETURN_TYPE NAME(PARAMETERS) { BODY }
///
/// Errors within it name the place as "function <name>" and the body's line, counted from 1. Default arguments are
/// refused, because a prototype stands before the function. The name is an identifier or an operator such as
/// "operator+"; the body closes all the brackets that it opens: a `}` for a `{` that is in a macro has to be in a
/// macro, too. Counterpart: cgen.FunctionBody.
struct DynamicFunction {
  std::string return_type;                ///< a type
  std::string name;                       ///< an identifier or an operator
  std::string parameters = {};            ///< what stands between the parentheses
  std::string body = {};                  ///< what stands between the braces
  std::string qualifiers = "__device__";  ///< what stands before the type
};

}  // namespace kiln
