// The bytes of a cache folder's counters file:
//
//   magic "kilnstat" | Statistics::slots counters as u64, little-endian | XXH3-128 of all before
#pragma once

#include "cache/statistics.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace kiln {

constexpr std::size_t statistics_file_size = 8 + 8 * Statistics::slots + 16;

std::string encode_statistics(const Statistics::Counts& counts);
/// Nothing where the bytes are another number, or damaged.
std::optional<Statistics::Counts> decode_statistics(std::string_view bytes);

}  // namespace kiln
