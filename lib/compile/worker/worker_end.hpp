// How a worker's compiler ended, as its monitor reports it to the host.
#pragma once

#include "base/spawn.hpp"
#include "cache/byte_io.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace kiln {

inline std::string encode_end(const ExitStatus& status) {
  std::string bytes;
  append_integer(bytes, static_cast<std::uint32_t>(status.code));
  append_integer(bytes, static_cast<std::uint32_t>(status.signal));
  return bytes;
}

/// Nothing for bytes of another form.
inline std::optional<ExitStatus> decode_end(std::string_view bytes) {
  ByteReader reader(bytes);
  ExitStatus status;
  status.code = static_cast<int>(reader.integer<std::uint32_t>());
  status.signal = static_cast<int>(reader.integer<std::uint32_t>());
  return reader.finished() ? std::optional(status) : std::nullopt;
}

}  // namespace kiln
