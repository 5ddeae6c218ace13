// The log of all components.
#pragma once

#include <kiln/log.hpp>

#include <string>

namespace kiln {

/// Whether a message of this level would be shown: ask before building an expensive one.
bool log_enabled(LogLevel level) noexcept;
/// Hands the message to the handler, or writes "kiln: <level>: <message>" to standard error. Never throws.
void log_message(LogLevel level, const std::string& message) noexcept;

}  // namespace kiln
