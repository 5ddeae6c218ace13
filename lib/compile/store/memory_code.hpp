// The in-process tier: code that this process made or read before, by request.
#pragma once

#include "base/stop.hpp"
#include "cache/dependencies.hpp"
#include "compile/code/code_data.hpp"

#include <functional>
#include <memory>
#include <string>

namespace kiln {

/// The code of an equal request (request_identity), where every header is still in the state it was; null otherwise.
/// Thread-safe.
std::shared_ptr<const CodeData> recall_code(const std::string& identity);

/// The same, else what `get` gives: one thread calls it, those that ask for the same meanwhile wait and take its code
/// from memory. Who finds nothing there calls it too, because what was made must not be kept, or has changed since.
/// Throws what `get` throws, in all these threads; CompileStopped where `stop` is due.
CodeObject recall_or_get(const std::string& identity, const std::string& name, const Stop& stop,
                         const std::function<CodeObject()>& get);

/// Keeps code for recall_code, with what it depends on in today's states.
void remember_code(std::string identity, std::shared_ptr<const CodeData> code, Dependencies dependencies, Roots roots);

}  // namespace kiln
