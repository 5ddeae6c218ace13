// LaunchConfig: how many blocks of how many threads, and on which stream.
#pragma once

#include <kiln/dim3.hpp>
#include <kiln/driver_types.hpp>
#include <kiln/launch_attributes.hpp>
#include <kiln/texture_reference.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace kiln {

class Stream;

/// The block of a LaunchConfig: a Dim3 that may be left out. `{}` is no block; 1 and Dim3{} are a block of one thread.
struct BlockDim : Dim3 {
  constexpr BlockDim() : Dim3(0, 0, no_extent) {}
  /// A stated block.
  constexpr BlockDim(const Dim3& stated) : Dim3(stated) {}  // NOLINT(google-explicit-constructor): a block is a Dim3
  /// As Dim3's: one, two or three integers of any type.
  using Dim3::Dim3;

  /// Whether no block was stated.
  constexpr bool is_left_out() const noexcept { return x == 0 && y == 0 && z == no_extent; }

 private:
  // With two zeros beside it no launch can have it, so that one without a block is refused by the checks of its sizes.
  static constexpr std::uint32_t no_extent = 0xffffffff;
};

/// {64, 256} is a grid of 64 blocks of 256 threads. A plain value. Counterpart: the arguments grid, block, shared and
/// stream of PyCUDA's Function.__call__, CUlaunchConfig.
struct LaunchConfig {
  /// In blocks.
  Dim3 grid = {};
  /// In threads. Only a PreparedFunction that has a block of its own can do without; every other launch throws
  /// ArgumentError then, as PyCUDA does.
  BlockDim block = {};
  /// Dynamic shared memory a block, in bytes.
  std::size_t shared_size = 0;
  /// A kiln::Stream, CUstream or cudaStream_t; null is the legacy default stream. The stream decides the device. One
  /// that was destroyed may not be used: the driver reports that where it can.
  CUstream stream = nullptr;
  LaunchAttributes attributes = {};  ///< clusters, cooperative grids, priority and the like
  /// Texture references that the launch needs, kept by the caller until it is made: each must be of the kernel's module
  /// and bound on the launch's device. Others of the module are in force too. Counterpart:
  /// Function.__call__(texrefs=[...]).
  TextureReferences texrefs = {};
};

namespace detail {

/// {64, 256, stream}, which no LaunchConfig is: an overload of a launch takes it, to say where the stream belongs.
struct StreamAsSharedSize {
  template <class S, class = std::enable_if_t<std::is_same_v<S, Stream> || std::is_same_v<S, CUstream>>>
  StreamAsSharedSize(const Dim3& grid, const BlockDim& block, const S& stream);

  template <class... Args>
  static constexpr void refuse() {
    static_assert(sizeof...(Args) == static_cast<std::size_t>(-1),
                  "the stream stands in the place of the dynamic shared memory: write {grid, block, shared_size, "
                  "stream}, such as {64, 256, 0, stream}");
  }
};

}  // namespace detail

}  // namespace kiln
