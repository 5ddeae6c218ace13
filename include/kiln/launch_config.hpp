// LaunchConfig: how many blocks of how many threads, and on which stream.
#pragma once

#include <kiln/dim3.hpp>
#include <kiln/driver_types.hpp>
#include <kiln/launch_attributes.hpp>
#include <kiln/texture_reference.hpp>

#include <cstddef>

namespace kiln {

/// {64, 256} is a grid of 64 blocks of 256 threads. A plain value. Counterpart: the arguments grid, block, shared and
/// stream of PyCUDA's Function.__call__, CUlaunchConfig.
struct LaunchConfig {
  /// In blocks.
  Dim3 grid = {};
  /// In threads.
  Dim3 block = {};
  /// Dynamic shared memory a block, in bytes.
  std::size_t shared_size = 0;
  /// A kiln::Stream, CUstream or cudaStream_t; null is the legacy default stream. The stream decides the device.
  /// One that was destroyed may not be used: the driver tells it by an error where it can.
  CUstream stream = nullptr;
  LaunchAttributes attributes = {};
  /// Texture references that the launch needs, kept by the caller until it is made: each must be of the kernel's module
  /// and bound on the launch's device. Others of the module are in force too. Counterpart:
  /// Function.__call__(texrefs=[...]).
  TextureReferences texrefs = {};
};

}  // namespace kiln
