// How misuse of an object without a kernel is told.
#pragma once

#include <string>

namespace kiln {

/// Throws ArgumentError: "<subject>: expected <expected>, given <given><advice>". The subject names the class and the
/// parameter, such as "Array: width".
[[noreturn]] void refuse(const std::string& subject, const std::string& expected, const std::string& given,
                         const std::string& advice = {});

}  // namespace kiln
