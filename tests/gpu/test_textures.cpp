// Textures and surfaces on a device: every way to read, with values that are known.
#include "texture_kernels.hpp"

#include <doctest/doctest.h>
#include <vector_types.h>
#include <kiln/kiln.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <string>
#include <vector>

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
using kiln::test::ramp;
using kiln::test::read;
using kiln::test::sample;
using kiln::test::texture_module;

namespace {

struct Half {
  unsigned short bits;
};
constexpr Half half_one = {0x3c00};
constexpr Half half_two = {0x4000};

TextureDescriptor described(FilterMode filter, AddressMode address, bool normalized,
                            ReadMode read_mode = ReadMode::element_type) {
  TextureDescriptor descriptor;
  descriptor.filter_mode = filter;
  descriptor.address_mode = {address, address, address};
  descriptor.normalized_coords = normalized;
  descriptor.read_mode = read_mode;
  return descriptor;
}

bool near(const std::vector<float>& given, const std::vector<float>& expected, float tolerance = 1e-5F) {
  bool all = given.size() == expected.size();
  for (std::size_t i = 0; all && i < given.size(); ++i) all = std::abs(given[i] - expected[i]) <= tolerance;
  if (!all)
    for (const float value : given) MESSAGE("given " << value);
  return all;
}

/// What tex1D gives at these places.
std::vector<float> sample_1d(const TextureObject& texture, const std::vector<float>& places) {
  return sample("sample_1d", texture, places, 1);
}

template <class T>
Array array_1d(const std::vector<T>& elements) {
  return kiln::array_from(elements, elements.size());
}

}  // namespace

template <>
struct kiln::ArrayElement<Half> : kiln::ArrayChannels<kiln::ArrayFormat::half, 1> {};

static_assert(kiln::ArrayElement<float4>::num_channels == 4);
static_assert(kiln::ArrayElement<uchar2>::format == ArrayFormat::unsigned_int8);
static_assert(kiln::ArrayElement<int1>::num_channels == 1);
static_assert(!kiln::detail::is_array_element<float3>);

TEST_CASE("1-D, 2-D and 3-D arrays are read element by element") {
  const std::vector<float> values = ramp(24);
  CHECK(read<float>("read_1d<float>", TextureObject(kiln::array_from(values, 24)), 24, 24) == values);
  CHECK(read<float>("read_2d<float>", TextureObject(kiln::array_from(values, 6, 4)), 24, 6, 4) == values);
  CHECK(read<float>("read_3d<float>", TextureObject(kiln::array_from(values, 2, 3, 4)), 24, 2, 3, 4) == values);
}

TEST_CASE("a texture is an argument of a typed function too") {
  const std::vector<float> values = ramp(8);
  const TextureObject texture = TextureObject::of<float>(kiln::array_from(values, 8));
  const auto function = texture_module().get_function<void(CUtexObject, float*, int)>("read_1d<float>");
  const DeviceBuffer<float> out(std::vector<float>(8));
  function({1, 32}, texture, out, 8);
  CHECK(out.to_host() == values);
}

TEST_CASE("layers are read one by one") {
  const std::vector<float> values = ramp(24);
  const Array lines = kiln::array_from(values, 6, 0, 4, ArrayFlags::layered);
  CHECK(read<float>("read_1d_layered", TextureObject(lines), 24, 6, 4) == values);
  const Array planes = kiln::array_from(values, 4, 2, 3, ArrayFlags::layered);
  CHECK(read<float>("read_2d_layered", TextureObject(planes), 24, 4, 2, 3) == values);
}

