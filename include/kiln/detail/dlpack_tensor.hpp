// What DLPackTensor and to_dlpack are made of: a tensor's checks, and a buffer that is one.
#pragma once

#include <kiln/detail/device_memory.hpp>
#include <kiln/detail/element_layout.hpp>
#include <kiln/detail/vector_of.hpp>
#include <kiln/device_buffer.hpp>
#include <kiln/error.hpp>
#include <kiln/type_name.hpp>

#include <dlpack/dlpack.h>

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace kiln::detail {

/// What is known of a tensor's memory.
struct DLPackMemory {
  void* address;
  std::size_t size;  // elements
  ElementLayout layout;
  DLDevice device;
};

[[noreturn]] inline void refuse_dlpack(const std::string& expected, const std::string& given,
                                       const std::string& hint = {}) {
  throw ArgumentError("DLPack tensor: expected " + expected + ", given " + given + hint, {}, ArgumentError::no_index,
                      expected, given);
}

inline constexpr std::uint8_t dlpack_bool = 6;  // kDLBool, which DLPack has from 0.8 on

/// "float32", "4 x float32".
inline std::string text_of(const DLDataType& type) {
  const char* const names[] = {"int", "uint", "float", "handle", "bfloat", "complex", "bool"};
  const std::string name = type.code < std::size(names) ? names[type.code] : "code " + std::to_string(type.code) + ", ";
  return (type.lanes == 1 ? "" : std::to_string(type.lanes) + " x ") + name + std::to_string(type.bits);
}

/// Of the classes that DLPack has types for.
inline DLDataType dlpack_type_named(const std::string& name, std::size_t size) {
  const auto bits = static_cast<std::uint8_t>(8 * size);
  if (name == "__half") return {kDLFloat, bits, 1};
  if (name == "__nv_bfloat16") return {kDLBfloat, bits, 1};
  for (const char* const complex : {"cuda::std::complex<", "thrust::complex<"})
    if (name.rfind(complex, 0) == 0) return {kDLComplex, bits, 1};
  refuse_dlpack("elements of a type that DLPack has: integers, floating numbers, bool, __half, __nv_bfloat16, complex",
                name);
}

/// Of a struct that is exactly its members x, y, z and w, or the first of them, as CUDA's float4 is.
template <class T, class = void>
inline constexpr std::uint16_t dlpack_lanes = 0;
template <class T>
inline constexpr std::uint16_t dlpack_lanes<T, vector_of<T, decltype(T::x)>> = 1;
template <class T>
inline constexpr std::uint16_t dlpack_lanes<T, vector_of<T, decltype(T::x), decltype(T::y)>> = 2;
template <class T>
inline constexpr std::uint16_t dlpack_lanes<T, vector_of<T, decltype(T::x), decltype(T::y), decltype(T::z)>> = 3;
template <class T>
inline constexpr std::uint16_t
    dlpack_lanes<T, vector_of<T, decltype(T::x), decltype(T::y), decltype(T::z), decltype(T::w)>> = 4;

template <class T>
DLDataType dlpack_type() {
  using Plain = std::remove_cv_t<T>;
  constexpr auto bits = static_cast<std::uint8_t>(8 * sizeof(Plain));
  if constexpr (std::is_same_v<Plain, bool>)
    return {dlpack_bool, bits, 1};
  else if constexpr (std::is_integral_v<Plain>)
    return {static_cast<std::uint8_t>(std::is_signed_v<Plain> ? kDLInt : kDLUInt), bits, 1};
  else if constexpr (std::is_same_v<Plain, float> || std::is_same_v<Plain, double>)
    return {kDLFloat, bits, 1};
  else if constexpr (dlpack_lanes<Plain> != 0) {
    DLDataType type = dlpack_type<decltype(Plain::x)>();
    type.lanes = dlpack_lanes<Plain>;
    return type;
  } else
    return dlpack_type_named(type_name<Plain>(), sizeof(Plain));
}

inline bool is_same_type(const DLDataType& given, const DLDataType& wanted) {
  const bool is_old_bool = wanted.code == dlpack_bool && given.code == kDLUInt;  // before DLPack had one
  return (given.code == wanted.code || is_old_bool) && given.bits == wanted.bits && given.lanes == wanted.lanes;
}

inline void check_dlpack_device(const DLDevice& device) {
  const int type = device.device_type;
  if (type == kDLCUDA || type == kDLCUDAHost || type == kDLCUDAManaged) return;
  if (type == kDLCPU)
    refuse_dlpack("memory that a CUDA device can use", "memory of the host (kDLCPU)",
                  "; copy it into a kiln::DeviceBuffer, or pass kiln::In of it");
  refuse_dlpack("memory that a CUDA device can use", "that of a device of type " + std::to_string(type));
}

inline ElementLayout dlpack_layout(const DLTensor& tensor) {
  constexpr int most = ElementLayout::most_dimensions;
  if (tensor.ndim < 0 || tensor.ndim > most)
    refuse_dlpack("0 to " + std::to_string(most) + " dimensions", std::to_string(tensor.ndim));
  ElementLayout layout;
  layout.is_shaped = layout.is_strided = true;
  layout.rank = static_cast<unsigned>(tensor.ndim);
  long stride = 1;
  for (unsigned d = layout.rank; d-- > 0;) {
    if (tensor.shape[d] < 0)
      refuse_dlpack("a shape without negative numbers",
                    std::to_string(tensor.shape[d]) + " in dimension " + std::to_string(d));
    layout.extents[d] = static_cast<long>(tensor.shape[d]);
    layout.strides[d] = tensor.strides != nullptr ? static_cast<long>(tensor.strides[d]) : stride;
    stride *= layout.extents[d];
  }
  return layout;
}

template <class Managed, class = void>
inline constexpr bool is_versioned_dlpack = false;
template <class Managed>
inline constexpr bool is_versioned_dlpack<
    Managed, std::void_t<decltype(std::declval<Managed&>().version.major), decltype(std::declval<Managed&>().flags)>> =
    true;

template <class T, class Managed>
void check_dlpack_version(const Managed& managed) {
  if constexpr (is_versioned_dlpack<Managed>) {
    constexpr std::uint64_t read_only = 1;  // DLPACK_FLAG_BITMASK_READ_ONLY
    if (managed.version.major != 1)
      refuse_dlpack("a tensor of DLPack 1", "one of " + std::to_string(managed.version.major));
    if (!std::is_const_v<T> && (managed.flags & read_only) != 0)
      refuse_dlpack("a tensor that may be written", "one to be read alone", "; state DLPackTensor<const T>");
  } else {
    (void)managed;
  }
}

template <class T, class Managed>
DLPackMemory read_dlpack(const Managed* managed) {
  static_assert(std::is_trivially_copyable_v<T>, "device memory holds trivially copyable types only");
  if (managed == nullptr) refuse_dlpack("a tensor", "null");
  check_dlpack_version<T>(*managed);
  const DLTensor& tensor = managed->dl_tensor;
  check_dlpack_device(tensor.device);
  if (!is_same_type(tensor.dtype, dlpack_type<T>()))
    refuse_dlpack("elements of " + type_name<std::remove_cv_t<T>>() + " (" + text_of(dlpack_type<T>()) + ")",
                  text_of(tensor.dtype));
  DLPackMemory memory = {nullptr, 0, dlpack_layout(tensor), tensor.device};
  memory.size = element_count(memory.layout);
  if (memory.size == 0) return memory;
  if (tensor.data == nullptr) refuse_dlpack("an address", "null");
  const auto address = reinterpret_cast<std::uintptr_t>(tensor.data) + tensor.byte_offset;
  if (address % alignof(T) != 0)
    refuse_dlpack("an address that is a multiple of " + std::to_string(alignof(T)),
                  "one that is not, with a byte_offset of " + std::to_string(tensor.byte_offset));
  memory.address = reinterpret_cast<void*>(address);
  return memory;
}

template <class Managed>
void delete_dlpack(void* tensor) {
  auto* const managed = static_cast<Managed*>(tensor);
  if (managed->deleter != nullptr) managed->deleter(managed);
}

/// Kernels of a launch in `stream` must be able to use the memory. Pinned and managed memory is every device's.
inline void check_dlpack_reach(const DLPackMemory& memory, CUstream stream) {
  if (memory.device.device_type == kDLCUDA && memory.address != nullptr)
    check_reachable(memory.device.device_id, reinterpret_cast<CUdeviceptr>(memory.address), stream);
}

/// A buffer as a tensor, which its deleter deletes. Managed is DLManagedTensor or DLManagedTensorVersioned.
template <class T, class Managed>
struct HeldBuffer {
  HeldBuffer(DeviceBuffer<T> given, std::vector<std::int64_t> its_shape)
      : buffer(std::move(given)), shape(std::move(its_shape)), strides(shape.size(), 1) {
    for (std::size_t d = shape.size(); d-- > 1;) strides[d - 1] = strides[d] * shape[d];
    tensor.dl_tensor.data = buffer.data();
    tensor.dl_tensor.device = {kDLCUDA, device_of(buffer.device_pointer())};
    tensor.dl_tensor.ndim = static_cast<int>(shape.size());
    tensor.dl_tensor.dtype = dlpack_type<T>();
    tensor.dl_tensor.shape = shape.data();
    tensor.dl_tensor.strides = strides.data();
    tensor.manager_ctx = this;
    tensor.deleter = [](Managed* self) { delete static_cast<HeldBuffer*>(self->manager_ctx); };
  }
  HeldBuffer(const HeldBuffer&) = delete;
  HeldBuffer& operator=(const HeldBuffer&) = delete;

  DeviceBuffer<T> buffer;
  std::vector<std::int64_t> shape, strides;
  Managed tensor = {};
};

inline void check_dlpack_shape(const std::vector<std::int64_t>& shape, std::size_t size) {
  std::size_t count = 1;
  for (const std::int64_t extent : shape) {
    if (extent < 0) refuse_dlpack("a shape without negative numbers", std::to_string(extent));
    count *= static_cast<std::size_t>(extent);
  }
  if (count != size)
    refuse_dlpack("a shape of the buffer's " + std::to_string(size) + " elements", "one of " + std::to_string(count));
}

template <class Managed, class T>
Managed* new_dlpack(DeviceBuffer<T> buffer, std::vector<std::int64_t> shape) {
  if (shape.empty()) shape = {static_cast<std::int64_t>(buffer.size())};
  check_dlpack_shape(shape, buffer.size());
  return &std::make_unique<HeldBuffer<T, Managed>>(std::move(buffer), std::move(shape)).release()->tensor;
}

}  // namespace kiln::detail
