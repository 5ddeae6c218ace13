// What the cache's files are called at a remote.
#pragma once

#include "cache/entry.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace kiln {

/// Larger values are neither taken from a remote nor sent there.
inline constexpr std::size_t most_remote_bytes = std::size_t{64} << 20U;

/// Of the present format: a new one has names of its own, so that versions of Kiln can share a remote.
inline std::string remote_name(EntryKind kind, const Digest& key) {
  const char* const end = kind == EntryKind::manifest ? ".manifest" : kind == EntryKind::note ? ".note" : ".code";
  return key.hex() + end + "-v3";
}

/// What has that name; nothing where no file of the present format has.
inline std::optional<EntryName> entry_of_remote_name(std::string_view name) {
  const auto key = digest_of_hex(name.substr(0, name.find('.')));
  for (const EntryKind kind : {EntryKind::code, EntryKind::manifest, EntryKind::note})
    if (key && remote_name(kind, *key) == name) return EntryName{kind, *key};
  return std::nullopt;
}

}  // namespace kiln
