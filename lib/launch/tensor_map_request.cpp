#include "launch/tensor_map_request.hpp"

#include "base/argument_error.hpp"

#include <algorithm>

namespace kiln {

namespace {

std::string entries(std::size_t count) { return std::to_string(count) + (count == 1 ? " entry" : " entries"); }

/// Copies a list that must have `count` entries.
template <class From, class To>
void take(const char* function, const char* what, const From& from, std::size_t count, To& to, const char* advice) {
  if (from.size() != count) throw_tensor_map(function, what, entries(count), entries(from.size()), advice);
  std::copy(from.begin(), from.end(), to.begin());
}

/// The product; where it does not fit, a power of two that no stride may be.
std::uint64_t product(std::uint64_t a, std::uint64_t b) {
  std::uint64_t result = 0;
  return __builtin_mul_overflow(a, b, &result) ? std::uint64_t{1} << 63 : result;
}

void fill_dense(TensorMapRequest& request) {
  std::uint64_t bytes = product(request.sizes[0], element_bits(request.type)) / 8;
  for (std::uint32_t i = 0; i + 1 < request.rank; ++i) {
    request.strides[i] = bytes;
    bytes = product(bytes, request.sizes[i + 1]);
  }
}

/// One of the driver's values, 0 to `most`. Beyond them its enumeration has no values that may be looked at.
template <class Value, class Given>
Value known(const char* function, const char* what, Given given, Value most) {
  const int number = static_cast<int>(given);
  if (number < 0 || number > static_cast<int>(most))
    throw_tensor_map(function, what, "0 to " + std::to_string(most), std::to_string(number));
  return static_cast<Value>(number);
}

template <class Tensor>
TensorMapRequest common_part(const Tensor& tensor, int device, bool im2col) {
  TensorMapRequest request;
  request.im2col = im2col;
  const char* const function = request.function();
  request.device = device;
  request.pointer = tensor.pointer;
  if (tensor.type == TensorMapType::unstated)
    throw_tensor_map(function, "type", "an element type", "none",
                     "; state TensorMapType, or give the pointer as the first argument");
  request.type = known(function, "type", tensor.type, CU_TENSOR_MAP_DATA_TYPE_16U6_ALIGN16B);
  const std::size_t least = im2col ? 3 : tensor.interleave == TensorMapInterleave::none ? 1 : 3;
  if (tensor.sizes.size() < least || tensor.sizes.size() > 5)
    throw_tensor_map(function, "sizes", std::to_string(least) + " to 5 entries", entries(tensor.sizes.size()),
                     least == 3 && !im2col ? " (an interleaved layout has at least 3 dimensions)" : "");
  const std::size_t rank = tensor.sizes.size();
  request.rank = static_cast<std::uint32_t>(rank);
  std::copy(tensor.sizes.begin(), tensor.sizes.end(), request.sizes.begin());
  if (tensor.strides.empty())
    fill_dense(request);
  else
    take(function, "strides", tensor.strides, rank - 1, request.strides,
         "; one for every dimension but the innermost, or none for a dense tensor");
  request.element_strides.fill(1);
  if (!tensor.element_strides.empty())
    take(function, "element_strides", tensor.element_strides, rank, request.element_strides,
         "; one for every dimension, or none for 1 each");
  request.interleave = known(function, "interleave", tensor.interleave, CU_TENSOR_MAP_INTERLEAVE_32B);
  request.swizzle = known(function, "swizzle", tensor.swizzle, CU_TENSOR_MAP_SWIZZLE_128B_ATOM_64B);
  request.l2_promotion = known(function, "l2_promotion", tensor.l2_promotion, CU_TENSOR_MAP_L2_PROMOTION_L2_256B);
  request.fill = known(function, "out_of_bounds_fill", tensor.out_of_bounds_fill,
                       CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA);
  return request;
}

}  // namespace

TensorMapRequest request_of(const TensorMapTiled& tensor, int device) {
  TensorMapRequest request = common_part(tensor, device, false);
  take(request.function(), "box", tensor.box, request.rank, request.box, "; one for every dimension");
  return request;
}

TensorMapRequest request_of(const TensorMapIm2col& tensor, int device) {
  TensorMapRequest request = common_part(tensor, device, true);
  const char* const advice = "; one for each of W, H and D, those that the tensor has";
  take(request.function(), "lower_corner", tensor.lower_corner, request.rank - 2, request.lower_corner, advice);
  take(request.function(), "upper_corner", tensor.upper_corner, request.rank - 2, request.upper_corner, advice);
  request.channels_per_pixel = tensor.channels_per_pixel;
  request.pixels_per_column = tensor.pixels_per_column;
  return request;
}

void throw_tensor_map(const char* function, const std::string& what, const std::string& expected,
                      const std::string& given, const std::string& advice) {
  refuse(std::string(function) + ": " + what, expected, given, advice);
}

unsigned element_bits(CUtensorMapDataType type) {
  switch (type) {
    case CU_TENSOR_MAP_DATA_TYPE_16U4_ALIGN8B:
    case CU_TENSOR_MAP_DATA_TYPE_16U4_ALIGN16B:
      return 4;
    case CU_TENSOR_MAP_DATA_TYPE_16U6_ALIGN16B:
      return 6;
    case CU_TENSOR_MAP_DATA_TYPE_UINT8:
      return 8;
    case CU_TENSOR_MAP_DATA_TYPE_UINT16:
    case CU_TENSOR_MAP_DATA_TYPE_FLOAT16:
    case CU_TENSOR_MAP_DATA_TYPE_BFLOAT16:
      return 16;
    case CU_TENSOR_MAP_DATA_TYPE_UINT64:
    case CU_TENSOR_MAP_DATA_TYPE_INT64:
    case CU_TENSOR_MAP_DATA_TYPE_FLOAT64:
      return 64;
    default:
      return 32;
  }
}

}  // namespace kiln
