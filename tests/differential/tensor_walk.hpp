// Which bytes a copy by a tensor map moves, as the host computes it from CUDA's description of the maps.
#pragma once

#include <kiln/kiln.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace differential {

/// Shared memory of the kernels, and the memory that a tensor lies in.
constexpr std::size_t tensor_bytes = 8192;

struct TensorCase {
  kiln::TensorMapTiled tiled;
  kiln::TensorMapIm2col pixels;  // instead, where it has sizes
  std::vector<int> at;           // coordinates
  std::vector<int> offsets;      // of im2col
  unsigned place = 0;            // bytes from the beginning of shared memory, which is a multiple of 1024
  std::string operation;         // of a reduction

  bool is_im2col() const { return !pixels.sizes.empty(); }
  std::size_t rank() const { return is_im2col() ? pixels.sizes.size() : tiled.sizes.size(); }
  /// Bytes of an element, or of a slice of an interleaved layout.
  unsigned unit() const;
  std::size_t bytes() const;
  kiln::TensorMap map(const void* memory) const;
};

struct MovedByte {
  std::size_t shared;
  std::ptrdiff_t global;  // below 0: outside of the tensor
};

/// In the order of the box.
std::vector<MovedByte> bytes_moved(const TensorCase& one);

}  // namespace differential
