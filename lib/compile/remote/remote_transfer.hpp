// What somebody asks of remote caches: what they are like, and entries of a cache folder to them, and back.
#pragma once

#include "cache/cache_folder.hpp"
#include "compile/jobs/worker_job.hpp"

#include <kiln/cache.hpp>
#include <kiln/cache_options.hpp>

#include <vector>

namespace kiln {

/// Cache::push.
std::vector<CacheTransfer> push_entries(CacheFolder& folder, const TransferOptions& options);
/// Cache::pull.
std::vector<CacheTransfer> pull_entries(CacheFolder& folder, const TransferOptions& options);

// The same with the one remote of a place.

void push_to(CacheFolder& folder, const RemotePlace& place, const EntrySelection& selection, CacheTransfer& done);
void pull_from(CacheFolder& folder, const RemotePlace& place, const EntrySelection& selection, CacheTransfer& done);

/// So much is asked for, or sent, at once.
inline constexpr std::uint64_t most_transfer_bytes = std::uint64_t{16} << 20U;
inline constexpr std::size_t most_transfer_values = 256;

/// Cache::remotes. In brief it is only told whether each answers within the time that it may take to connect.
RemoteCaches report_remotes(const CacheOptions& options, const CacheFolder& own, bool in_brief);

/// Throws Error where the only remote of the place does not answer a question within its request_timeout.
void require_answer(const RemotePlace& place);

}  // namespace kiln
