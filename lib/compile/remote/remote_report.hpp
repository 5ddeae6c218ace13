// What remote caches are like now.
#pragma once

#include "cache/cache_folder.hpp"
#include "compile/jobs/worker_job.hpp"

#include <kiln/cache.hpp>
#include <kiln/cache_options.hpp>

namespace kiln {

/// Cache::remotes. In brief it is only told whether each answers within the time that it may take to connect.
RemoteCaches report_remotes(const CacheOptions& options, const CacheFolder& own, bool in_brief);

/// Throws Error where the only remote of the place does not answer a question within its request_timeout.
void require_answer(const RemotePlace& place);

}  // namespace kiln
