// ReferenceHook: before a kernel runs, what its module's references are bound to is in its image's variables.
// StreamMarks: which streams read what one of them wrote, and how another comes after it.
#pragma once

#include "launch/kernel.hpp"
#include "module/device_images.hpp"
#include "module/reference.hpp"

#include <kiln/event.hpp>

#include <cstdint>
#include <memory>
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

/// Of one image set of a module, for all its kernels. A variable is written on the launch's stream, and only where its
/// binding changed since the last launch in that context. Objects that were replaced are destroyed by a later launch,
/// once the write that replaced them is done; the others with this hook, after waiting for what reads them.
class ReferenceHook : public LaunchHook {
 public:
  ReferenceHook(std::shared_ptr<ReferenceTable> table, std::shared_ptr<DeviceImages> images);
  ~ReferenceHook() override;

  /// Finds the variables in the current context now, because the first launch there may be captured.
  void prepare();
  void launch(const HookedLaunch& launch, const std::function<void()>& submit) override;

 private:
  /// A reference's variable in one context.
  struct Site {
    std::shared_ptr<Reference> reference;
    CUdeviceptr address = 0;  // 0 where this image has no such variable
    std::uint64_t version = 0;
    BoundObject object;
    std::uint64_t stored = 0;  // what the variable holds
    bool is_stored_known = true;
  };
  struct Place {
    CUcontext context;
    int device;
    std::vector<Site> sites;
    StreamMarks marks;
    std::vector<BoundObject> replaced;
    bool was_captured = false;
    std::vector<BoundObject> captured;  // that graphs may read
  };

  Place& place_of(CUcontext context, int device);
  void check_texrefs(const std::string& kernel, const LaunchConfig& config, int device) const;
  void locate(Place& place);
  static void destroy_replaced(Place& place);
  static void bind(Place& place, CUstream stream);
  static void bind_captured(Place& place, CUstream stream);
  static void renew(Site& site, Place& place);
  static void store(Site& site, CUstream stream);

  const std::shared_ptr<ReferenceTable> table_;
  const std::shared_ptr<DeviceImages> images_;
  std::vector<std::unique_ptr<Place>> places_;
};

}  // namespace kiln
