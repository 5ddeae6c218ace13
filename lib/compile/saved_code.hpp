// Code and requests as bytes that outlast the process.
#pragma once

#include "compile/code/code_data.hpp"

#include <memory>
#include <string>
#include <string_view>

namespace kiln {

/// What CodeObject::serialize made. Throws Error, which begins with `what`, where the bytes are damaged or of another
/// version.
std::shared_ptr<CodeData> load_saved_code(std::string_view bytes, const std::string& what);

/// The request alone, and back. Throws likewise.
std::string save_recipe(const Recipe& recipe);
std::shared_ptr<const Recipe> load_saved_recipe(std::string_view bytes, const std::string& what);

}  // namespace kiln
