// Refusing what a caller gave.
#pragma once

#include <string>

namespace kiln {

/// Throws ArgumentError for what belongs to no kernel's arguments. The message says what is wrong and the way out.
[[noreturn]] void throw_argument_error(const std::string& message, const std::string& expected,
                                       const std::string& given);

/// Likewise with the message "<subject>: expected <expected>, given <given><advice>". The subject names the class and
/// the parameter, such as "Array: width".
[[noreturn]] void refuse(const std::string& subject, const std::string& expected, const std::string& given,
                         const std::string& advice = {});

}  // namespace kiln
