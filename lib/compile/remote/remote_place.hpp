// Which remote caches are meant, and with which keys.
#pragma once

#include "cache/cache_folder.hpp"
#include "compile/jobs/worker_job.hpp"

#include <kiln/cache_options.hpp>

#include <string>

namespace kiln {

/// The remotes that the options name, else KILN_CACHE_REMOTE, with the keys of both; no address where none is named.
/// Whether each may be used is not asked. Throws ArgumentError for addresses that make no sense, and Error where a
/// variable names keys that cannot be meant.
RemotePlace remote_place(const CacheOptions& options, const CacheFolder& own);

/// What a person who asks for remotes is told where none is named.
inline constexpr const char* no_remote_named =
    "no remote cache is named: set KILN_CACHE_REMOTE, or give addresses (kiln cache: --remote), such as redis://host";

/// A fault that names its remote as a worker does, for a text where that stands already.
std::string without_address(const std::string& fault, const std::string& shown);

/// Why that remote must not be used with the keys that there are; null where it may be.
const char* why_unusable(const RemoteAddress& address, const RemotePlace& place) noexcept;

/// Why nothing can be put there, as far as this side knows it; null where it may be possible.
const char* why_no_put(const RemoteAddress& address, const RemotePlace& place) noexcept;

}  // namespace kiln
