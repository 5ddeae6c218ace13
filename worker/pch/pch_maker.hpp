// Making precompiled headers, in a separate process in the background.
#pragma once

#include "cache/key.hpp"
#include "compile/jobs/worker_job.hpp"
#include "compile/request/request.hpp"
#include "worker/pch/pch_source.hpp"

namespace kiln {

struct PchOrder {
  /// later: when the processor is idle. now: further compiles that need it are waiting.
  enum class Haste { later, now };

  Request request;
  PchPlace place;
  PchSource source;
  CacheKey key;
  Haste haste = Haste::later;
};

/// Has the file made when the present job is done. Of several orders the first one stays.
void order_pch(PchOrder order);
/// Starts a process that makes the ordered file. Does nothing without an order, or where such a process of this one
/// runs.
void start_ordered_pch_maker();
/// Starts it at once. The new process shares nothing with this one, and outlives it: it exits after some minutes at the
/// latest. Where another process makes the same file it ends at once.
void start_pch_maker(const PchOrder& order);

}  // namespace kiln
