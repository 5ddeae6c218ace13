// The ranges of this process, in the place of a profiler.
#pragma once

#include "base/range.hpp"

#include <mutex>
#include <string>

namespace kiln::test {

/// One at a time. "(compile: a.cu(stage: NVRTC))(load: a.cu)": ranges are in parentheses, marks between "<" and ">".
class RecordedRanges {
 public:
  RecordedRanges() : before_(current_range_sink.load()) {
    record({});
    set_range_sink(&sink);
  }
  ~RecordedRanges() { set_range_sink(before_); }
  RecordedRanges(const RecordedRanges&) = delete;
  RecordedRanges& operator=(const RecordedRanges&) = delete;

  std::string text() const {
    const std::lock_guard lock(mutex());
    return recorded();
  }

 private:
  static std::mutex& mutex() {
    static std::mutex instance;
    return instance;
  }
  static std::string& recorded() {
    static std::string instance;
    return instance;
  }
  static void record(const std::string& text) {
    const std::lock_guard lock(mutex());
    if (text.empty())
      recorded().clear();
    else
      recorded() += text;
  }
  static constexpr RangeSink sink = {
      [](const char* text) { record(std::string("(") + text); },
      [] { record(")"); },
      [](const char* text) { record(std::string("<") + text + ">"); },
  };

  const RangeSink* const before_;
};

}  // namespace kiln::test
