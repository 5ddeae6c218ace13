// A source and its options as bytes.
#pragma once

#include "compile/code/code_data.hpp"

#include <memory>
#include <string>
#include <string_view>

namespace kiln {

/// All but what is this process's own: `cancel`, `timing` and the header callback, whose headers are to be among the
/// others by then. A change of it is another version of what holds such bytes: saved code, and shared requests.
std::string encode_recipe(const Recipe& recipe);
/// Null where the bytes are malformed.
std::shared_ptr<const Recipe> decode_recipe(std::string_view bytes);

}  // namespace kiln