TEST_CASE("every format with 1, 2 and 4 channels is read") {
  struct Row {
    ArrayFormat format;
    const char* scalar;
    const char* vector;
  };
  const Row rows[] = {{ArrayFormat::unsigned_int8, "unsigned char", "uchar"},
                      {ArrayFormat::signed_int8, "signed char", "char"},
                      {ArrayFormat::unsigned_int16, "unsigned short", "ushort"},
                      {ArrayFormat::signed_int16, "short", "short"},
                      {ArrayFormat::unsigned_int32, "unsigned int", "uint"},
                      {ArrayFormat::signed_int32, "int", "int"},
                      {ArrayFormat::float32, "float", "float"},
                      {ArrayFormat::half, "float", "float"}};
  for (const Row& row : rows)
    for (const unsigned channels : {1U, 2U, 4U}) {
      CAPTURE(row.vector);
      CAPTURE(channels);
      Array array(ArrayDescriptor{8, 0, 0, row.format, channels, ArrayFlags::none});
      const std::size_t count = 8 * channels;
      std::vector<double> expected(count);
      for (std::size_t i = 0; i < count; ++i) expected[i] = static_cast<double>(i);
      const auto fill = [&](auto zero) {
        std::vector<decltype(zero)> scalars(count);
        for (std::size_t i = 0; i < count; ++i) scalars[i] = static_cast<decltype(zero)>(i);
        array.copy_from(scalars);
      };
      switch (row.format) {
        case ArrayFormat::unsigned_int8:
          fill(static_cast<unsigned char>(0));
          break;
        case ArrayFormat::signed_int8:
          fill(static_cast<signed char>(0));
          break;
        case ArrayFormat::unsigned_int16:
          fill(static_cast<unsigned short>(0));
          break;
        case ArrayFormat::signed_int16:
          fill(static_cast<short>(0));
          break;
        case ArrayFormat::unsigned_int32:
          fill(0U);
          break;
        case ArrayFormat::signed_int32:
          fill(0);
          break;
        case ArrayFormat::float32:
          fill(0.0F);
          break;
        case ArrayFormat::half:
          array.copy_from(std::vector<Half>(count, half_two));
          expected.assign(count, 2);
          break;
      }
      const std::string vector = channels == 1 ? row.scalar : row.vector + std::to_string(channels);
      const std::string kernel = "read_channels<" + vector + ", " + row.scalar + ", " + std::to_string(channels) + ">";
      CHECK(read<double>(kernel, TextureObject(array), count, 8) == expected);
    }
}

TEST_CASE("linear filtering weighs the neighbours") {
  const auto linear = described(FilterMode::linear, AddressMode::clamp, false);
  CHECK(near(sample_1d(TextureObject(array_1d(ramp(4)), linear), {0, 0.5F, 1, 1.25F, 3.5F, 9}),
             {0, 0, 0.5F, 0.75F, 3, 3}));
  const TextureObject plane(kiln::array_from(ramp(4), 2, 2), linear);
  CHECK(near(sample("sample_2d", plane, {1, 1, 1, 0.5F, 0.5F, 1}, 2), {1.5F, 0.5F, 1}));
  const TextureObject box(kiln::array_from(ramp(8), 2, 2, 2), linear);
  CHECK(near(sample("sample_3d", box, {1, 1, 1, 1, 0.5F, 0.5F}, 3), {3.5F, 0.5F}));
  const TextureObject halves(array_1d(std::vector<Half>{half_one, half_two}), linear);
  CHECK(near(sample_1d(halves, {0.5F, 1, 1.5F}), {1, 1.5F, 2}));
}

TEST_CASE("every address mode, with and without normalised coordinates") {
  const Array array = array_1d(std::vector<float>{10, 20, 30, 40});
  const auto at = [&](AddressMode mode, bool normalized, const std::vector<float>& places) {
    TextureDescriptor descriptor = described(FilterMode::point, mode, normalized);
    descriptor.border_color = {7, 7, 7, 7};
    return sample_1d(TextureObject(array, descriptor), places);
  };
  // Elements -2, -1, 0, 3, 4 and 5.
  const std::vector<float> normalized = {-0.375F, -0.125F, 0.125F, 0.875F, 1.125F, 1.375F};
  CHECK(at(AddressMode::clamp, true, normalized) == std::vector<float>{10, 10, 10, 40, 40, 40});
  CHECK(at(AddressMode::wrap, true, normalized) == std::vector<float>{30, 40, 10, 40, 10, 20});
  CHECK(at(AddressMode::mirror, true, normalized) == std::vector<float>{20, 10, 10, 40, 40, 30});
  CHECK(at(AddressMode::border, true, normalized) == std::vector<float>{7, 7, 10, 40, 7, 7});
  const std::vector<float> plain = {-1.5F, -0.5F, 0.5F, 3.5F, 4.5F, 5.5F};
  CHECK(at(AddressMode::clamp, false, plain) == std::vector<float>{10, 10, 10, 40, 40, 40});
  CHECK(at(AddressMode::border, false, plain) == std::vector<float>{7, 7, 10, 40, 7, 7});
}

