// The in-process tier: code that this process made or read before, by request.
#pragma once

#include "cache/dependencies.hpp"
#include "compile/code_data.hpp"

#include <memory>
#include <string>

namespace kiln {

/// The code of an equal request (request_identity), where every header is still in the state it was; null otherwise.
/// Thread-safe.
std::shared_ptr<const CodeData> recall_code(const std::string& identity);

/// Keeps code for recall_code, with what it depends on in today's states.
void remember_code(std::string identity, std::shared_ptr<const CodeData> code, Dependencies dependencies, Roots roots);

}  // namespace kiln
