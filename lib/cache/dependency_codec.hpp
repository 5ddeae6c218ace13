// The bytes of single dependencies and of header lists, as manifest.hpp describes them.
#pragma once

#include "cache/dependencies.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace kiln {

/// One item for each file, folder (without its headers), absent path, non-regular file and absolute path, in this
/// order.
std::vector<std::string> encode_items(const Dependencies& dependencies);
/// Adds the item to the dependencies. False where it is malformed.
bool decode_item(std::string_view item, Dependencies& dependencies);
/// Alters the state in a file's or a folder's item so that it equals none.
void distrust_item(std::string& item);

/// Empty where no folder has a header.
std::string encode_header_lists(const Dependencies& dependencies);
/// Fills in the headers of dependencies that came without. False, and nothing filled in, where the bytes do not fit.
bool decode_header_lists(std::string_view bytes, Dependencies& dependencies);

}  // namespace kiln
