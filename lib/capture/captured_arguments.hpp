// The arguments of a launch, taken apart: values, and the device memory behind pointers.
#pragma once

#include "launch/kernel.hpp"
#include "toolkit/driver/driver_extras.hpp"
#include "toolkit/names/element_type.hpp"

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kiln {

/// An allocation that arguments point into.
struct CapturedMemory {
  CUdeviceptr begin = 0;
  std::size_t bytes = 0;
  const ElementType* element = nullptr;  // null where it is unknown, or it does not fit the size: bytes
  bool is_read_only = true;              // as the types of all its parameters say
};

struct CapturedArgument {
  Parameter parameter;
  std::string bytes;
  std::optional<std::size_t> memory = std::nullopt;  // of a pointer: the index of its allocation
  std::size_t offset = 0;                            // where in there it points
};

struct CapturedArguments {
  std::vector<CapturedArgument> arguments;
  std::vector<CapturedMemory> memories;  // each once, however many arguments point into it

  std::size_t total_bytes() const noexcept;
};

/// In the context of the launch's stream. `source` is the kernel's, or empty: whether it has texture or surface
/// objects, which no argument shows. Throws NotCaptured, with the argument at fault.
CapturedArguments capture_arguments(const HookedLaunch& launch, std::string_view source);

/// For one thread, with the stream's context current.
class StagedMemory {
 public:
  static constexpr std::size_t piece = std::size_t{8} << 20;

  /// Throws DriverError where there is no page-locked memory.
  explicit StagedMemory(CUstream stream);
  ~StagedMemory();
  StagedMemory(const StagedMemory&) = delete;
  StagedMemory& operator=(const StagedMemory&) = delete;

  /// Calls `take` with each piece, after the stream's work, until it returns false. Throws DriverError.
  void read(CUdeviceptr begin, std::size_t bytes, const std::function<bool(std::string_view)>& take);

 private:
  CUstream stream_;
  void* buffer_ = nullptr;
};

}  // namespace kiln
