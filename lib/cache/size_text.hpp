// Sizes as people write them.
#pragma once

#include <charconv>
#include <cstdint>
#include <optional>
#include <string_view>

namespace kiln {

/// "0", "4096", "64k", "500M", "2G", "1T": bytes, in steps of 1024. Nothing for any other text, or a size beyond 64
/// bits.
inline std::optional<std::uint64_t> parse_size(std::string_view text) {
  std::uint64_t size = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, size);
  if (error != std::errc()) return std::nullopt;
  if (stop == end) return size;
  constexpr std::string_view units = "kmgt";
  const char unit = *stop >= 'A' && *stop <= 'Z' ? static_cast<char>(*stop - 'A' + 'a') : *stop;
  const std::size_t step = units.find(unit);
  if (stop + 1 != end || step == std::string_view::npos) return std::nullopt;
  const auto shift = 10 * (step + 1);
  if (size > UINT64_MAX >> shift) return std::nullopt;
  return size << shift;
}

}  // namespace kiln
