// Copies into and out of arrays on a device, in every direction.
#include "needs.hpp"
#include "texture_kernels.hpp"

#include <doctest/doctest.h>
#include <vector_types.h>
#include <kiln/kiln.hpp>

#include <array>
#include <vector>

namespace arrays_test {

using kiln::Array;
using kiln::ArrayBox;
using kiln::ArrayFlags;
using kiln::DeviceBuffer;
using kiln::DeviceRows;
using kiln::HostRows;
using kiln::MipmappedArray;
using kiln::test::ramp;

TEST_CASE("host memory goes into arrays of every shape and comes back") {
  struct Shape {
    std::size_t width, height, depth;
    ArrayFlags flags;
  };
  const Shape shapes[] = {{600, 0, 0, ArrayFlags::none},
                          {20, 30, 0, ArrayFlags::none},
                          {10, 6, 10, ArrayFlags::none},
                          {60, 0, 10, ArrayFlags::layered},
                          {10, 6, 10, ArrayFlags::layered},
                          {10, 10, 6, ArrayFlags::cubemap},
                          {5, 5, 24, ArrayFlags::cubemap | ArrayFlags::layered},
                          {20, 30, 0, ArrayFlags::surface_load_store | ArrayFlags::texture_gather}};
  for (const Shape& shape : shapes) {
    CAPTURE(shape.width);
    CAPTURE(shape.depth);
    const std::vector<float> values = ramp(600);
    Array array = Array::make<float>(shape.width, shape.height, shape.depth, shape.flags);
    array.copy_from(values);
    CHECK(array.to_host<float>() == values);
    const DeviceBuffer<float> doubled(ramp(600, 7));
    array.copy_from(doubled);
    DeviceBuffer<float> out(std::vector<float>(600));
    array.copy_to(out);
    CHECK(out.to_host() == ramp(600, 7));
  }
}

TEST_CASE("boxes and rows with a pitch") {
  Array array = Array::make<float>(8, 6, 4);
  array.copy_from(std::vector<float>(192, 0.0F));
  const std::vector<float> wide = ramp(200);
  const ArrayBox box = {2, 1, 1, 3, 2, 2};
  array.copy_from(HostRows<const float>{wide.data() + 1, 40, 5}, box);  // rows of 10, slices of 5 rows
  const std::vector<float> part = {1, 2, 3, 11, 12, 13, 51, 52, 53, 61, 62, 63};
  CHECK(array.to_host<float>(box) == part);
  float sum = 0;
  for (const float value : array.to_host<float>()) sum += value;
  CHECK(sum == 384);

  const DeviceBuffer<float> device(wide);
  Array other = Array::make<float>(8, 6, 4);
  other.copy_from(std::vector<float>(192, 0.0F));
  other.copy_from(DeviceRows<float>{device.data() + 1, 40, 5}, box);
  CHECK(other.to_host<float>() == array.to_host<float>());

  std::vector<float> back(200, -1.0F);
  other.copy_to(HostRows<float>{back.data(), 40, 5}, box);
  CHECK(back[12] == 13);
  CHECK(back[13] == -1);
  DeviceBuffer<float> target(std::vector<float>(200, -1.0F));
  other.copy_to(DeviceRows<float>{target.data(), 40, 5}, box);
  CHECK(target.to_host() == back);
}

TEST_CASE("arrays are copied to each other") {
  const Array source = kiln::array_from(ramp(64), 8, 8);
  Array whole = Array::make<float>(8, 8);
  whole.copy_from(source);
  CHECK(whole.to_host<float>() == ramp(64));
  Array volume = Array::make<float>(4, 4, 4);
  volume.copy_from(std::vector<float>(64, 0.0F));
  volume.copy_from(source, {1, 1, 2, 2, 2, 1}, {6, 6});
  CHECK(volume.to_host<float>({1, 1, 2, 2, 2, 1}) == std::vector<float>{54, 55, 62, 63});
  CHECK(volume.to_host<float>({0, 0, 1, 4, 4, 1}) == std::vector<float>(16, 0.0F));

  const auto levels = MipmappedArray::make<float>(8, 8, 0, 2);
  Array base = levels.level(0);
  base.copy_from(source);
  Array second = levels.level(1);
  second.copy_from(base, {}, {4, 4});
  CHECK(second.to_host<float>({0, 0, 0, 4, 1}) == std::vector<float>{36, 37, 38, 39});
}

TEST_CASE("elements of several channels") {
  const std::vector<uchar4> colours = {{1, 2, 3, 4}, {5, 6, 7, 8}, {9, 10, 11, 12}};
  Array array = Array::make<uchar4>(3);
  array.copy_from(colours);
  CHECK(array.to_host<unsigned char>() == std::vector<unsigned char>{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12});
  CHECK(array.to_host<uchar4>({2})[0].z == 11);
}

TEST_CASE("copies on a stream are done in its order") {
  const kiln::Stream stream = kiln::Stream::non_blocking();
  const std::vector<float> values = ramp(4096);
  std::vector<float> out(4096, -1.0F);
  Array first = Array::make<float>(64, 64);
  Array second = Array::make<float>(64, 64);
  DeviceBuffer<float> buffer(std::vector<float>(4096, -2.0F));
  Array third = Array::make<float>(64, 64);
  first.copy_from(values, stream);
  second.copy_from(first, stream);
  second.copy_to(buffer, stream);
  third.copy_from(buffer, stream);
  third.copy_to(out, stream);
  stream.synchronize();
  CHECK(out == values);
  std::vector<float> part(4, 0.0F);
  third.copy_to(part, {8, 1, 0, 4, 1}, stream);
  stream.synchronize();
  CHECK(part == std::vector<float>{72, 73, 74, 75});
}

TEST_CASE("an array of another device is used where it is, and copied from there" * kiln::test::needs_two_devices()) {
  const Array here = kiln::array_from(ramp(64), 8, 8);
  const kiln::Stream stream;
  kiln::Device(1).make_current();
  {
    CHECK(here.to_host<float>() == ramp(64));
    Array there = Array::make<float>(8, 8);
    CHECK(there.device() == 1);
    there.copy_from(here);
    CHECK(there.to_host<float>() == ramp(64));
    CHECK_THROWS_AS(there.copy_from(here, stream), kiln::ArgumentError);
    CHECK(kiln::test::read<float>("read_2d<float>", kiln::TextureObject(there), 64, 8, 8) == ramp(64));
  }
  kiln::Device(0).make_current();
}

}  // namespace arrays_test
