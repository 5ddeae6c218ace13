// "Did you mean" for name expressions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace kiln {

/// A line about the first name expression that the compiler's log refuses and that is much like a kernel of the source,
/// or has other arguments than its template; empty where there is none.
std::string misspelt_name(const std::vector<std::string>& expressions, std::string_view source, std::string_view log);

}  // namespace kiln
