// Refusing what a caller gave.
#pragma once

#include <string>

namespace kiln {

/// Throws ArgumentError for what belongs to no kernel's arguments. The message says what is wrong and the way out.
[[noreturn]] void throw_argument_error(const std::string& message, const std::string& expected,
                                       const std::string& given);

}  // namespace kiln
