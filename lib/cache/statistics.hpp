// The counters of a cache folder, which survive the process.
#pragma once

namespace kiln {

enum class Counter { hits, misses, compiles, stores, store_failures, corrupt, waits, evictions, refused };

}  // namespace kiln
