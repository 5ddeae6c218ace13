// Texts of strangers for a report: they become valid JSON, whatever they hold.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace kiln::emulator {

/// A JSON string. Bytes that are no UTF-8 become U+FFFD.
std::string valid_json_text(std::string_view text);
/// "0x7f00"
std::string hex_text(std::uint64_t number);
/// The text of an ordinary file; nothing if there is none, or it is larger.
std::optional<std::string> file_text(const std::string& path, std::size_t most);

}  // namespace kiln::emulator
