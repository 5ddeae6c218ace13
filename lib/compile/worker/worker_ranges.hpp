// The ranges of a worker's stages, as a profiler of the host sees them: in the thread that waits for the worker.
#pragma once

#include "base/range.hpp"

#include <cstddef>
#include <string>

namespace kiln {

// The first byte of a message; the text is behind it.
inline constexpr char begin_of_range = 'b';
inline constexpr char end_of_range = 'e';

/// Those of one job. Destroyed, it ends what the worker left open, such as one that died.
class WorkerRanges {
 public:
  WorkerRanges() = default;
  ~WorkerRanges() {
    while (open_ != 0) end();
  }
  WorkerRanges(const WorkerRanges&) = delete;
  WorkerRanges& operator=(const WorkerRanges&) = delete;

  void take(const std::string& message) {
    if (sink_ == nullptr || message.empty()) return;
    if (message.front() == begin_of_range) {
      sink_->push(message.c_str() + 1);
      ++open_;
    } else if (open_ != 0) {
      end();
    }
  }

 private:
  void end() {
    sink_->pop();
    --open_;
  }

  const RangeSink* const sink_ = range_sink();
  std::size_t open_ = 0;
};

}  // namespace kiln
