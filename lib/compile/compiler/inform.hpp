// What a compile reports at level info.
#pragma once

#include "base/log.hpp"

#include <string>

namespace kiln {

/// "kernel.cu: what", where `name` is that of the request.
inline void inform(const std::string& name, const std::string& what) {
  if (log_enabled(LogLevel::info)) log_message(LogLevel::info, name + ": " + what);
}

}  // namespace kiln
