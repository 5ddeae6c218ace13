// Device memory that generated kernels use and use again, in the order of one stream.
#pragma once

#include <kiln/driver_types.hpp>

#include <cstddef>
#include <memory>
#include <mutex>
#include <vector>

namespace kiln {

/// Of one stream: what its launches leave to the next one, so that a launch needs no allocation. Made when first
/// needed. Thread-safe; a launch that uses the work space is submitted while a Use lives.
class StreamMemory {
 public:
  /// Larger values get memory of their own.
  static constexpr std::size_t slot_size = 64;

  /// Null while the stream is captured: a graph may run at any time. Throws DriverError.
  static std::shared_ptr<StreamMemory> of(CUstream stream);

  explicit StreamMemory(CUstream stream);
  ~StreamMemory();
  StreamMemory(const StreamMemory&) = delete;
  StreamMemory& operator=(const StreamMemory&) = delete;

  /// The stream's.
  int device() const noexcept { return device_; }

  /// The work space of one launch.
  class Use {
   public:
    /// `bytes` that hold anything; a counter that is 0, and is 0 again after each launch; states that hold 0 or what
    /// earlier launches wrote, each with an epoch of its own.
    Use(StreamMemory& memory, std::size_t bytes, std::size_t state_bytes);
    CUdeviceptr bytes() const noexcept { return memory_.space_.address; }
    CUdeviceptr counter() const noexcept { return memory_.counter_.address; }
    CUdeviceptr states() const noexcept { return memory_.states_.address; }
    /// From 1 on, less than 2^30.
    unsigned epoch() const noexcept { return memory_.epoch_; }

   private:
    const std::lock_guard<std::mutex> lock_;
    StreamMemory& memory_;
  };

  /// slot_size bytes, until they are given back: for launches in the stream's order.
  CUdeviceptr take_slot();
  void give_back_slot(CUdeviceptr slot) noexcept;

 private:
  struct Space {
    Space() = default;
    ~Space();
    Space(const Space&) = delete;
    Space& operator=(const Space&) = delete;
    CUdeviceptr address = 0;
    std::size_t size = 0;
  };
  CUdeviceptr allocate(std::size_t bytes) const;
  void grow(Space& space, std::size_t bytes) const;
  void clear(const Space& space) const;

  const CUstream stream_;
  const CUcontext context_;
  const int device_;
  std::mutex mutex_;
  Space space_;
  Space counter_;
  Space states_;
  unsigned epoch_ = 0;
  std::mutex slots_mutex_;
  std::vector<CUdeviceptr> free_slots_;
  std::vector<CUdeviceptr> chunks_;
};

}  // namespace kiln
