// Arrays, textures and surfaces for tests, without the driver API.
#pragma once

#include "emulator/provider/context/call.hpp"
#include "emulator/texture/box_copy.hpp"
#include "emulator/texture/objects.hpp"
#include "emulator/texture/sample.hpp"

#include <doctest/doctest.h>

#include <array>
#include <bit>
#include <cstring>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

namespace kiln::emulator {

inline CUDA_ARRAY3D_DESCRIPTOR described(CUarray_format format, unsigned channels, std::size_t width,
                                         std::size_t height = 0, std::size_t depth = 0, unsigned flags = 0) {
  CUDA_ARRAY3D_DESCRIPTOR descriptor = {};
  descriptor.Width = width;
  descriptor.Height = height;
  descriptor.Depth = depth;
  descriptor.Format = format;
  descriptor.NumChannels = channels;
  descriptor.Flags = flags;
  return descriptor;
}

inline std::vector<float> ramp(std::size_t size, float first = 0) {
  std::vector<float> values(size);
  std::iota(values.begin(), values.end(), first);
  return values;
}

/// The result of a call that throws CallError, CUDA_SUCCESS where it does not.
template <class Call>
CUresult result_of(Call call) {
  try {
    call();
    return CUDA_SUCCESS;
  } catch (const CallError& error) {
    return error.result;
  }
}

/// All elements, row by row.
template <class T>
void fill(const Array& array, const std::vector<T>& values) {
  const Texels& texels = array.texels();
  REQUIRE(values.size() * sizeof(T) == texels.width_bytes() * texels.height * texels.depth);
  const auto* from = reinterpret_cast<const std::byte*>(values.data());
  for (std::uint32_t z = 0; z < texels.depth; ++z)
    for (std::uint32_t y = 0; y < texels.height; ++y, from += texels.width_bytes())
      std::memcpy(texels.at(0, y, z), from, texels.width_bytes());
}

template <class T>
std::vector<T> contents(const Array& array) {
  const Texels& texels = array.texels();
  std::vector<T> values(texels.width_bytes() * texels.height * texels.depth / sizeof(T));
  auto* to = reinterpret_cast<std::byte*>(values.data());
  for (std::uint32_t z = 0; z < texels.depth; ++z)
    for (std::uint32_t y = 0; y < texels.height; ++y, to += texels.width_bytes())
      std::memcpy(to, texels.at(0, y, z), texels.width_bytes());
  return values;
}

/// An array with a handle, destroyed at the end.
class TestArray {
 public:
  explicit TestArray(const CUDA_ARRAY3D_DESCRIPTOR& descriptor)
      : array_(std::make_shared<Array>(descriptor, Owner{})), handle_(add_array(array_)) {}
  template <class T>
  TestArray(const CUDA_ARRAY3D_DESCRIPTOR& descriptor, const std::vector<T>& values) : TestArray(descriptor) {
    fill(*array_, values);
  }
  ~TestArray() { destroy_array(handle_); }
  TestArray(const TestArray&) = delete;
  TestArray& operator=(const TestArray&) = delete;

  const Array& operator*() const { return *array_; }
  CUarray handle() const { return handle_; }
  CUDA_RESOURCE_DESC resource() const {
    CUDA_RESOURCE_DESC resource = {};
    resource.resType = CU_RESOURCE_TYPE_ARRAY;
    resource.res.array.hArray = handle_;
    return resource;
  }

 private:
  std::shared_ptr<Array> array_;
  CUarray handle_;
};

/// All axes alike.
inline CUDA_TEXTURE_DESC sampler(CUfilter_mode filter, CUaddress_mode address, unsigned flags = 0) {
  CUDA_TEXTURE_DESC descriptor = {};
  for (CUaddress_mode& mode : descriptor.addressMode) mode = address;
  descriptor.filterMode = filter;
  descriptor.flags = flags;
  return descriptor;
}

inline std::shared_ptr<Texture> texture(const TestArray& array, const CUDA_TEXTURE_DESC& descriptor) {
  return make_texture(array.resource(), descriptor, Owner{});
}

inline float first(const Texel& texel) { return std::bit_cast<float>(texel[0]); }

}  // namespace kiln::emulator
