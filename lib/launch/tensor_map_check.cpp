// The rules of cuTensorMapEncodeTiled and cuTensorMapEncodeIm2col, as cuda.h states them.
#include "launch/tensor_map_request.hpp"

#include "memory/context.hpp"

#include <kiln/device.hpp>

#include <algorithm>

namespace kiln {

namespace {

using Request = TensorMapRequest;

bool is_packed(const Request& request) { return request.type >= CU_TENSOR_MAP_DATA_TYPE_16U4_ALIGN8B; }

/// The packed types whose groups are padded to 16 bytes in shared memory.
bool is_padded(const Request& request) { return request.type >= CU_TENSOR_MAP_DATA_TYPE_16U4_ALIGN16B; }

bool is_floating(const Request& request) {
  return request.type >= CU_TENSOR_MAP_DATA_TYPE_FLOAT16 && request.type <= CU_TENSOR_MAP_DATA_TYPE_TFLOAT32_FTZ;
}

bool has_atom(const Request& request) { return request.swizzle > CU_TENSOR_MAP_SWIZZLE_128B; }

std::uint64_t alignment(const Request& request) {
  return request.interleave == CU_TENSOR_MAP_INTERLEAVE_32B || is_padded(request) ? 32 : 16;
}

std::uint64_t shared_bytes(const Request& request, std::uint64_t elements) {
  return elements * (is_padded(request) ? 8 : element_bits(request.type)) / 8;
}

std::string of_dimension(const char* what, std::uint32_t dimension) {
  return std::string(what) + "[" + std::to_string(dimension) + "]";
}

/// A number that must be within limits.
void check_range(const Request& request, const std::string& what, std::int64_t given, std::int64_t least,
                 std::int64_t most, const char* advice = "") {
  if (given >= least && given <= most) return;
  throw_tensor_map(request.function(), what, std::to_string(least) + " to " + std::to_string(most),
                   std::to_string(given), advice);
}

void check_multiple(const Request& request, const std::string& what, std::uint64_t given, std::uint64_t of,
                    const std::string& advice = {}) {
  if (given % of != 0)
    throw_tensor_map(request.function(), what, "a multiple of " + std::to_string(of), std::to_string(given), advice);
}

void check_device(const Request& request) {
  const int capability = device_compute_capability(request.device);
  const std::string device = "device " + std::to_string(request.device) + ", an " + Device(request.device).arch();
  if (capability < 90)
    throw_tensor_map(request.function(), "device", "compute capability 9.0 or more", device,
                     "; a kernel for it copies without a tensor map");
  if (capability / 10 != 9) return;
  if (is_packed(request))
    throw_tensor_map(request.function(), "type", "one of whole bytes on compute capability 9.0",
                     "a packed one of " + std::to_string(element_bits(request.type)) + " bits", " on " + device);
  if (has_atom(request))
    throw_tensor_map(request.function(), "swizzle", "one without an atom on compute capability 9.0", "one with an atom",
                     " on " + device);
}

void check_sizes(const Request& request) {
  constexpr std::int64_t largest_size = std::int64_t{1} << 32;
  for (std::uint32_t i = 0; i < request.rank; ++i)
    check_range(request, of_dimension("sizes", i),
                static_cast<std::int64_t>(std::min<std::uint64_t>(request.sizes[i], INT64_MAX)), 1, largest_size);
  if (is_packed(request))
    check_multiple(request, "sizes[0]", request.sizes[0], is_padded(request) ? 128 : 2, ", for this packed type");
}

void check_memory(const Request& request) {
  if (request.pointer == nullptr) throw_tensor_map(request.function(), "pointer", "device memory", "null");
  const std::uint64_t aligned = alignment(request);
  const std::string why = aligned == 32 ? ", for this type or interleave" : "";
  if (const auto rest = reinterpret_cast<std::uintptr_t>(request.pointer) % aligned; rest != 0)
    throw_tensor_map(request.function(), "pointer", "an address that is a multiple of " + std::to_string(aligned),
                     "one that is " + std::to_string(rest) + " beyond it", why);
  for (std::uint32_t i = 0; i + 1 < request.rank; ++i) {
    const std::string name = of_dimension("strides", i) + ", in bytes";
    check_multiple(request, name, request.strides[i], aligned,
                   why + "; pad the tensor's lines (cuMemAllocPitch does) and state the strides");
    if (request.strides[i] >> 40 != 0)
      throw_tensor_map(request.function(), name, "less than 2^40", std::to_string(request.strides[i]));
  }
}

void check_element_strides(const Request& request) {
  for (std::uint32_t i = 0; i < request.rank; ++i)
    check_range(request, of_dimension("element_strides", i), request.element_strides[i], 1, 8);
}

/// The innermost extent of what a copy moves, with its name.
void check_inner(const Request& request, const std::string& what, std::uint32_t elements) {
  if (is_padded(request) && elements != 128)
    throw_tensor_map(request.function(), what, "128, for this packed type", std::to_string(elements));
  if (request.interleave != CU_TENSOR_MAP_INTERLEAVE_NONE) return;
  const std::uint64_t bytes = shared_bytes(request, elements);
  check_multiple(request, what + ", in bytes", bytes, 16);
  if (request.swizzle == CU_TENSOR_MAP_SWIZZLE_NONE) return;
  const std::uint64_t span = request.swizzle == CU_TENSOR_MAP_SWIZZLE_32B   ? 32
                             : request.swizzle == CU_TENSOR_MAP_SWIZZLE_64B ? 64
                                                                            : 128;
  if (bytes > span)
    throw_tensor_map(request.function(), what + ", in bytes",
                     "at most " + std::to_string(span) + ", the swizzle's span", std::to_string(bytes),
                     "; copy narrower boxes, or take a wider swizzle");
}

void check_shared(const Request& request, const std::string& what, std::uint64_t elements) {
  const auto limit = static_cast<std::uint64_t>(
      std::max(0, Device(request.device).attribute(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN)));
  if (const std::uint64_t bytes = shared_bytes(request, elements); bytes > limit)
    throw_tensor_map(request.function(), what, "at most " + std::to_string(limit) + " bytes, a block's shared memory",
                     std::to_string(bytes) + " bytes");
}

void check_swizzle(const Request& request) {
  const auto refuse = [&](const std::string& expected, const char* why) {
    throw_tensor_map(request.function(), "swizzle", expected, std::to_string(request.swizzle), why);
  };
  if (request.interleave == CU_TENSOR_MAP_INTERLEAVE_32B && request.swizzle != CU_TENSOR_MAP_SWIZZLE_32B)
    refuse("swizzle_32b", " (a number of TensorMapSwizzle), with interleave_32b");
  if (!is_padded(request)) return;
  const bool six = request.type == CU_TENSOR_MAP_DATA_TYPE_16U6_ALIGN16B;
  if (six && request.interleave != CU_TENSOR_MAP_INTERLEAVE_NONE)
    throw_tensor_map(request.function(), "interleave", "none, for packed values of 6 bits", "an interleaved layout");
  if (request.swizzle == CU_TENSOR_MAP_SWIZZLE_NONE || request.swizzle == CU_TENSOR_MAP_SWIZZLE_128B ||
      request.swizzle == CU_TENSOR_MAP_SWIZZLE_128B_ATOM_32B ||
      (six && request.swizzle == CU_TENSOR_MAP_SWIZZLE_128B_ATOM_64B))
    return;
  refuse("none, swizzle_128b or swizzle_128b_atom_32b", " (a number of TensorMapSwizzle), for this packed type");
}

void check_fill(const Request& request) {
  if (request.fill != CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE && !is_floating(request))
    throw_tensor_map(request.function(), "out_of_bounds_fill", "zero, for elements that are not floating", "nan");
}

void check_box(const Request& request) {
  std::uint64_t elements = 1;
  for (std::uint32_t i = 0; i < request.rank; ++i) {
    check_range(request, of_dimension("box", i), request.box[i], 1, 256);
    const std::uint32_t step =
        i == 0 && request.interleave == CU_TENSOR_MAP_INTERLEAVE_NONE ? 1 : request.element_strides[i];
    elements *= (request.box[i] + step - 1) / step;
  }
  check_inner(request, "box[0]", request.box[0]);
  check_shared(request, "box", elements);
}

void check_corners(const Request& request) {
  constexpr int lowest[] = {-32768, -128, -16};
  const int low = lowest[request.rank - 3];
  for (std::uint32_t i = 0; i + 2 < request.rank; ++i) {
    check_range(request, of_dimension("lower_corner", i), request.lower_corner[i], low, -low - 1);
    check_range(request, of_dimension("upper_corner", i), request.upper_corner[i], low, -low - 1);
    const auto size = static_cast<std::int64_t>(request.sizes[i + 1]);
    check_range(request, of_dimension("lower_corner", i), request.lower_corner[i], low,
                size + request.upper_corner[i] - 1, ": else nothing lies between it and upper_corner");
  }
  check_range(request, "channels_per_pixel", request.channels_per_pixel, 1, 256);
  check_range(request, "pixels_per_column", request.pixels_per_column, 1, 1024);
  check_inner(request, "channels_per_pixel", request.channels_per_pixel);
  check_shared(request, "channels_per_pixel and pixels_per_column",
               std::uint64_t{request.channels_per_pixel} * request.pixels_per_column);
}

}  // namespace

void check_tensor_map(const TensorMapRequest& request) {
  check_device(request);
  check_sizes(request);
  check_memory(request);
  check_element_strides(request);
  check_swizzle(request);
  check_fill(request);
  if (request.im2col)
    check_corners(request);
  else
    check_box(request);
}

}  // namespace kiln
