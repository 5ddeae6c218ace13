// Sizes as people write them.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace kiln {

/// "0", "4096", "64k", "500M", "2G", "1T": bytes, in steps of 1024. Nothing for any other text, or a size beyond 64
/// bits.
std::optional<std::uint64_t> parse_size(std::string_view text);

}  // namespace kiln
