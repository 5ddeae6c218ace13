// Tensor maps: their rules, and that equal ones are encoded once.
#include "fake_cuda.hpp"
#include "fake_kernels.hpp"

#include <kiln/device_buffer.hpp>
#include <kiln/error.hpp>
#include <kiln/function.hpp>
#include <kiln/tensor_map.hpp>
#include <kiln/typed_function.hpp>

#include <cuda.h>
#include <doctest/doctest.h>

#include <cstring>
#include <functional>
#include <thread>

namespace tensor_map_test {

namespace {

using kiln::TensorMap;
using kiln::TensorMapIm2col;
using kiln::TensorMapTiled;

std::size_t encodes() {
  return fake_cuda::calls("cuTensorMapEncodeTiled") + fake_cuda::calls("cuTensorMapEncodeIm2col");
}

/// An address that no other test has asked for, as maps are kept for the process.
const void* fresh_address() {
  static std::uintptr_t last = 1 << 20;
  return reinterpret_cast<const void*>(last += 64);
}

TensorMapTiled matrix() {
  TensorMapTiled tensor;
  tensor.pointer = fresh_address();
  tensor.type = kiln::TensorMapType::float32;
  tensor.sizes = {64, 32};
  tensor.box = {16, 8};
  return tensor;
}

TensorMapIm2col image() {
  TensorMapIm2col tensor;
  tensor.pointer = fresh_address();
  tensor.type = kiln::TensorMapType::float32;
  tensor.sizes = {16, 10, 12, 2};
  tensor.lower_corner = {-1, -1};
  tensor.upper_corner = {-1, -1};
  tensor.channels_per_pixel = 16;
  tensor.pixels_per_column = 32;
  return tensor;
}

/// As the fake driver lays a map out.
struct FakeMap {
  const void* address;
  CUtensorMapDataType type;
  cuuint32_t rank;
  cuuint64_t sizes[5];
  cuuint64_t strides[4];
  cuuint32_t element_strides[5];
  bool im2col;
};

FakeMap content(const TensorMap& map) {
  FakeMap fake = {};
  std::memcpy(static_cast<void*>(&fake), &map, sizeof fake);
  return fake;
}

template <class Make>
std::string refusal(const Make& make) {
  fake_cuda::reset();
  try {
    make();
  } catch (const kiln::ArgumentError& error) {
    CHECK(encodes() == 0);
    CHECK(contains(error.what(), "expected " + error.expected() + ", given " + error.given()));
    return error.what();
  }
  return "accepted";
}

using EditTiled = std::function<void(TensorMapTiled&)>;
std::string refused(const EditTiled& edit) {
  TensorMapTiled tensor = matrix();
  edit(tensor);
  return refusal([&] { return TensorMap::tiled(tensor); });
}

using EditIm2col = std::function<void(TensorMapIm2col&)>;
std::string refused_im2col(const EditIm2col& edit) {
  TensorMapIm2col tensor = image();
  edit(tensor);
  return refusal([&] { return TensorMap::im2col(tensor); });
}

}  // namespace

TEST_CASE("a tiled map reaches the driver, dense where no strides are given") {
  TensorMapTiled tensor = matrix();
  tensor.sizes = {64, 32, 3};
  tensor.box = {16, 8, 1};
  const FakeMap map = content(TensorMap::tiled(tensor));
  CHECK(map.address == tensor.pointer);
  CHECK(map.type == CU_TENSOR_MAP_DATA_TYPE_FLOAT32);
  CHECK(map.rank == 3);
  CHECK(map.sizes[2] == 3);
  CHECK(map.strides[0] == 256);
  CHECK(map.strides[1] == 8192);
  CHECK(map.element_strides[2] == 1);
  CHECK_FALSE(map.im2col);
}

TEST_CASE("stated strides and element strides reach the driver") {
  TensorMapTiled tensor = matrix();
  tensor.strides = {512};
  tensor.element_strides = {1, 2};
  const FakeMap map = content(TensorMap::tiled(tensor));
  CHECK(map.strides[0] == 512);
  CHECK(map.element_strides[1] == 2);
}

TEST_CASE("an im2col map reaches the driver") {
  const FakeMap map = content(TensorMap::im2col(image()));
  CHECK(map.im2col);
  CHECK(map.rank == 4);
  CHECK(map.strides[2] == 16u * 10 * 12 * 4);
}

TEST_CASE("the element type is the pointer's where none is stated") {
  const auto type_of = [](auto* pointer, TensorMapTiled tensor) {
    return content(TensorMap::tiled(pointer, tensor)).type;
  };
  const auto address = [](auto* null) { return static_cast<decltype(null)>(const_cast<void*>(fresh_address())); };
  TensorMapTiled tensor = matrix();
  tensor.type = kiln::TensorMapType::unstated;
  CHECK(type_of(address((float*)nullptr), tensor) == CU_TENSOR_MAP_DATA_TYPE_FLOAT32);
  CHECK(type_of(address((double*)nullptr), tensor) == CU_TENSOR_MAP_DATA_TYPE_FLOAT64);
  CHECK(type_of(address((std::uint8_t*)nullptr), tensor) == CU_TENSOR_MAP_DATA_TYPE_UINT8);
  CHECK(type_of(address((std::uint16_t*)nullptr), tensor) == CU_TENSOR_MAP_DATA_TYPE_UINT16);
  CHECK(type_of(address((int*)nullptr), tensor) == CU_TENSOR_MAP_DATA_TYPE_INT32);
  CHECK(type_of(address((unsigned*)nullptr), tensor) == CU_TENSOR_MAP_DATA_TYPE_UINT32);
  CHECK(type_of(address((long long*)nullptr), tensor) == CU_TENSOR_MAP_DATA_TYPE_INT64);
  CHECK(type_of(address((__half*)nullptr), tensor) == CU_TENSOR_MAP_DATA_TYPE_FLOAT16);
  CHECK(type_of(address((__nv_bfloat16*)nullptr), tensor) == CU_TENSOR_MAP_DATA_TYPE_BFLOAT16);
  tensor.type = kiln::TensorMapType::tfloat32;
  CHECK(type_of(address((float*)nullptr), tensor) == CU_TENSOR_MAP_DATA_TYPE_TFLOAT32);
}

TEST_CASE("every rule of the driver is checked, and the error names the member") {
  const struct {
    const char* told;
    EditTiled edit;
  } cases[] = {
      {"tiled: type: expected an element type", [](auto& t) { t.type = kiln::TensorMapType::unstated; }},
      {"type: expected 0 to 15, given 99", [](auto& t) { t.type = static_cast<kiln::TensorMapType>(99); }},
      {"pointer: expected device memory, given null", [](auto& t) { t.pointer = nullptr; }},
      {"pointer: expected an address that is a multiple of 16, given one that is 8 beyond",
       [](auto& t) { t.pointer = static_cast<const char*>(t.pointer) + 8; }},
      {"pointer: expected an address that is a multiple of 32",
       [](auto& t) {
         t.pointer = static_cast<const char*>(t.pointer) + 16;
         t.interleave = kiln::TensorMapInterleave::interleave_32b;
         t.swizzle = kiln::TensorMapSwizzle::swizzle_32b;
         t.sizes = {64, 32, 2};
         t.box = {16, 8, 1};
       }},
      {"sizes: expected 1 to 5 entries, given 0", [](auto& t) { t.sizes = {}; }},
      {"sizes: expected 1 to 5 entries, given 6", [](auto& t) { t.sizes.assign(6, 16); }},
      {"sizes: expected 3 to 5 entries, given 2 entries (an interleaved",
       [](auto& t) { t.interleave = kiln::TensorMapInterleave::interleave_16b; }},
      {"sizes[1]: expected 1 to 4294967296, given 0", [](auto& t) { t.sizes[1] = 0; }},
      {"sizes[1]: expected 1 to 4294967296, given 4294967297", [](auto& t) { t.sizes[1] = (1ull << 32) + 1; }},
      {"strides: expected 1 entry, given 2 entries",
       [](auto& t) {
         t.strides = {256, 256};
       }},
      {"strides[0], in bytes: expected a multiple of 16, given 264", [](auto& t) { t.strides = {264}; }},
      {"strides[0], in bytes: expected a multiple of 16, given 260", [](auto& t) { t.sizes[0] = 65; }},
      {"strides[0], in bytes: expected less than 2^40", [](auto& t) { t.strides = {1ull << 40}; }},
      {"strides[1], in bytes: expected less than 2^40",
       [](auto& t) {
         t.sizes = {1ull << 32, 1ull << 30, 4};
         t.strides = {};
         t.box = {16, 8, 1};
       }},
      {"box: expected 2 entries, given 1 entry", [](auto& t) { t.box = {16}; }},
      {"box[1]: expected 1 to 256, given 0", [](auto& t) { t.box[1] = 0; }},
      {"box[1]: expected 1 to 256, given 257", [](auto& t) { t.box[1] = 257; }},
      {"box[0], in bytes: expected a multiple of 16, given 20", [](auto& t) { t.box[0] = 5; }},
      {"box: expected at most 232448 bytes, a block's shared memory, given 262144 bytes",
       [](auto& t) {
         t.box = {256, 256};
       }},
      {"element_strides: expected 2 entries", [](auto& t) { t.element_strides = {1}; }},
      {"element_strides[1]: expected 1 to 8, given 0",
       [](auto& t) {
         t.element_strides = {1, 0};
       }},
      {"element_strides[1]: expected 1 to 8, given 9",
       [](auto& t) {
         t.element_strides = {1, 9};
       }},
      {"at most 32, the swizzle's span, given 64", [](auto& t) { t.swizzle = kiln::TensorMapSwizzle::swizzle_32b; }},
      {"at most 64, the swizzle's span, given 128",
       [](auto& t) {
         t.swizzle = kiln::TensorMapSwizzle::swizzle_64b;
         t.box[0] = 32;
       }},
      {"at most 128, the swizzle's span, given 144",
       [](auto& t) {
         t.swizzle = kiln::TensorMapSwizzle::swizzle_128b;
         t.box[0] = 36;
       }},
      {"swizzle: expected one without an atom on compute capability 9.0",
       [](auto& t) { t.swizzle = kiln::TensorMapSwizzle::swizzle_128b_atom_32b; }},
      {"type: expected one of whole bytes on compute capability 9.0, given a packed one of 4 bits",
       [](auto& t) { t.type = kiln::TensorMapType::packed_16u4_align8b; }},
      {"swizzle: expected swizzle_32b",
       [](auto& t) {
         t.interleave = kiln::TensorMapInterleave::interleave_32b;
         t.sizes = {64, 32, 2};
         t.box = {16, 8, 1};
       }},
      {"out_of_bounds_fill: expected zero, for elements that are not floating, given nan",
       [](auto& t) {
         t.type = kiln::TensorMapType::int32;
         t.out_of_bounds_fill = kiln::TensorMapFill::nan;
       }},
      {"l2_promotion: expected 0 to 3, given 7",
       [](auto& t) { t.l2_promotion = static_cast<kiln::TensorMapL2Promotion>(7); }},
  };
  for (const auto& item : cases) {
    const std::string text = refused(item.edit);
    CHECK_MESSAGE(contains(text, item.told), text);
    CHECK_MESSAGE(contains(text, "TensorMap::tiled: "), text);
  }
}

TEST_CASE("the rules of im2col are checked") {
  const struct {
    const char* told;
    EditIm2col edit;
  } cases[] = {
      {"sizes: expected 3 to 5 entries, given 2",
       [](auto& t) {
         t.sizes = {16, 10};
       }},
      {"lower_corner: expected 2 entries, given 1 entry", [](auto& t) { t.lower_corner = {0}; }},
      {"upper_corner: expected 2 entries, given 3 entries",
       [](auto& t) {
         t.upper_corner = {0, 0, 0};
       }},
      {"lower_corner[1]: expected -128 to 127, given -129", [](auto& t) { t.lower_corner[1] = -129; }},
      {"upper_corner[0]: expected -128 to 127, given 128", [](auto& t) { t.upper_corner[0] = 128; }},
      {"lower_corner[0]: expected -128 to 8, given 9", [](auto& t) { t.lower_corner[0] = 9; }},
      {"channels_per_pixel: expected 1 to 256, given 0", [](auto& t) { t.channels_per_pixel = 0; }},
      {"channels_per_pixel: expected 1 to 256, given 257", [](auto& t) { t.channels_per_pixel = 257; }},
      {"channels_per_pixel, in bytes: expected a multiple of 16, given 12", [](auto& t) { t.channels_per_pixel = 3; }},
      {"pixels_per_column: expected 1 to 1024, given 0", [](auto& t) { t.pixels_per_column = 0; }},
      {"pixels_per_column: expected 1 to 1024, given 1025", [](auto& t) { t.pixels_per_column = 1025; }},
      {"channels_per_pixel and pixels_per_column: expected at most 232448 bytes",
       [](auto& t) {
         t.channels_per_pixel = 256;
         t.pixels_per_column = 1024;
       }},
  };
  for (const auto& item : cases) {
    const std::string text = refused_im2col(item.edit);
    CHECK_MESSAGE(contains(text, item.told), text);
    CHECK_MESSAGE(contains(text, "TensorMap::im2col: "), text);
  }
  TensorMapIm2col line = image();
  line.sizes = {16, 10, 2};
  line.lower_corner = {-32768};
  line.upper_corner = {0};
  CHECK_NOTHROW(TensorMap::im2col(line));
  line.lower_corner = {-32769};
  CHECK_THROWS_AS(TensorMap::im2col(line), kiln::ArgumentError);
}

TEST_CASE("the largest values pass") {
  TensorMapTiled tensor = matrix();
  tensor.sizes = {1ull << 32, 1, 1, 1, 1ull << 32};
  tensor.strides = {(1ull << 40) - 16, 16, 16, 16};
  tensor.box = {256, 1, 1, 1, 227};
  tensor.element_strides = {1, 1, 1, 1, 8};
  CHECK_NOTHROW(TensorMap::tiled(tensor));
}

TEST_CASE("equal descriptions are encoded once, in whichever thread") {
  fake_cuda::reset();
  TensorMapTiled tensor = matrix();
  const TensorMap first = TensorMap::tiled(tensor);
  TensorMapTiled spelled_out = tensor;
  spelled_out.strides = {256};
  spelled_out.element_strides = {1, 1};
  const TensorMap second = TensorMap::tiled(spelled_out);
  std::thread([&] { (void)TensorMap::tiled(tensor); }).join();
  CHECK(encodes() == 1);
  CHECK(std::memcmp(&first, &second, sizeof first) == 0);
  tensor.box = {16, 16};
  (void)TensorMap::tiled(tensor);
  CHECK(encodes() == 2);
  tensor.swizzle = kiln::TensorMapSwizzle::swizzle_64b;
  (void)TensorMap::tiled(tensor);
  CHECK(encodes() == 3);
}

TEST_CASE("the number of maps kept is bounded") {
  TensorMapTiled tensor = matrix();
  (void)TensorMap::tiled(tensor);
  for (int i = 0; i < 1000; ++i) (void)TensorMap::tiled(matrix());
  fake_cuda::reset();
  (void)TensorMap::tiled(tensor);
  CHECK(encodes() == 1);
}

TEST_CASE("with_address moves a map and encodes nothing") {
  const TensorMap map = TensorMap::tiled(matrix());
  fake_cuda::reset();
  const void* const elsewhere = fresh_address();
  const TensorMap moved = map.with_address(elsewhere);
  CHECK(encodes() == 0);
  CHECK(content(moved).address == elsewhere);
  CHECK(content(map).address != elsewhere);
  CHECK(content(moved).sizes[1] == content(map).sizes[1]);
  CHECK_THROWS_AS(map.with_address(nullptr), kiln::ArgumentError);
  CHECK_THROWS_AS(map.with_address(static_cast<const char*>(elsewhere) + 8), kiln::ArgumentError);
  fake_cuda::fail("cuTensorMapReplaceAddress", CUDA_ERROR_INVALID_VALUE);
  CHECK_THROWS_AS(map.with_address(elsewhere), kiln::DriverError);
}

TEST_CASE("a map that the driver refuses is not kept") {
  fake_cuda::reset();
  const TensorMapTiled tensor = matrix();
  fake_cuda::fail("cuTensorMapEncodeTiled", CUDA_ERROR_INVALID_VALUE);
  CHECK_THROWS_AS(TensorMap::tiled(tensor), kiln::DriverError);
  CHECK_NOTHROW(TensorMap::tiled(tensor));
  const TensorMapIm2col other = image();
  fake_cuda::fail("cuTensorMapEncodeIm2col", CUDA_ERROR_INVALID_VALUE);
  CHECK_THROWS_AS(TensorMap::im2col(other), kiln::DriverError);
  CHECK_NOTHROW(TensorMap::im2col(other));
}

TEST_CASE("a map is a kernel argument of 128 bytes, by value or in a buffer") {
  static_assert(sizeof(TensorMap) == 128 && alignof(TensorMap) == 128 && std::is_trivially_copyable_v<TensorMap>);
  FakeModule module;
  const TensorMap map = TensorMap::tiled(matrix());
  fake_cuda::reset();
  module.function("takes_map")({1, 32}, map);
  REQUIRE(fake_cuda::launches().size() == 1);
  CHECK(fake_cuda::launches()[0].parameters[0] == std::string(reinterpret_cast<const char*>(&map), sizeof map));
  CHECK_NOTHROW(kiln::TypedFunction<void(TensorMap)>(module.function("takes_map")));
  CHECK_THROWS_AS(module.function("takes_map")({1, 32}, 5), kiln::ArgumentError);
  const kiln::DeviceBuffer<TensorMap> maps(std::vector<TensorMap>{map, map});
  CHECK(std::memcmp(&maps.to_host()[1], &map, sizeof map) == 0);
}

}  // namespace tensor_map_test
