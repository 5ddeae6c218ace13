// TensorMap: what a kernel's bulk copies (TMA) need to know of a tensor in global memory.
#pragma once

#include <kiln/export.hpp>

#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

// Of cuda_fp16.h and cuda_bf16.h.
struct __half;
struct __nv_bfloat16;

namespace kiln {

/// What a tensor's elements are. Counterpart: CUtensorMapDataType.
enum class TensorMapType : int {
  unstated = -1,
  uint8 = 0,
  uint16,
  uint32,
  int32,
  uint64,
  int64,
  float16,
  float32,
  float64,
  bfloat16,
  float32_ftz,
  tfloat32,
  tfloat32_ftz,
  /// 16 packed values of 4 or 6 bits; not on compute capability 9.0.
  packed_16u4_align8b,
  packed_16u4_align16b,
  packed_16u6_align16b,
};

/// Counterpart: CUtensorMapInterleave.
enum class TensorMapInterleave { none = 0, interleave_16b, interleave_32b };
/// Which shared memory banks an element goes to. Those with an atom are not on compute capability 9.0. Counterpart:
/// CUtensorMapSwizzle.
enum class TensorMapSwizzle {
  none = 0,
  swizzle_32b,
  swizzle_64b,
  swizzle_128b,
  swizzle_128b_atom_32b,
  swizzle_128b_atom_32b_flip_8b,
  swizzle_128b_atom_64b
};
/// How much of DRAM the L2 cache fetches at once. Counterpart: CUtensorMapL2promotion.
enum class TensorMapL2Promotion { none = 0, l2_64b, l2_128b, l2_256b };
/// What elements outside the tensor read as. Counterpart: CUtensorMapFloatOOBfill.
enum class TensorMapFill { zero = 0, nan };

/// The element type that a C++ type is, `unstated` where it is none. Others than the ones below are added by a line:
/// `template <> inline constexpr auto kiln::tensor_map_type<my_half> = kiln::TensorMapType::float16;`.
template <class T>
inline constexpr TensorMapType tensor_map_type =
    !std::is_integral_v<T> || std::is_same_v<T, bool> ? TensorMapType::unstated
    : sizeof(T) == 1                                  ? TensorMapType::uint8
    : sizeof(T) == 2                                  ? TensorMapType::uint16
    : sizeof(T) == 4 ? (std::is_signed_v<T> ? TensorMapType::int32 : TensorMapType::uint32)
                     : (std::is_signed_v<T> ? TensorMapType::int64 : TensorMapType::uint64);
template <>
inline constexpr TensorMapType tensor_map_type<float> = TensorMapType::float32;
template <>
inline constexpr TensorMapType tensor_map_type<double> = TensorMapType::float64;
template <>
inline constexpr TensorMapType tensor_map_type<__half> = TensorMapType::float16;
template <>
inline constexpr TensorMapType tensor_map_type<__nv_bfloat16> = TensorMapType::bfloat16;

/// A map whose copies move boxes. Dimensions go from the innermost, whose elements lie side by side, to the outermost:
/// a row-major matrix of R rows and C columns has the sizes {C, R}. Where a kernel has a box begin is the kernel's
/// business, but in the innermost dimension it must be at a multiple of 16 bytes, before and beyond the tensor too: an
/// H200 ends the context with an illegal instruction otherwise. Counterpart: the arguments of cuTensorMapEncodeTiled.
struct TensorMapTiled {
  /// Device memory, a multiple of 16 bytes (32 with interleave_32b).
  const void* pointer = nullptr;
  TensorMapType type = TensorMapType::unstated;  ///< of the elements; unstated: that of a typed pointer
  /// In elements, 1 to 5 dimensions of 1 to 2^32.
  std::vector<std::uint64_t> sizes = {};
  /// In bytes, of every dimension but the innermost, so one fewer than sizes; multiples of 16 (32 with interleave_32b)
  /// below 2^40. Left out, the tensor is dense.
  std::vector<std::uint64_t> strides = {};
  /// In elements, as many as sizes; 1 to 256, and the innermost a multiple of 16 bytes. It must fit shared memory.
  std::vector<std::uint32_t> box = {};
  /// Every so-manyth element is taken, 1 to 8. Left out, all are.
  std::vector<std::uint32_t> element_strides = {};
  /// How channels lie in memory. Interleaved, the dimensions are W, (H, (D,)) slices of 16 or 32 bytes of channels, N:
  /// the innermost counts pixels, each of one slice, and a copy moves the box of one slice (measured on an H100).
  TensorMapInterleave interleave = TensorMapInterleave::none;
  TensorMapSwizzle swizzle = TensorMapSwizzle::none;  ///< how a copy permutes 16-byte parts in shared memory
  TensorMapL2Promotion l2_promotion = TensorMapL2Promotion::none;  ///< how much of a line a copy brings into L2
  TensorMapFill out_of_bounds_fill = TensorMapFill::zero;          ///< what is read outside of the tensor
};

/// A map whose copies move the pixels under a convolution's filter. Dimensions are C, W, (H, (D,)) N: 3 to 5.
/// Counterpart: the arguments of cuTensorMapEncodeIm2col.
struct TensorMapIm2col {
  /// As in TensorMapTiled.
  /// @{
  const void* pointer = nullptr;
  TensorMapType type = TensorMapType::unstated;
  std::vector<std::uint64_t> sizes = {};
  std::vector<std::uint64_t> strides = {};
  /// @}
  /// The bounding box's corners, as offsets from the tensor's own lower and upper ones: of W, (H, (D)), so two fewer
  /// than sizes, in the order of sizes.
  /// @{
  std::vector<int> lower_corner = {};
  std::vector<int> upper_corner = {};
  /// @}
  std::uint32_t channels_per_pixel = 0;  ///< elements of C that a copy moves, at most 256
  std::uint32_t pixels_per_column = 0;   ///< pixels that a copy moves, at most 1024
  /// As in TensorMapTiled.
  /// @{
  std::vector<std::uint32_t> element_strides = {};
  TensorMapInterleave interleave = TensorMapInterleave::none;
  TensorMapSwizzle swizzle = TensorMapSwizzle::none;
  TensorMapL2Promotion l2_promotion = TensorMapL2Promotion::none;
  TensorMapFill out_of_bounds_fill = TensorMapFill::zero;
  /// @}
};

/// A value of 128 bytes: a kernel takes it as `const __grid_constant__ CUtensorMap`, or by pointer from a DeviceBuffer
/// of them. It owns nothing: the memory that it describes must outlive its use. Making maps may be done from several
/// threads at once; equal descriptions are encoded once and kept for the process, the last some hundreds of them. Needs
/// a current device of compute capability 9.0. Counterpart: CUtensorMap.
class KILN_EXPORT TensorMap {
 public:
  /// Describes nothing: for arrays of maps to be filled later.
  TensorMap() = default;

