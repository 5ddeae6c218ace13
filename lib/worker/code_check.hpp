// Whether a compiler's output is code at all: one may be killed or fail on a full disk and still end with success.
#pragma once

#include <kiln/code_object.hpp>

#include <string>
#include <string_view>

namespace kiln {

/// What is wrong with it, such as "it is no cubin"; empty for whole code of that kind.
std::string fault_of_code(std::string_view code, Target target);

}  // namespace kiln
