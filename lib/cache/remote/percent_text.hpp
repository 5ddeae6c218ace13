// Texts in which %20 and the like stand for bytes, as in addresses.
#pragma once

#include <string>
#include <string_view>

namespace kiln {

/// With the bytes that such groups stand for; a '%' without two digits stays.
std::string percent_decoded(std::string_view text);
/// With such a group for each byte that is no letter, digit, '.', '-' or '_'.
std::string percent_encoded(std::string_view text);

}  // namespace kiln
