// What the texture unit gives, against values worked out by hand from the CUDA Programming Guide's appendix.
#include "texture_fixture.hpp"

#include "emulator/memory/address_space.hpp"

#include <cmath>

namespace texture_sampling_test {

using namespace kiln::emulator;

namespace {

constexpr CUarray_format f32 = CU_AD_FORMAT_FLOAT;
constexpr CUfilter_mode point = CU_TR_FILTER_MODE_POINT, linear = CU_TR_FILTER_MODE_LINEAR;
constexpr CUaddress_mode wrap = CU_TR_ADDRESS_MODE_WRAP, clamp = CU_TR_ADDRESS_MODE_CLAMP,
                         mirror = CU_TR_ADDRESS_MODE_MIRROR, border = CU_TR_ADDRESS_MODE_BORDER;
constexpr unsigned normalized = CU_TRSF_NORMALIZED_COORDINATES;
constexpr Geometry line = {1, false, false}, plane = {2, false, false}, volume = {3, false, false},
                   cube = {3, true, false};

Texel at(const Texture& texture, Geometry geometry, std::array<float, 3> coordinates, std::uint32_t layer = 0) {
  Place place;
  place.at = coordinates;
  place.layer = layer;
  return sample_base(texture, geometry, place);
}

std::vector<float> along(const Texture& texture, const std::vector<float>& places) {
  std::vector<float> values;
  for (const float x : places) values.push_back(first(at(texture, line, {x})));
  return values;
}

using Values = std::vector<float>;

}  // namespace

TEST_CASE("address modes, with normalised coordinates and without") {
  const TestArray array(described(f32, 1, 4), Values{10, 20, 30, 40});
  const auto read = [&](CUaddress_mode mode, unsigned flags, const Values& places) {
    CUDA_TEXTURE_DESC descriptor = sampler(point, mode, flags);
    descriptor.borderColor[0] = 7;
    return along(*texture(array, descriptor), places);
  };
  const Values unit = {-0.375F, -0.125F, 0.125F, 0.875F, 1.125F, 1.375F};  // elements -2, -1, 0, 3, 4, 5
  CHECK(read(clamp, normalized, unit) == Values{10, 10, 10, 40, 40, 40});
  CHECK(read(wrap, normalized, unit) == Values{30, 40, 10, 40, 10, 20});
  CHECK(read(mirror, normalized, unit) == Values{20, 10, 10, 40, 40, 30});
  CHECK(read(border, normalized, unit) == Values{7, 7, 10, 40, 7, 7});
  const Values plain = {-1.5F, -0.5F, 0.5F, 3.5F, 4.5F, 5.5F};
  CHECK(read(clamp, 0, plain) == Values{10, 10, 10, 40, 40, 40});
  CHECK(read(border, 0, plain) == Values{7, 7, 10, 40, 7, 7});
  CHECK(read(wrap, 0, plain) == read(clamp, 0, plain));  // these need normalised coordinates
  CHECK(read(mirror, 0, plain) == read(clamp, 0, plain));
  CHECK(read(wrap, normalized, {-2.125F, 3.125F, 1e9F}) == Values{40, 10, 10});
  CHECK(read(mirror, normalized, {2.125F, -1.875F, 3.125F}) == Values{10, 10, 40});
  CHECK(read(clamp, 0, {NAN, INFINITY, -INFINITY, 3e38F}) == Values{10, 40, 10, 40});
}

TEST_CASE("a linear filter weighs by 256ths") {
  const TestArray array(described(f32, 1, 2), Values{0, 256});
  const auto read = [&](float x) { return along(*texture(array, sampler(linear, clamp)), {x})[0]; };
  CHECK(read(0.5F) == 0);
  CHECK(read(1) == 128);
  CHECK(read(1.5F) == 256);
  CHECK(read(0.75F) == 64);
  CHECK(read(0.5F + 1.0F / 256) == 1);
  CHECK(read(0.5F + 1.4F / 256) == 1);  // not in between
  CHECK(read(0.5F + 1.6F / 256) == 2);
  CHECK(read(-3) == 0);
  CHECK(read(9) == 256);
}

TEST_CASE("linear filters in two and three dimensions, and at a border") {
  const TestArray square(described(f32, 1, 2, 2), Values{0, 1, 2, 3});
  const auto flat = texture(square, sampler(linear, clamp));
  CHECK(first(at(*flat, plane, {1, 1})) == 1.5F);
  CHECK(first(at(*flat, plane, {1, 0.5F})) == 0.5F);
  CHECK(first(at(*flat, plane, {0.75F, 1.25F})) == 0.25F + 2 * 0.75F);
  const TestArray box(described(f32, 1, 2, 2, 2), ramp(8));
  const auto deep = texture(box, sampler(linear, clamp));
  CHECK(first(at(*deep, volume, {1, 1, 1})) == 3.5F);
  CHECK(first(at(*deep, volume, {1, 0.5F, 0.5F})) == 0.5F);
  CHECK(first(at(*deep, volume, {0.5F, 0.5F, 0.75F})) == 1);
  CUDA_TEXTURE_DESC with_border = sampler(linear, border);
  with_border.borderColor[0] = 8;
  CHECK(first(at(*texture(square, with_border), plane, {0, 0.5F})) == 4);  // half 0, half border
  const auto around = texture(square, sampler(linear, wrap, normalized));
  CHECK(first(at(*around, plane, {0, 0.25F})) == 0.5F);  // half 1, half 0
}

TEST_CASE("each axis has an address mode of its own, and layers are not mixed") {
  CUDA_TEXTURE_DESC descriptor = sampler(point, wrap, normalized);
  descriptor.addressMode[1] = clamp;
  const TestArray square(described(f32, 1, 2, 2), ramp(4));
  const auto both = texture(square, descriptor);
  CHECK(first(at(*both, plane, {1.25F, 0.25F})) == 0);
  CHECK(first(at(*both, plane, {0.25F, 1.25F})) == 2);
  CHECK(first(at(*both, plane, {-0.25F, -0.25F})) == 1);
  const TestArray lines(described(f32, 1, 2, 0, 3, CUDA_ARRAY3D_LAYERED), ramp(6));
  const auto layered = texture(lines, sampler(linear, clamp));
  const Geometry layered_line = {1, false, true};
  CHECK(first(at(*layered, layered_line, {1}, 1)) == 2.5F);
  CHECK(first(at(*layered, layered_line, {1}, 9)) == 4.5F);  // the last one
}

TEST_CASE("normalised floats, halves, sRGB and channels that are not there") {
  const auto read = [](CUarray_format format, auto value, unsigned flags = 0) {
    const TestArray array(described(format, 1, 1), std::vector{value});
    return first(at(*texture(array, sampler(point, clamp, flags)), line, {0.5F}));
  };
  CHECK(read(CU_AD_FORMAT_UNSIGNED_INT8, std::uint8_t{51}) == 51.0F / 255);
  CHECK(read(CU_AD_FORMAT_SIGNED_INT8, std::int8_t{127}) == 1);
  CHECK(read(CU_AD_FORMAT_SIGNED_INT8, std::int8_t{-128}) == -1);
  CHECK(read(CU_AD_FORMAT_UNSIGNED_INT16, std::uint16_t{65535}) == 1);
  CHECK(read(CU_AD_FORMAT_SIGNED_INT16, std::int16_t{-32767}) == -1);
  CHECK(read(CU_AD_FORMAT_UNORM_INT8X1, std::uint8_t{255}) == 1);
  CHECK(read(CU_AD_FORMAT_HALF, std::uint16_t{0x3E00}) == 1.5F);
  CHECK(read(CU_AD_FORMAT_UNSIGNED_INT8, std::uint8_t{0}, CU_TRSF_SRGB) == 0);
  CHECK(read(CU_AD_FORMAT_UNSIGNED_INT8, std::uint8_t{255}, CU_TRSF_SRGB) == 1);
  // ((188 / 255 + 0.055) / 1.055) ^ 2.4, and below the straight part's end 10 / 255 / 12.92.
  CHECK(read(CU_AD_FORMAT_UNSIGNED_INT8, std::uint8_t{188}, CU_TRSF_SRGB) == doctest::Approx(0.502886).epsilon(1e-5));
  CHECK(read(CU_AD_FORMAT_UNSIGNED_INT8, std::uint8_t{10}, CU_TRSF_SRGB) == doctest::Approx(0.00303527).epsilon(1e-5));

  const TestArray pair(described(CU_AD_FORMAT_SIGNED_INT8, 2, 1), std::vector<std::int8_t>{-3, 5});
  const Texel as_integers = at(*texture(pair, sampler(point, clamp, CU_TRSF_READ_AS_INTEGER)), line, {0.5F});
  CHECK(as_integers == Texel{static_cast<std::uint32_t>(-3), 5, 0, 0});
  const TestArray wide(described(CU_AD_FORMAT_UNSIGNED_INT32, 1, 1), std::vector<std::uint32_t>{0xFFFFFFF0U});
  CHECK(at(*texture(wide, sampler(point, clamp)), line, {0.5F})[0] == 0xFFFFFFF0U);  // 32 bits are never promoted
}

TEST_CASE("integer coordinates: zeros outside, whatever the address mode") {
  const TestArray array(described(f32, 1, 3, 2), ramp(6, 1));
  const auto read = texture(array, sampler(point, clamp));
  CHECK(first(fetch(*read, plane, {2, 1, 0}, 0, 0)) == 6);
  CHECK(first(fetch(*read, plane, {3, 1, 0}, 0, 0)) == 0);
  CHECK(first(fetch(*read, plane, {0, -1, 0}, 0, 0)) == 0);
  CHECK(first(fetch(*read, plane, {0, 0, 0}, 0, 1)) == 0);  // no such level
}

TEST_CASE("linear memory is read by element numbers") {
  const std::uint64_t memory = AddressSpace::get().allocate(1024, Allocation::Kind::device, 0, {}, 512);
  const Values values = ramp(256);
  std::memcpy(reinterpret_cast<void*>(memory), values.data(), 1024);
  CUDA_RESOURCE_DESC resource = {};
  resource.resType = CU_RESOURCE_TYPE_LINEAR;
  resource.res.linear = {memory, f32, 1, 400};
  const auto read = make_texture(resource, sampler(linear, wrap, normalized), Owner{});  // all of it ignored
  CHECK(first(fetch(*read, line, {99, 0, 0}, 0, 0)) == 99);
  CHECK(first(fetch(*read, line, {100, 0, 0}, 0, 0)) == 0);
  CHECK(first(fetch(*read, line, {-1, 0, 0}, 0, 0)) == 0);
  CHECK(read->fault().empty());
  AddressSpace::get().release(memory);
  CHECK(read->fault() == "a texture object whose memory was freed");
}

TEST_CASE("pitched memory is a plane") {
  const std::uint64_t memory = AddressSpace::get().allocate(1024, Allocation::Kind::device, 0, {}, 512);
  const Values values = ramp(256);
  std::memcpy(reinterpret_cast<void*>(memory), values.data(), 1024);
  CUDA_RESOURCE_DESC resource = {};
  resource.resType = CU_RESOURCE_TYPE_PITCH2D;
  resource.res.pitch2D = {memory, f32, 1, 6, 4, 64};  // 16 elements from row to row
  const auto read = make_texture(resource, sampler(linear, clamp), Owner{});
  CHECK(first(at(*read, plane, {5.5F, 3.5F})) == 53);
  CHECK(first(at(*read, plane, {99, 3.5F})) == 53);
  CHECK(first(at(*read, plane, {1, 1})) == 8.5F);  // 0, 1, 16, 17
  AddressSpace::get().release(memory);
}

TEST_CASE("a gather gives its four elements from the lower left counter-clockwise") {
  std::vector<float> values;
  for (int i = 0; i < 16; ++i) values.insert(values.end(), {static_cast<float>(i), static_cast<float>(100 + i)});
  const TestArray array(described(f32, 2, 4, 4, 0, CUDA_ARRAY3D_TEXTURE_GATHER), values);
  const auto read = [&](unsigned channel, float x, float y) {
    Place place;
    place.at = {x, y};
    std::vector<float> four;
    for (const std::uint32_t bits : gather(*texture(array, sampler(point, clamp)), plane, place, channel))
      four.push_back(std::bit_cast<float>(bits));
    return four;
  };
  CHECK(read(0, 1, 1) == Values{4, 5, 1, 0});
  CHECK(read(1, 2, 3) == Values{113, 114, 110, 109});
  CHECK(read(0, 0.25F, 0.25F) == Values{0, 0, 0, 0});  // clamped at the corner
  CHECK(read(0, 3, 1) == Values{6, 7, 3, 2});
}

TEST_CASE("faces of a cube, and its edges and corners") {
  std::vector<float> faces(96);
  for (std::size_t i = 0; i < faces.size(); ++i) faces[i] = static_cast<float>(i / 16 + 1);
  const TestArray array(described(f32, 1, 4, 4, 6, CUDA_ARRAY3D_CUBEMAP), faces);
  const auto nearest = texture(array, sampler(point, clamp));
  const std::array<float, 3> directions[] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
  for (std::size_t i = 0; i < 6; ++i) CHECK(first(at(*nearest, cube, directions[i])) == static_cast<float>(i + 1));
  const auto seamless = texture(array, sampler(linear, clamp, CU_TRSF_SEAMLESS_CUBEMAP));
  CHECK(first(at(*seamless, cube, {1, 1, 0})) == 2);                   // +x and +y
  CHECK(first(at(*seamless, cube, {-1, 0, -1})) == 4);                 // -x and -z
  CHECK(first(at(*seamless, cube, {1, 1, 1})) == doctest::Approx(3));  // 1, 3 and 5
  CHECK(first(at(*texture(array, sampler(linear, clamp)), cube, {1, 1, 0})) == 3);

  // Where on a face: +z sees x to the right and y upwards; rows run downwards.
  std::vector<float> numbers(96);
  std::iota(numbers.begin(), numbers.end(), 0.0F);
  const TestArray numbered(described(f32, 1, 4, 4, 6, CUDA_ARRAY3D_CUBEMAP), numbers);
  const auto place = texture(numbered, sampler(point, clamp));
  CHECK(first(at(*place, cube, {-0.75F, 0.75F, 1})) == 4 * 16);
  CHECK(first(at(*place, cube, {0.75F, 0.75F, 1})) == 4 * 16 + 3);
  CHECK(first(at(*place, cube, {1, 0.75F, 0.75F})) == 0);         // +x: z to the left
  CHECK(first(at(*place, cube, {-0.75F, 1, -0.75F})) == 2 * 16);  // +y: z downwards
  // Across the edge of +x and +y, element by element: +x's top row, rightmost at -z, meets +y's right column.
  const auto smooth = texture(numbered, sampler(linear, clamp, CU_TRSF_SEAMLESS_CUBEMAP));
  CHECK(first(at(*smooth, cube, {1, 1, -0.75F})) == doctest::Approx((3 + (2 * 16 + 3)) / 2.0));
}

TEST_CASE("levels are chosen, mixed, biased and limited") {
  const auto levels = std::make_shared<MipmappedArray>(described(f32, 1, 8, 8), 3, Owner{});
  for (std::size_t i = 0; i < 3; ++i) {
    const Array& level = *levels->levels[i];
    fill(level, Values(level.texels().width * level.texels().height, 100 * static_cast<float>(i + 1)));
  }
  const CUmipmappedArray handle = add_mipmapped_array(levels);
  CUDA_RESOURCE_DESC resource = {};
  resource.resType = CU_RESOURCE_TYPE_MIPMAPPED_ARRAY;
  resource.res.mipmap.hMipmappedArray = handle;
  CUDA_TEXTURE_DESC descriptor = sampler(point, clamp, normalized);
  descriptor.maxMipmapLevelClamp = 10;
  Place middle;
  middle.at = {0.5F, 0.5F};
  const auto read = [&](float level) {
    return first(sample(*make_texture(resource, descriptor, Owner{}), plane, middle, level));
  };
  descriptor.mipmapFilterMode = linear;
  CHECK(read(0) == 100);
  CHECK(read(0.5F) == 150);
  CHECK(read(1.75F) == 275);
  CHECK(read(9) == 300);
  CHECK(read(-9) == 100);
  descriptor.mipmapLevelBias = 1;
  CHECK(read(0.25F) == 225);
  descriptor.mipmapLevelBias = 0;
  descriptor.mipmapFilterMode = point;
  CHECK(read(0.25F) == 100);
  CHECK(read(0.75F) == 200);
  descriptor.minMipmapLevelClamp = 1;
  CHECK(read(0) == 200);
  descriptor.minMipmapLevelClamp = 0;
  descriptor.maxMipmapLevelClamp = 1;
  CHECK(read(9) == 200);
  descriptor.maxMipmapLevelClamp = 10;
  const auto asked = make_texture(resource, descriptor, Owner{});
  CHECK(first(sample_base(*asked, plane, middle)) == 100);
  CHECK(first(fetch(*asked, plane, {1, 1, 0}, 0, 2)) == 300);
  CHECK(first(fetch(*asked, plane, {2, 1, 0}, 0, 2)) == 0);
  // Half the width is four elements: level 2. An eighth is one: level 0.
  CHECK(level_of_gradients(*asked, plane, middle, {0.5F, 0, 0}, {0, 0.125F, 0}) == 2);
  CHECK(level_of_gradients(*asked, plane, middle, {0.125F, 0, 0}, {0, 0, 0}) == 0);
  descriptor.flags = 0;
  CHECK(result_of([&] { make_texture(resource, descriptor, Owner{}); }) == CUDA_ERROR_INVALID_VALUE);
  destroy_mipmapped_array(handle);
  CHECK(asked->fault() == "a texture object whose 8 x 8 array was destroyed");
}

TEST_CASE("offsets count elements, before the address mode") {
  const TestArray array(described(f32, 1, 4), Values{10, 20, 30, 40});
  Place place;
  place.at = {1.5F};
  place.offset = {2};
  CHECK(first(sample_base(*texture(array, sampler(point, clamp)), line, place)) == 40);
  place.offset = {7};
  CHECK(first(sample_base(*texture(array, sampler(point, clamp)), line, place)) == 40);
  place.at = {0.375F};
  place.offset = {-2};
  CHECK(first(sample_base(*texture(array, sampler(point, wrap, normalized)), line, place)) == 40);
}

}  // namespace texture_sampling_test
