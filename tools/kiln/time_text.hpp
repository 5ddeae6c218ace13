// Times as a person reads them.
#pragma once

#include <string>

namespace kiln::tool {

/// "12.3 us".
std::string time_text(double seconds);

}  // namespace kiln::tool
