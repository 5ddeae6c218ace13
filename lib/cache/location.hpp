// Which folders the cache is in, and how large it may grow.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace kiln {

/// `given`, else KILN_CACHE_DIR, PYCUDA_CACHE_DIR, $XDG_CACHE_HOME/kiln, $HOME/.cache/kiln; made absolute. Nothing
/// where none is set: the cache is off then, and never in a shared temporary folder. A relative XDG_CACHE_HOME is
/// ignored. Nothing in a process that runs with more rights than its user: what one may write the other would execute.
std::optional<std::string> cache_location(const std::filesystem::path& given);

/// Whether KILN_DISABLE_CACHE or PYCUDA_DISABLE_CACHE is set, at any value.
bool cache_disabled();

/// Whether KILN_REQUIRE_CACHED forbids to compile: at any value but 0, no, off and false.
bool cache_required();

/// The folders of KILN_CACHE_READ_ONLY_DIRS, which colons separate, and the owners of KILN_CACHE_TRUSTED_OWNERS, which
/// commas do. Relative folders are left out, with a warning.
std::vector<std::string> read_only_dirs();
std::vector<std::string> trusted_owners();

/// The most bytes that a cache folder keeps: KILN_CACHE_MAX_SIZE, such as 500M; 1 GiB where it is unset, or (warned of
/// once) no size. 0: no limit.
std::uint64_t cache_size_limit();

/// The most bytes of code that a process keeps in memory: KILN_CACHE_MAX_MEMORY, such as 64M; 256 MiB where it is
/// unset, or (warned of once) no size. 0: no limit.
std::uint64_t cache_memory_limit();

/// The most bytes of precompiled headers that are stored: KILN_PCH_MAX_SIZE, such as 4G; 2 GiB where it is unset, or
/// (warned of once) no size. 0: no limit.
std::uint64_t pch_size_limit();

}  // namespace kiln