TEST_CASE("each dimension has an address mode of its own") {
  TextureDescriptor descriptor = described(FilterMode::point, AddressMode::wrap, true);
  descriptor.address_mode[1] = AddressMode::clamp;
  const TextureObject texture(kiln::array_from(ramp(4), 2, 2), descriptor);
  CHECK(sample("sample_2d", texture, {1.25F, 0.25F, 0.25F, 1.25F, -0.25F, -0.25F}, 2) == std::vector<float>{0, 2, 1});
}

TEST_CASE("integers of 8 and 16 bits are read as normalised floats") {
  const auto plain = described(FilterMode::point, AddressMode::clamp, false, ReadMode::normalized_float);
  const std::vector<float> places = {0.5F, 1.5F, 2.5F};
  CHECK(near(sample_1d(TextureObject(array_1d(std::vector<unsigned char>{0, 51, 255}), plain), places), {0, 0.2F, 1}));
  CHECK(near(sample_1d(TextureObject(array_1d(std::vector<signed char>{-127, 0, 127}), plain), places), {-1, 0, 1}));
  CHECK(near(sample_1d(TextureObject(array_1d(std::vector<unsigned short>{0, 13107, 65535}), plain), places),
             {0, 0.2F, 1}));
  CHECK(near(sample_1d(TextureObject(array_1d(std::vector<short>{-32767, 0, 32767}), plain), places), {-1, 0, 1}));
  const auto linear = described(FilterMode::linear, AddressMode::clamp, false, ReadMode::normalized_float);
  CHECK(near(sample_1d(TextureObject(array_1d(std::vector<unsigned char>{0, 255}), linear), {1}), {0.5F}, 0.01F));
}

TEST_CASE("sRGB becomes linear, but for the fourth channel") {
  auto descriptor = described(FilterMode::point, AddressMode::clamp, false, ReadMode::normalized_float);
  descriptor.srgb = true;
  const TextureObject texture(array_1d(std::vector<uchar4>{{188, 0, 255, 188}}), descriptor);
  CHECK(near(read<float>("read_float4", texture, 4, 1), {0.503F, 0, 1, 188.0F / 255}, 0.005F));
}

TEST_CASE("the faces of cubemaps, and the edges between them") {
  std::vector<float> faces(std::size_t{4} * 4 * 12);
  for (std::size_t i = 0; i < faces.size(); ++i) faces[i] = static_cast<float>(i / 16 + 1);
  const std::vector<float> one(faces.begin(), faces.begin() + 96);
  const std::vector<float> directions = {1, 0, 0, -1, 0, 0, 0, 1, 0, 0, -1, 0, 0, 0, 1, 0, 0, -1};
  const Array cubemap = kiln::array_from(one, 4, 4, 6, ArrayFlags::cubemap);
  CHECK(sample("sample_cubemap", TextureObject(cubemap), directions, 3) == std::vector<float>{1, 2, 3, 4, 5, 6});
  const Array several = kiln::array_from(faces, 4, 4, 12, ArrayFlags::cubemap | ArrayFlags::layered);
  CHECK(sample("sample_second_cubemap", TextureObject(several), directions, 3) ==
        std::vector<float>{7, 8, 9, 10, 11, 12});
  auto seamless = described(FilterMode::linear, AddressMode::clamp, false);
  seamless.seamless_cubemap = true;
  const float edge = sample("sample_cubemap", TextureObject(cubemap, seamless), {1, 1, 0}, 3)[0];
  CHECK(edge > 1.5F);  // between the faces +x, 1, and +y, 3
  CHECK(edge < 2.5F);
}

