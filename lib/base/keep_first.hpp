// What a process makes once, by whichever thread comes first.
#pragma once

#include <atomic>
#include <memory>

namespace kiln {

/// Makes `fresh` the one value of its kind in this process, unless there is one, and gives that one. It is never
/// destroyed: compiles may run while the process exits. No lock is held while it is made: two threads may both make
/// one, and one of them stays.
template <class Value>
const Value& keep_first(std::atomic<const Value*>& kept, std::unique_ptr<const Value> fresh) {
  const Value* expected = nullptr;
  if (kept.compare_exchange_strong(expected, fresh.get(), std::memory_order_acq_rel)) return *fresh.release();
  return *expected;
}

}  // namespace kiln
