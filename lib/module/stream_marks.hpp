// Which streams have work that reads what one of them wrote, and how another comes after it.
#pragma once

#include "toolkit/driver/driver_extras.hpp"

#include <cstdint>
#include <memory>
#include <type_traits>
#include <vector>

namespace kiln {

/// An event without timing, of the context that is current at construction. Quiet at process exit.
class Mark {
 public:
  Mark();
  void record(CUstream stream);
  /// True where it was never recorded.
  bool is_reached() const;
  /// What `stream` gets later waits for what was recorded.
  void precede(CUstream stream) const;
  /// Never throws.
  void wait() const noexcept;

 private:
  struct Destroy {
    void operator()(CUevent event) const noexcept;
  };
  std::unique_ptr<std::remove_pointer_t<CUevent>, Destroy> event_;
};

/// Of one context. The order of writers and readers over streams: a reader comes after the last write, a writer after
/// the last write and all readers since. Work on the writer's own stream needs no help. To be used by one thread at a
/// time, with that context current.
class StreamMarks {
 public:
  /// What one stream read last.
  struct Reader {
    std::uint64_t stream;
    Mark mark;
    bool since_write;
  };

  /// Before a write to `stream` is submitted.
  void begin_write(CUstream stream);
  /// After it. All that was marked before is then before this write.
  void end_write(CUstream stream);
  /// Before and after a reader is submitted, with no other call between. Makes an event only where more streams than
  /// ever before have readers that are not done.
  Reader& begin_read(CUstream stream);
  static void end_read(Reader& reader, CUstream stream);

  /// Whether the last write is done; then so is all that read what was there before it.
  bool is_written() const;
  /// Waits for all that was marked. Never throws.
  void wait() const noexcept;

 private:
  Reader& reader_of(std::uint64_t stream);

  std::unique_ptr<Mark> write_;  // null before the first
  std::uint64_t writer_ = 0;
  std::vector<Reader> readers_;
};

}  // namespace kiln
