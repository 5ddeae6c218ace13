// Ranges for profilers: what a thread does from here to there. By NVTX, in the domain "kiln".
#pragma once

#include <atomic>
#include <string_view>

namespace kiln {

/// Where ranges go. A text is a kind and a name: "compile: scale.cu".
struct RangeSink {
  void (*push)(const char* text);
  void (*pop)();
  void (*mark)(const char* text);
};

extern const RangeSink unasked_range_sink;
inline std::atomic<const RangeSink*> current_range_sink{&unasked_range_sink};

/// Reads KILN_NVTX, and has NVTX open the library of the tool that runs this process. Null where there is none, and in
/// a process with more rights than its user, to whom that library would belong.
const RangeSink* ask_for_range_sink() noexcept;

/// Null where nobody listens: from the second call on that costs a load and a compare.
inline const RangeSink* range_sink() noexcept {
  const RangeSink* const sink = current_range_sink.load(std::memory_order_acquire);
  return sink == &unasked_range_sink ? ask_for_range_sink() : sink;
}

/// In the place of NVTX; null: nobody listens.
inline void set_range_sink(const RangeSink* sink) noexcept {
  current_range_sink.store(sink, std::memory_order_release);
}

/// Whether launches are to have ranges, too: KILN_NVTX=launches, and a tool listens. Where the variable has another
/// value NVTX is not called.
bool launches_have_ranges() noexcept;

/// From here to the end of the object, in one thread. Ranges of a thread lie within each other.
class Range {
 public:
  explicit Range(const char* kind, std::string_view name = {}) noexcept : sink_(range_sink()) {
    if (sink_ != nullptr) begin(kind, name);
  }
  ~Range() {
    if (sink_ != nullptr) sink_->pop();
  }
  Range(const Range&) = delete;
  Range& operator=(const Range&) = delete;

 private:
  void begin(const char* kind, std::string_view name) noexcept;

  const RangeSink* sink_;
};

/// One moment within them.
void mark_in_range(const char* kind, std::string_view name = {}) noexcept;

}  // namespace kiln
