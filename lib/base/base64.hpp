// Bytes as text: base64 (RFC 4648).
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace kiln {

std::string base64_text(std::string_view bytes);

/// Nothing for a text that has other characters.
std::optional<std::string> base64_bytes(std::string_view text);

}  // namespace kiln