  /// Throws ArgumentError that names the member where it breaks a rule of cuTensorMapEncodeTiled.
  static TensorMap tiled(const TensorMapTiled& tensor);
  /// The same for cuTensorMapEncodeIm2col.
  static TensorMap im2col(const TensorMapIm2col& tensor);
  /// With the element type that the pointer has, unless one is stated; no other pointer need be given.
  template <class T>
  static TensorMap tiled(const T* pointer, TensorMapTiled tensor) {
    return tiled(typed(pointer, std::move(tensor)));
  }
  /// Likewise.
  template <class T>
  static TensorMap im2col(const T* pointer, TensorMapIm2col tensor) {
    return im2col(typed(pointer, std::move(tensor)));
  }

  /// The same map over other memory of the same shape. Throws ArgumentError where the pointer is not a multiple of 16
  /// bytes, DriverError where the driver refuses it. Counterpart: cuTensorMapReplaceAddress.
  TensorMap with_address(const void* pointer) const;

 private:
  template <class T, class Tensor>
  static Tensor typed(const T* pointer, Tensor tensor) {
    static_assert(tensor_map_type<T> != TensorMapType::unstated,
                  "no tensor map has elements of this type: specialise kiln::tensor_map_type, or state `type` and pass "
                  "the pointer as a member");
    tensor.pointer = pointer;
    if (tensor.type == TensorMapType::unstated) tensor.type = tensor_map_type<T>;
    return tensor;
  }

  alignas(128) std::uint64_t opaque_[16] = {};
};

}  // namespace kiln