TEST_CASE("levels of a mipmapped array are read, clamped and mixed") {
  const auto levels = MipmappedArray::make<float>(8, 8, 0, 3);
  for (unsigned i = 0; i < levels.levels(); ++i) {
    Array level = levels.level(i);
    level.copy_from(std::vector<float>(level.descriptor().count(), 100.0F * static_cast<float>(i + 1)));
  }
  const std::vector<float> asked = {0, 0.5F, 1, 2, 9};
  auto descriptor = described(FilterMode::point, AddressMode::clamp, true);
  const auto read_levels = [&] { return sample("sample_levels", TextureObject(levels, descriptor), asked, 1); };
  descriptor.mipmap_filter_mode = FilterMode::linear;
  CHECK(near(read_levels(), {100, 150, 200, 300, 300}, 0.5F));
  descriptor.mipmap_filter_mode = FilterMode::point;
  const std::vector<float> nearest = read_levels();
  CHECK(nearest[0] == 100);
  CHECK(nearest[2] == 200);
  CHECK(nearest[3] == 300);
  CHECK(nearest[4] == 300);
  descriptor.min_mipmap_level_clamp = 1;
  CHECK(read_levels()[0] == 200);
  descriptor.min_mipmap_level_clamp = 0;
  descriptor.max_mipmap_level_clamp = 1;
  CHECK(read_levels()[4] == 200);
  descriptor = described(FilterMode::linear, AddressMode::clamp, true);
  descriptor.max_anisotropy = 8;
  descriptor.disable_trilinear_optimization = true;
  descriptor.mipmap_filter_mode = FilterMode::linear;
  const float stretched = sample("sample_gradient", TextureObject(levels, descriptor), {0.5F, 0.5F}, 2)[0];
  CHECK(stretched >= 100);
  CHECK(stretched <= 300);
}

TEST_CASE("a gather gives the four elements around a point") {
  const Array array = kiln::array_from(ramp(16), 4, 4, 0, ArrayFlags::texture_gather);
  std::vector<float> four = read<float>("gather", TextureObject(array), 4);
  std::sort(four.begin(), four.end());
  CHECK(four == std::vector<float>{0, 1, 4, 5});
}

TEST_CASE("linear memory is read by element numbers, and is 0 outside") {
  const DeviceBuffer<float> buffer(ramp(100));
  std::vector<float> expected = ramp(100);
  expected.resize(110);
  CHECK(read<float>("fetch<float>", TextureObject(buffer), 110, 110) == expected);
  const DeviceBuffer<float4> vectors(std::vector<float4>{{1, 2, 3, 4}, {5, 6, 7, 8}});
  CHECK(read<float>("fetch_float4", TextureObject(vectors), 8, 2) == ramp(8, 1));
  const auto bytes = described(FilterMode::point, AddressMode::clamp, false, ReadMode::normalized_float);
  const DeviceBuffer<unsigned char> byte(std::vector<unsigned char>{51});
  CHECK(near(read<float>("fetch<float>", TextureObject(byte, bytes), 1, 1), {0.2F}));
}

TEST_CASE("pitched memory is read as a plane") {
  const std::size_t pitch = 512;
  const std::size_t row = pitch / sizeof(float);
  std::vector<float> padded(row * 4, -1.0F);
  for (std::size_t y = 0; y < 4; ++y)
    for (std::size_t x = 0; x < 6; ++x) padded[y * row + x] = static_cast<float>(6 * y + x);
  const DeviceBuffer<float> buffer(padded);
  CHECK(read<float>("read_2d<float>", TextureObject::pitched(buffer.data(), 6, 4, pitch), 24, 6, 4) == ramp(24));
  const auto linear = described(FilterMode::linear, AddressMode::clamp, false);
  const TextureObject filtered = TextureObject::pitched(buffer.data(), 6, 4, pitch, linear);
  CHECK(near(sample("sample_2d", filtered, {1, 1, 9, 0.5F}, 2), {3.5F, 5}));
}

TEST_CASE("surfaces are written and read") {
  const ArrayFlags flags = ArrayFlags::surface_load_store;
  const auto write = [](const char* kernel, const Array& array, auto... sizes) {
    const SurfaceObject surface(array);
    texture_module().get_function(kernel)({1, 32}, surface, sizes...);
    return array.to_host<float>();  // which waits, so that the surface is not in use any more
  };
  CHECK(write("write_1d", Array::make<float>(24, 0, 0, flags), 24) == ramp(24));
  const Array plane = Array::make<float>(6, 4, 0, flags);
  CHECK(write("write_2d", plane, 6, 4) == ramp(24));
  CHECK(write("write_3d", Array::make<float>(2, 3, 4, flags), 2, 3, 4) == ramp(24));
  const Array layers = Array::make<float>(2, 3, 4, flags | ArrayFlags::layered);
  CHECK(write("write_2d_layered", layers, 2, 3, 4) == ramp(24));
  const Array cubemap = Array::make<float>(2, 2, 6, flags | ArrayFlags::cubemap);
  CHECK(write("write_cubemap", cubemap, 2) == ramp(24));

  const SurfaceObject surface = SurfaceObject::of<float>(plane);
  texture_module().get_function("double_2d")({1, 32}, surface, 6, 4);
  std::vector<float> doubled = ramp(24);
  for (float& value : doubled) value *= 2;
  CHECK(read<float>("read_2d<float>", TextureObject(plane), 24, 6, 4) == doubled);
  const auto typed = texture_module().get_function<void(CUsurfObject, int, int)>("double_2d");
  typed({1, 32}, surface, 6, 4);
  CHECK(plane.to_host<float>()[23] == 92);

  const auto levels = MipmappedArray::make<float>(8, 8, 0, 2, flags);
  levels.level(0).copy_from(std::vector<float>(64));
  CHECK(write("write_2d", levels.level(1), 4, 4) == ramp(16));
}

