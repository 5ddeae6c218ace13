// CUDA arrays: elements in rows, rows in slices or layers.
#pragma once

#include "emulator/texture/element.hpp"

#include <cuda.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace kiln::emulator {

class Context;

/// Elements in memory: of an array, or of memory that a texture refers to. Every size is at least 1.
struct Texels {
  std::byte* data = nullptr;
  Element element;
  std::uint32_t width = 1, height = 1, depth = 1;
  std::uint64_t row_bytes = 0, slice_bytes = 0;  // distances between rows and between slices

  std::uint64_t width_bytes() const { return std::uint64_t{width} * element.size(); }
  std::byte* at(std::uint64_t x_bytes, std::uint64_t y, std::uint64_t z) const {
    return data + z * slice_bytes + y * row_bytes + x_bytes;
  }
};

/// The owner of an array, texture or surface: it is destroyed with its context.
struct Owner {
  const Context* context = nullptr;
  int device = 0;
};

class Array {
 public:
  /// Throws CallError. A level of a mipmapped array has the limits of that array, and is destroyed with it.
  Array(const CUDA_ARRAY3D_DESCRIPTOR& of, Owner by, bool is_level = false);
  ~Array();
  Array(const Array&) = delete;
  Array& operator=(const Array&) = delete;

  const CUDA_ARRAY3D_DESCRIPTOR descriptor;
  const Owner owner;

  const Texels& texels() const { return texels_; }
  bool is_level() const { return is_level_; }
  bool has(unsigned flag) const { return (descriptor.Flags & flag) != 0; }
  std::string text() const;  // "64 x 32 array"

  /// The program destroyed the array, but work, textures or surfaces keep its memory: kernels must not access it.
  bool gone() const { return gone_.load(std::memory_order_relaxed); }
  void set_gone() { gone_.store(true, std::memory_order_relaxed); }

 private:
  const bool is_level_;
  Texels texels_;
  std::atomic<bool> gone_{false};
};

struct MipmappedArray {
  MipmappedArray(const CUDA_ARRAY3D_DESCRIPTOR& of, unsigned level_count, Owner by);

  const CUDA_ARRAY3D_DESCRIPTOR descriptor;
  const Owner owner;
  std::vector<std::shared_ptr<Array>> levels;

  std::mutex mutex;
  std::map<unsigned, CUarray> handles;  // of the levels that were requested
};

}  // namespace kiln::emulator
