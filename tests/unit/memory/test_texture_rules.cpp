// What no texture and no surface can be, and how it is told.
#include "fake_arrays.hpp"
#include "fake_cuda.hpp"
#include "on_new_thread.hpp"
#include "refusal.hpp"

#include <kiln/array.hpp>
#include <kiln/device.hpp>
#include <kiln/device_buffer.hpp>
#include <kiln/mipmapped_array.hpp>
#include <kiln/surface_object.hpp>
#include <kiln/texture_object.hpp>

#include <doctest/doctest.h>

#include <utility>

namespace texture_rules_test {

using kiln::AddressMode;
using kiln::Array;
using kiln::ArrayDescriptor;
using kiln::ArrayFlags;
using kiln::ArrayFormat;
using kiln::DeviceBuffer;
using kiln::FilterMode;
using kiln::MipmappedArray;
using kiln::ReadMode;
using kiln::SurfaceObject;
using kiln::TextureDescriptor;
using kiln::TextureObject;

namespace {

template <class Source>
std::string said(const Source& source, const TextureDescriptor& descriptor) {
  return refusal([&] { (void)TextureObject(source, descriptor); });
}

TextureDescriptor addressed(AddressMode x, AddressMode y, AddressMode z) {
  TextureDescriptor descriptor;
  descriptor.address_mode = {x, y, z};
  return descriptor;
}

TextureDescriptor filtered(FilterMode mode, ReadMode read_mode) {
  TextureDescriptor descriptor;
  descriptor.filter_mode = mode;
  descriptor.read_mode = read_mode;
  return descriptor;
}

TextureDescriptor normalized() {
  TextureDescriptor descriptor;
  descriptor.normalized_coords = true;
  return descriptor;
}

constexpr AddressMode clamp = AddressMode::clamp;
constexpr AddressMode wrap = AddressMode::wrap;
constexpr AddressMode mirror = AddressMode::mirror;

}  // namespace

TEST_CASE("wrap and mirror need normalised coordinates, in the dimensions that there are") {
  const Array line = Array::make<float>(8);
  const Array plane = Array::make<float>(8, 8);
  const Array cube = Array::make<float>(8, 8, 8);
  const Array layers = Array::make<float>(8, 8, 8, ArrayFlags::layered);
  CHECK(contains(said(line, addressed(wrap, clamp, clamp)),
                 "TextureObject: address_mode of x: expected clamp or border without normalised coordinates, given "
                 "AddressMode::wrap: set normalized_coords"));
  CHECK(said(line, addressed(clamp, wrap, wrap)) == "accepted");
  CHECK(contains(said(plane, addressed(clamp, mirror, clamp)), "address_mode of y"));
  CHECK(contains(said(cube, addressed(clamp, clamp, mirror)), "AddressMode::mirror"));
  CHECK(said(layers, addressed(clamp, clamp, mirror)) == "accepted");
  CHECK(said(plane, addressed(AddressMode::border, AddressMode::border, clamp)) == "accepted");
  TextureDescriptor descriptor = addressed(wrap, mirror, wrap);
  descriptor.normalized_coords = true;
  CHECK(said(cube, descriptor) == "accepted");
}

TEST_CASE("only floats have a mean, and only 8 and 16 bits are read as normalised floats") {
  const Array bytes = Array::make<unsigned char>(8);
  const Array shorts = Array::make<short>(8);
  const Array ints = Array::make<int>(8);
  const Array floats = Array::make<float>(8);
  const Array halves(ArrayDescriptor{8, 0, 0, ArrayFormat::half, 1, ArrayFlags::none});
  const auto linear = filtered(FilterMode::linear, ReadMode::element_type);
  const auto read_normalized = filtered(FilterMode::linear, ReadMode::normalized_float);
  CHECK(contains(said(bytes, linear), "TextureObject: filter_mode: expected FilterMode::point"));
  CHECK(contains(said(bytes, linear), "read them with ReadMode::normalized_float"));
  CHECK(contains(said(ints, linear), "given FilterMode::linear of signed_int32: use a float format"));
  CHECK(said(floats, linear) == "accepted");
  CHECK(said(halves, linear) == "accepted");
  CHECK(said(bytes, read_normalized) == "accepted");
  CHECK(said(shorts, read_normalized) == "accepted");
  CHECK(said(floats, read_normalized) == "accepted");
  CHECK(contains(said(ints, read_normalized), "TextureObject: read_mode: expected ReadMode::element_type"));
  TextureDescriptor levels = normalized();
  levels.mipmap_filter_mode = FilterMode::linear;
  CHECK(contains(said(MipmappedArray::make<int>(8), levels), "TextureObject: mipmap_filter_mode"));
  TextureDescriptor srgb = filtered(FilterMode::point, ReadMode::element_type);
  srgb.srgb = true;
  CHECK(contains(said(bytes, srgb), "TextureObject: srgb"));
  CHECK(contains(said(floats, srgb), "given float32"));
  srgb.read_mode = ReadMode::normalized_float;
  CHECK(said(bytes, srgb) == "accepted");
}

TEST_CASE("mipmapped arrays and cubemaps") {
  const auto levels = MipmappedArray::make<float>(8, 8);
  CHECK(contains(said(levels, {}), "TextureObject: normalized_coords: expected true for a mipmapped array"));
  TextureDescriptor descriptor = normalized();
  descriptor.min_mipmap_level_clamp = 2;
  descriptor.max_mipmap_level_clamp = 1;
  CHECK(contains(said(levels, descriptor), "TextureObject: min_mipmap_level_clamp: expected at most"));
  TextureDescriptor seamless;
  seamless.seamless_cubemap = true;
  CHECK(contains(said(Array::make<float>(8, 8), seamless), "TextureObject: seamless_cubemap"));
  CHECK(said(Array::make<float>(8, 8, 6, ArrayFlags::cubemap), seamless) == "accepted");
}

TEST_CASE("linear memory has limits of its own") {
  const DeviceBuffer<float> buffer(64);
  const auto linear = [](const float* pointer, std::size_t size) {
    return refusal([&] { (void)TextureObject::linear(pointer, size); });
  };
  CHECK(contains(said(buffer, normalized()), "normalized_coords: expected false for linear memory"));
  CHECK(contains(said(buffer, filtered(FilterMode::linear, ReadMode::element_type)), "FilterMode::point for linear"));
  CHECK(contains(said(buffer, addressed(wrap, clamp, clamp)), "address_mode of x"));
  CHECK(contains(said(DeviceBuffer<float>(0), {}),
                 "TextureObject: pointer: expected an address of device memory, given null"));
  CHECK(contains(linear(buffer.data(), 0), "TextureObject: size: expected at least 1"));
  CHECK(contains(linear(buffer.data(), (std::size_t{1} << 28) + 1), "size: expected at most 268435456"));
  CHECK(contains(linear(buffer.data() + 1, 4), "TextureObject: pointer: expected a multiple of 16 bytes"));
  float host[16] = {};
  CHECK(contains(linear(host, 16), "one that the driver does not know: memory of the host is copied"));
  fake_cuda::reset();
  fake_cuda::fail("cuDeviceGetTexture1DLinearMaxWidth", CUDA_ERROR_NOT_SUPPORTED);
  CHECK(linear(buffer.data(), 64) == "accepted");
  on_new_thread([&] {
    kiln::Device(1).make_current();
    CHECK(contains(said(buffer, {}), "memory of the current device, 1, given memory of device 0: make that device"));
  });
}

TEST_CASE("pitched memory has limits of its own") {
  const DeviceBuffer<float> buffer(64);
  const auto pitched = [](const float* pointer, std::size_t width, std::size_t height, std::size_t pitch) {
    return refusal([&] { (void)TextureObject::pitched(pointer, width, height, pitch); });
  };
  CHECK(pitched(buffer.data(), 8, 4, 32) == "accepted");
  CHECK(pitched(buffer.data(), 8, 4, 0) == "accepted");
  CHECK(contains(pitched(buffer.data(), 0, 4, 32), "width: expected at least 1"));
  CHECK(contains(pitched(buffer.data(), 8, 0, 32), "height: expected at least 1"));
  CHECK(contains(pitched(buffer.data(), 7, 4, 0), "pitch: expected a multiple of 32 bytes, given 28"));
  CHECK(contains(pitched(buffer.data(), 9, 4, 32), "pitch: expected at least a row, 36 bytes, given 32"));
  CHECK(contains(pitched(buffer.data(), 200000, 4, 800000), "width: expected at most 131072"));
  CHECK(contains(pitched(buffer.data(), 8, 70000, 32), "height: expected at most 65000"));
  CHECK(contains(pitched(buffer.data(), 8, 4, 4194304), "pitch: expected at most 2097120"));
  CHECK(contains(pitched(buffer.data() + 2, 8, 4, 32), "pointer: expected a multiple of 16"));
}

TEST_CASE("typed textures and surfaces check the elements") {
  const Array array = Array::make<int>(8, 8, 0, ArrayFlags::surface_load_store);
  CHECK(contains(refusal([&] { (void)TextureObject::of<float>(array); }),
                 "Array: element type: expected 1 x signed_int32, given 1 x float32"));
  CHECK(contains(refusal([&] { (void)TextureObject::of<float>(MipmappedArray::make<int>(8)); }), "element type"));
  CHECK(contains(refusal([&] { (void)SurfaceObject::of<double>(array); }), "given 2 x signed_int32"));
  CHECK(refusal([&] { (void)SurfaceObject::of<int>(array); }) == "accepted");
}

TEST_CASE("a surface needs an array made for it, and null arrays are refused") {
  CHECK(contains(refusal([] { (void)SurfaceObject(Array::make<int>(8, 8)); }),
                 "SurfaceObject: array: expected one made with ArrayFlags::surface_load_store"));
  Array array = Array::make<int>(8);
  const Array other = std::move(array);
  // NOLINTBEGIN(bugprone-use-after-move): what the test is about
  CHECK(contains(said(array, {}), "Array: expected one that is there"));
  CHECK(contains(refusal([&] { (void)SurfaceObject(array); }), "Array: expected one that is there"));
  CHECK(contains(refusal([&] { (void)TextureObject::of<int>(array); }), "Array: expected one that is there"));
  // NOLINTEND(bugprone-use-after-move)
}

}  // namespace texture_rules_test
