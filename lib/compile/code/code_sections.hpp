// Code as the sections of a cache entry, and back.
#pragma once

#include "cache/entry.hpp"
#include "compile/code/code_data.hpp"

#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace kiln {

Sections to_sections(const CodeData& code);
/// The same with other bytes in place of the code's.
Sections to_sections(const CodeData& code, std::string_view bytes);

/// Null where a section is missing or malformed. The recipe and the cache key are the caller's to set.
std::shared_ptr<CodeData> from_sections(Sections sections);

}  // namespace kiln
