// Kiln's messages: information for a program that is in no return value.
#pragma once

#include <kiln/export.hpp>

#include <functional>
#include <string>

namespace kiln {

/// How much a message matters; the words of KILN_LOG.
enum class LogLevel { debug, info, warn, off };

/// What receives messages; see set_log_handler.
using LogHandler = std::function<void(LogLevel level, const std::string& message)>;

/// Sends every message that KILN_LOG (off, warn, info or debug; warn where unset) lets through to `handler` instead of
/// standard error; an empty handler restores standard error. The handler may be called from any thread, one call at a
/// time, and must not call back into Kiln; what it throws is dropped. Safe to call from any thread.
/// Counterpart: Python's warnings module, which PyCUDA uses.
KILN_EXPORT void set_log_handler(LogHandler handler);

}  // namespace kiln
