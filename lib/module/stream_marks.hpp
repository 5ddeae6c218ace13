// Which streams have work that reads what one of them wrote, and how another comes after it.
#pragma once

#include <kiln/event.hpp>

#include <cstdint>
#include <optional>
#include <vector>

namespace kiln {

/// Of one context. The order of writers and readers over streams: a reader comes after the last write, a writer after
/// the last write and all readers since. Work on the writer's own stream needs no help. To be used by one thread at a
/// time, with that context current.
class StreamMarks {
 public:
  /// What one stream read last.
  struct Reader {
    std::uint64_t stream;
    Event mark;
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

  std::optional<Event> write_;  // none before the first
  std::uint64_t writer_ = 0;
  std::vector<Reader> readers_;
};

}  // namespace kiln