TEST_CASE("several channels from scalars, in both orders") {
  const std::vector<float> scalars = ramp(24);
  const Array c = kiln::make_multichannel_2d_array(scalars, {2, 3, 4}, kiln::Order::C);  // height, width, channels
  CHECK(read<float>("read_float4_2d", TextureObject::of<float4>(c), 24, 3, 2) == scalars);
  const Array f = kiln::make_multichannel_2d_array(scalars, {4, 2, 3}, kiln::Order::F);  // channels, width, height
  CHECK(f.descriptor().width == 2);
  CHECK(read<float>("read_float4_2d", TextureObject::of<float4>(f), 24, 2, 3) == scalars);
  // The matrix {{0, 1, 2}, {3, 4, 5}}, row by row and column by column.
  const Array rows = kiln::matrix_to_array(std::vector<float>{0, 1, 2, 3, 4, 5}, {2, 3}, kiln::Order::C);
  CHECK(read<float>("read_2d<float>", TextureObject(rows), 6, 3, 2) == ramp(6));
  const Array columns = kiln::matrix_to_array(std::vector<float>{0, 3, 1, 4, 2, 5}, {2, 3}, kiln::Order::F);
  CHECK(read<float>("read_2d<float>", TextureObject(columns), 6, 2, 3) == std::vector<float>{0, 3, 1, 4, 2, 5});
  // PyCUDA's order="F" for a matrix that lies row by row: x counts its rows.
  const Array converted = kiln::matrix_to_array(kiln::asfortranarray(ramp(6), {2, 3}), {2, 3}, kiln::Order::F);
  CHECK(read<float>("read_2d<float>", TextureObject(converted), 6, 2, 3) == std::vector<float>{0, 3, 1, 4, 2, 5});
}

TEST_CASE("doubles and complex numbers are read as PyCUDA's fp_tex reads them") {
  const std::vector<double> doubles = {0, 0.1, -1e300, 3};
  CHECK(read<double>("read_double", TextureObject(array_1d(doubles)), 4, 4) == doubles);
  const std::vector<std::complex<float>> complex = {{1, 2}, {3, 4}};
  CHECK(read<double>("read_channels<float2, float, 2>", TextureObject(array_1d(complex)), 4, 2) ==
        std::vector<double>{1, 2, 3, 4});
}

TEST_CASE("a texture keeps its array, and what does not fit the device is refused") {
  const TextureObject texture = [] {
    const Array array = kiln::array_from(ramp(8), 8);
    return TextureObject(array);
  }();
  CHECK(read<float>("read_1d<float>", texture, 8, 8) == ramp(8));
  CHECK_THROWS_AS(Array::make<float>(std::size_t{1} << 20, 2), kiln::ArgumentError);
  CHECK_THROWS_AS(Array::make<float>(2, 2, std::size_t{1} << 20), kiln::ArgumentError);
  CHECK_THROWS_AS(Array(ArrayDescriptor{8, 8, 0, ArrayFormat::float32, 3, ArrayFlags::none}), kiln::ArgumentError);
  const DeviceBuffer<float> buffer(ramp(1024));
  CHECK_THROWS_AS(TextureObject::linear(buffer.data() + 1, 8), kiln::ArgumentError);
  CHECK_THROWS_AS(TextureObject::pitched(buffer.data(), 5, 8, 20), kiln::ArgumentError);
  CHECK_THROWS_AS(SurfaceObject(kiln::array_from(ramp(8), 8)), kiln::ArgumentError);
}
