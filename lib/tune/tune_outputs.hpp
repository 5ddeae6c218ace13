// The memory that a kernel may write: saved, restored before each launch, and compared with the reference.
#pragma once

#include <kiln/detail/argument.hpp>
#include <kiln/device_buffer.hpp>
#include <kiln/function.hpp>
#include <kiln/module.hpp>
#include <kiln/tune_arguments.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace kiln {

/// By the rule of element_difference. A result of 200 MB takes a device 0.1 ms, and the host most of a second, for
/// each candidate. For one thread, with the stream's context current.
class DeviceDifference {
 public:
  /// Compiles its kernels, or finds them in the cache.
  explicit DeviceDifference(CUstream stream);

  /// Waits for the stream.
  bool differ(CUdeviceptr given, CUdeviceptr wanted, std::size_t bytes, const detail::Pointee& element,
              double tolerance);

 private:
  CUstream stream_;
  Module module_;
  DeviceBuffer<int> found_;
};

/// For one thread, with the stream's context current.
class TuneOutputs {
 public:
  /// Copies of the present memory. Of the kernel's parameters only the types are read. Throws ArgumentError for a
  /// pointer to memory of unknown size.
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

/// The first element of two memories of one size that differ, with both values and how many there are; nothing where
/// there is none. Floating elements of 4 and 8 bytes may differ by tolerance + tolerance * |wanted|, and two NaNs are
/// equal; others are compared by their bytes.
std::optional<std::string> element_difference(const std::vector<std::byte>& given, const std::vector<std::byte>& wanted,
                                              const detail::Pointee& element, double tolerance);

}  // namespace kiln
