// What a kernel may write: kept, given back before each launch, and compared with the reference.
#pragma once

#include "tune/device_difference.hpp"

#include <kiln/device_buffer.hpp>
#include <kiln/function.hpp>
#include <kiln/tune_arguments.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace kiln {

/// For one thread, with the stream's context current.
class TuneOutputs {
 public:
  /// Copies of the memory as it is now. Of the kernel's parameters only the types are looked at. Throws ArgumentError
  /// for a pointer to memory of unknown size.
  TuneOutputs(const std::vector<detail::TunedMemory>& memory, const std::vector<Parameter>& parameters,
              CUstream stream);

  /// Puts copies back into the stream.
  void restore();
  /// Makes the present contents the reference. Waits for the stream. False if they are the initial contents.
  bool make_reference();
  /// Where what is there now differs from the reference, in words; nothing where it does not. Waits for the stream.
  std::optional<std::string> difference(double tolerance);

 private:
  struct Output {
    std::size_t index;
    CUdeviceptr address;
    std::size_t bytes;
    detail::Pointee pointee;
    DeviceBuffer<std::byte> kept;
    std::optional<DeviceBuffer<std::byte>> reference = {};
  };

  std::vector<std::byte> content(CUdeviceptr address, std::size_t bytes) const;

  CUstream stream_;
  std::vector<Output> outputs_;
  std::optional<DeviceDifference> comparison_;
};

}  // namespace kiln
