#include "each_call_fails.hpp"
#include "fake_arrays.hpp"
#include "fake_cuda.hpp"
#include "on_new_thread.hpp"
#include "refusal.hpp"

#include <kiln/array.hpp>
#include <kiln/array_from.hpp>
#include <kiln/device.hpp>
#include <kiln/device_buffer.hpp>
#include <kiln/pitched_buffer.hpp>
#include <kiln/stream.hpp>

#include <doctest/doctest.h>

#include <array>
#include <complex>
#include <numeric>
#include <set>
#include <string>
#include <vector>

namespace array_copy_test {

using kiln::Array;
using kiln::ArrayBox;
using kiln::ArrayFlags;
using kiln::DeviceBuffer;
using kiln::DeviceRows;
using kiln::HostRows;
using kiln::Order;

namespace {

struct Short2 {
  short x, y;
  friend bool operator==(const Short2& a, const Short2& b) { return a.x == b.x && a.y == b.y; }
};

std::vector<int> ramp(std::size_t size, int first = 0) {
  std::vector<int> values(size);
  std::iota(values.begin(), values.end(), first);
  return values;
}

// What destructors, the guards of contexts and the choice of a context ask, which they bear in silence.
const std::set<std::string> quiet = {
    "cuCtxGetCurrent",    "cuCtxSetCurrent",     "cuArrayDestroy", "cuMipmappedArrayDestroy",
    "cuTexObjectDestroy", "cuSurfObjectDestroy", "cuMemFree",      "cuPointerGetAttribute"};

}  // namespace

TEST_CASE("what goes into an array of any shape comes out") {
  const std::array<std::size_t, 3> shapes[] = {{24, 0, 0}, {6, 4, 0}, {2, 3, 4}};
  for (const auto& [width, height, depth] : shapes) {
    Array array = Array::make<int>(width, height, depth);
    array.copy_from(ramp(24));
    CHECK(array.to_host<int>() == ramp(24));
    std::array<int, 24> out = {};
    array.copy_to(out);
    CHECK(std::vector<int>(out.begin(), out.end()) == ramp(24));
  }
  Array layers = Array::make<int>(6, 0, 4, ArrayFlags::layered);
  layers.copy_from(ramp(24));
  CHECK(layers.to_host<int>() == ramp(24));
  CHECK(layers.to_host<int>({0, 0, 2, 0, 0, 1}) == std::vector<int>{12, 13, 14, 15, 16, 17});
}

TEST_CASE("elements of several channels are copied whole or channel by channel") {
  const std::vector<Short2> elements = {{1, 2}, {3, 4}, {5, 6}};
  Array array = Array::make<Short2>(3);
  array.copy_from(elements);
  CHECK(array.to_host<Short2>() == elements);
  CHECK(array.to_host<short>() == std::vector<short>{1, 2, 3, 4, 5, 6});
  array.copy_from(std::vector<short>{6, 5, 4, 3, 2, 1});
  CHECK(array.to_host<Short2>() == std::vector<Short2>{{6, 5}, {4, 3}, {2, 1}});
}

TEST_CASE("a box is copied, and nothing around it") {
  Array array = Array::make<int>(4, 3, 2);
  array.copy_from(std::vector<int>(24, 0));
  array.copy_from(ramp(4, 1), {1, 1, 1, 2, 2, 1});
  std::vector<int> expected(24, 0);
  expected[12 + 4 + 1] = 1;
  expected[12 + 4 + 2] = 2;
  expected[12 + 8 + 1] = 3;
  expected[12 + 8 + 2] = 4;
  CHECK(array.to_host<int>() == expected);
  CHECK(array.to_host<int>({2, 1, 1}) == std::vector<int>{2, 0, 4, 0});
}

TEST_CASE("rows with a pitch, of the host and of the device") {
  const std::vector<int> wide = ramp(40);  // 4 rows, 10 apart
  Array array = Array::make<int>(3, 4);
  array.copy_from(HostRows<const int>{wide.data(), 40});
  const std::vector<int> expected = {0, 1, 2, 10, 11, 12, 20, 21, 22, 30, 31, 32};
  CHECK(array.to_host<int>() == expected);
  std::vector<int> back(40, -1);
  array.copy_to(HostRows<int>{back.data() + 5, 40});
  CHECK(back[5] == 0);
  CHECK(back[15] == 10);
  CHECK(back[8] == -1);

  const DeviceBuffer<int> buffer(wide);
  Array second = Array::make<int>(3, 4);
  second.copy_from(DeviceRows<int>{buffer.data(), 40});
  CHECK(second.to_host<int>() == expected);
  DeviceBuffer<int> target(std::vector<int>(40, -1));
  second.copy_to(DeviceRows<int>{target.data(), 40});
  CHECK(target.to_host()[31] == 31);
  CHECK(target.to_host()[33] == -1);

  kiln::PitchedBuffer<int> plane(3, 4);
  plane.copy_from(expected);
  second.copy_from(std::vector<int>(12));
  second.copy_from(plane);
  CHECK(second.to_host<int>() == expected);
  second.copy_from(ramp(12));
  second.copy_to(plane);
  CHECK(plane.to_host() == ramp(12));

  Array slices = Array::make<int>(3, 2, 2);
  slices.copy_from(HostRows<const int>{wide.data(), 20, 3});  // rows of 5, slices of 3 rows
  CHECK(slices.to_host<int>() == std::vector<int>{0, 1, 2, 5, 6, 7, 15, 16, 17, 20, 21, 22});
  CHECK(contains(refusal([&] { slices.copy_from(HostRows<const int>{wide.data(), 4}); }), "pitch"));
  CHECK(contains(refusal([&] { slices.copy_from(HostRows<const int>{wide.data(), 20, 1}); }), "height"));
  CHECK(contains(refusal([&] { slices.copy_from(HostRows<const int>{nullptr, 20}); }), "null"));
}

TEST_CASE("device buffers and other arrays") {
  const DeviceBuffer<int> buffer(ramp(12));
  Array array = Array::make<int>(4, 3);
  array.copy_from(buffer);
  DeviceBuffer<int> target(12);
  array.copy_to(target);
  CHECK(target.to_host() == ramp(12));

  Array other = Array::make<int>(2, 2);
  other.copy_from(array, {}, {1, 1, 0, 2, 2, 0});
  CHECK(other.to_host<int>() == std::vector<int>{5, 6, 9, 10});
  CHECK(contains(refusal([&] { other.copy_from(array); }), "the source's box: expected 2 x 2 x 1, given 4 x 3 x 1"));
  CHECK(contains(refusal([&] { other.copy_from(Array::make<float>(2, 2)); }), "1 x float32"));
}

TEST_CASE("a copy on a stream is put into it") {
  const kiln::Stream stream;
  const std::vector<int> numbers = ramp(12);
  Array array = Array::make<int>(4, 3);
  Array other = Array::make<int>(4, 3);
  std::vector<int> out(12);
  fake_cuda::reset();
  array.copy_from(numbers, stream);
  other.copy_from(array, stream);
  other.copy_to(out, stream);
  other.copy_to(HostRows<int>{out.data()}, {}, stream);
  CHECK(fake_cuda::calls("cuMemcpy3DAsync") == 4);
  CHECK(fake_cuda::calls("cuMemcpy3D") == 0);
  for (const auto& arguments : fake_cuda::arguments("cuMemcpy3DAsync"))
    CHECK(arguments[3] == reinterpret_cast<unsigned long long>(stream.handle()));
  CHECK(out == numbers);
}

TEST_CASE("arrays of another device: copied in their own context, a foreign stream is refused") {
  Array here = Array::make<int>(4);
  here.copy_from(ramp(4));
  const kiln::Stream stream;
  on_new_thread([&] {
    kiln::Device(1).make_current();
    Array there = Array::make<int>(4);
    CHECK(here.to_host<int>() == ramp(4));
    fake_cuda::reset();
    there.copy_from(here);
    CHECK(fake_cuda::calls("cuMemcpy3DPeer") == 1);
    CHECK(there.to_host<int>() == ramp(4));
    CHECK(
        contains(refusal([&] { there.copy_from(here, stream); }), "Array: stream: expected one of the array's device"));
    CHECK(kiln::Device::current().ordinal() == 1);
  });
}

TEST_CASE("other elements, another number of them and boxes outside of the array are refused") {
  Array array = Array::make<int>(4, 3);
  fake_cuda::reset();
  CHECK(contains(refusal([&] { array.copy_from(std::vector<float>(12)); }),
                 "the type of the elements to copy: expected 1 x signed_int32, given 1 x float32"));
  CHECK(contains(refusal([&] { (void)array.to_host<unsigned>(); }), "1 x unsigned_int32"));
  CHECK(contains(refusal([&] { array.copy_from(std::vector<Short2>(12)); }), "2 x signed_int16"));
  CHECK(contains(refusal([&] { array.copy_from(ramp(11)); }), "the number of elements to copy: expected 12, given 11"));
  CHECK(contains(refusal([&] { array.copy_from(ramp(3), {0, 0, 0, 4, 1}); }), "expected 4, given 3"));
  CHECK(contains(refusal([&] { array.copy_from(ramp(4), {1, 0, 0, 4, 1}); }), "range in x: expected inside of 0 to 4"));
  CHECK(contains(refusal([&] { array.copy_from(ramp(4), {0, 3}); }), "range in y"));
  CHECK(contains(refusal([&] { array.copy_from(ramp(4), {0, 0, 1}); }), "range in z"));
  CHECK(contains(refusal([&] { (void)array.to_host<int>({0, 0, 0, static_cast<std::size_t>(-1)}); }), "range in x"));
  CHECK(fake_cuda::calls("cuMemcpy3D") == 0);
}

TEST_CASE("arrays are made from matrices and scalars in both orders") {
  const std::vector<int> numbers = ramp(6);
  const Array plain = kiln::array_from(numbers, 3, 2);
  CHECK(plain.descriptor().height == 2);
  CHECK(plain.to_host<int>() == numbers);
  CHECK(kiln::array_from(DeviceBuffer<int>(numbers), 6).to_host<int>() == numbers);
  CHECK(contains(refusal([&] { (void)kiln::array_from(numbers, 3, 3); }), "expected 9, given 6"));

  const Array c = kiln::matrix_to_array(numbers, {2, 3}, Order::C);
  CHECK(c.descriptor().width == 3);
  CHECK(c.descriptor().height == 2);
  const Array f = kiln::matrix_to_array(numbers, {2, 3}, Order::F);
  CHECK(f.descriptor().width == 2);
  CHECK(f.descriptor().height == 3);
  CHECK(f.to_host<int>() == numbers);
  CHECK(kiln::array_from(std::vector<double>(6), 6).descriptor().num_channels == 2);

  const std::vector<short> scalars = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
  const Array channels = kiln::make_multichannel_2d_array(scalars, {2, 3, 2}, Order::C);
  CHECK(channels.descriptor().width == 3);
  CHECK(channels.descriptor().height == 2);
  CHECK(channels.to_host<Short2>()[4] == Short2{9, 10});
  const Array fortran = kiln::make_multichannel_2d_array(scalars, {2, 3, 2}, Order::F);
  CHECK(fortran.descriptor().width == 3);
  CHECK(fortran.descriptor().height == 2);
  CHECK(fortran.descriptor().num_channels == 2);
  CHECK(fortran.to_host<Short2>() == channels.to_host<Short2>());
  const Array four = kiln::make_multichannel_2d_array(scalars, {4, 1, 3}, Order::F);
  CHECK(four.descriptor().num_channels == 4);
  CHECK(four.descriptor().height == 3);
  const auto said = [&](const std::array<std::size_t, 3>& shape) {
    return refusal([&] { (void)kiln::make_multichannel_2d_array(scalars, shape, Order::C); });
  };
  CHECK(contains(said({2, 2, 3}), "no elements of three channels: use 4"));
  CHECK(contains(said({2, 1, 6}), "channels: expected 1, 2 or 4, given 6"));
  CHECK(contains(said({2, 6, 0}), "given 0"));
  CHECK(contains(said({0, 6, 2}), "height: expected at least 1"));
  CHECK(contains(said({2, 4, 2}), "expected 16, given 12"));
}

TEST_CASE("asfortranarray puts the first index first") {
  const std::vector<int> numbers = ramp(6);
  CHECK(kiln::asfortranarray(numbers, {2, 3}) == std::vector<int>{0, 3, 1, 4, 2, 5});
  CHECK(kiln::asfortranarray(numbers, {6}) == numbers);
  CHECK(kiln::asfortranarray(ramp(12), {2, 3, 2}) == std::vector<int>{0, 6, 2, 8, 4, 10, 1, 7, 3, 9, 5, 11});
  CHECK(kiln::asfortranarray(std::vector<int>(), {0, 3}).empty());
  for (const std::size_t rows : {std::size_t{0}, std::size_t{1}, std::size_t{3}, std::size_t{4}, ~std::size_t{0}})
    CHECK_MESSAGE(contains(refusal([&] { (void)kiln::asfortranarray(numbers, {rows, 3}); }), "given 6"), rows);
  CHECK(contains(refusal([&] { (void)kiln::asfortranarray(std::vector<int>(), {1, 3}); }), "1 x 3 elements, given 0"));
}

TEST_CASE("every driver call of a copy failing in turn leaks nothing and is told") {
  each_call_fails([] { (void)kiln::array_from(ramp(8), 8); }, quiet);
  each_call_fails([] { (void)Array::make<int>(8).to_host<int>(); }, quiet);
  const kiln::Stream stream;
  const std::vector<int> numbers = ramp(8);
  each_call_fails(
      [&] {
        Array array = Array::make<int>(8);
        array.copy_from(numbers, stream);
        Array::make<int>(8).copy_from(array, stream);
      },
      quiet);
}

}  // namespace array_copy_test
