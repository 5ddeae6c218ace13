// Device memory read piece by piece, through page-locked memory of a bounded size.
#pragma once

#include "toolkit/driver/driver_extras.hpp"

#include <cstddef>
#include <functional>
#include <string_view>

namespace kiln {

/// For one thread, with the stream's context current.
class StagedMemory {
 public:
  static constexpr std::size_t piece = std::size_t{8} << 20;

  /// Throws DriverError where there is no page-locked memory.
  explicit StagedMemory(CUstream stream);
  ~StagedMemory();
  StagedMemory(const StagedMemory&) = delete;
  StagedMemory& operator=(const StagedMemory&) = delete;

  /// Calls `take` with each piece, behind the stream's work, until it returns false. Throws DriverError.
  void read(CUdeviceptr begin, std::size_t bytes, const std::function<bool(std::string_view)>& take);

 private:
  CUstream stream_;
  void* buffer_ = nullptr;
};

}  // namespace kiln
