#include "each_call_fails.hpp"
#include "fake_cuda.hpp"
#include "on_new_thread.hpp"

#include <kiln/device.hpp>
#include <kiln/device_buffer.hpp>
#include <kiln/memset.hpp>
#include <kiln/stream.hpp>

#include <doctest/doctest.h>

#include <array>
#include <vector>

namespace memset_test {

using kiln::DeviceBuffer;

namespace {

template <class T>
std::vector<T> filled(T value) {
  DeviceBuffer<T> buffer(std::vector<T>(3));
  buffer.fill(value);
  return buffer.to_host();
}

struct Pixel {
  unsigned char r, g, b;
  bool operator==(const Pixel& other) const { return r == other.r && g == other.g && b == other.b; }
};

}  // namespace

TEST_CASE("values of 1, 2 and 4 bytes fill memory") {
  const DeviceBuffer<unsigned char> buffer(std::vector<unsigned char>(8, 0));
  SUBCASE("with no stream") {
    kiln::memset_d8(buffer, 0x11, 8);
    kiln::memset_d16(buffer, 0x3322, 3);
    kiln::memset_d32(buffer, 0x77665544, 1);
  }
  SUBCASE("in a stream") {
    const kiln::Stream stream;
    kiln::memset_d8_async(buffer, 0x11, 8, stream);
    kiln::memset_d16_async(buffer, 0x3322, 3, stream);
    kiln::memset_d32_async(buffer, 0x77665544, 1, stream);
  }
  CHECK(buffer.to_host() == std::vector<unsigned char>{0x44, 0x55, 0x66, 0x77, 0x22, 0x33, 0x11, 0x11});
}

TEST_CASE("rows are filled, and what is between them stays") {
  const DeviceBuffer<unsigned short> buffer(std::vector<unsigned short>(6, 9));
  SUBCASE("with no stream") {
    kiln::memset_d2d16(buffer, 6, 1, 2, 2);
    kiln::memset_d2d8(buffer, 6, 2, 2, 1);
    kiln::memset_d2d32(buffer.device_pointer(), 12, 0x00040003, 1, 1);
  }
  SUBCASE("in a stream") {
    const kiln::Stream stream;
    kiln::memset_d2d16_async(buffer, 6, 1, 2, 2, stream);
    kiln::memset_d2d8_async(buffer, 6, 2, 2, 1, stream);
    kiln::memset_d2d32_async(buffer.device_pointer(), 12, 0x00040003, 1, 1, stream);
  }
  CHECK(buffer.to_host() == std::vector<unsigned short>{3, 4, 9, 1, 1, 9});
}

TEST_CASE("fill sets elements of any size") {
  CHECK(filled<signed char>(-1) == std::vector<signed char>(3, -1));
  CHECK(filled<short>(-2) == std::vector<short>(3, -2));
  CHECK(filled(1.5F) == std::vector<float>(3, 1.5F));
  CHECK(filled(1.25) == std::vector<double>(3, 1.25));
  CHECK(filled(Pixel{1, 2, 3}) == std::vector<Pixel>(3, {1, 2, 3}));
  const std::array<float, 4> vector = {1, 2, 3, 4};
  CHECK(filled(vector) == std::vector<std::array<float, 4>>(3, vector));
  fake_cuda::reset();
  CHECK(filled(0.0) == std::vector<double>(3, 0.0));
  CHECK(fake_cuda::calls("cuMemsetD32") == 1);
  CHECK(fake_cuda::calls("cuMemsetD2D32") == 0);
}

TEST_CASE("fill in a stream, and of nothing") {
  const kiln::Stream stream;
  DeviceBuffer<double> buffer(2);
  buffer.fill(2.5, stream);
  CHECK(buffer.to_host() == std::vector<double>(2, 2.5));
  fake_cuda::reset();
  DeviceBuffer<double>(0).fill(1.5);
  DeviceBuffer<double>(0).fill(1.5, stream);
  CHECK(fake_cuda::calls().empty());
}

TEST_CASE("a fill is work of the memory's device, whichever is current") {
  on_new_thread([] {
    kiln::Device(1).make_current();
    DeviceBuffer<int> buffer(2);
    kiln::Device(0).make_current();
    fake_cuda::reset();
    buffer.fill(3);
    CHECK(fake_cuda::calls("cuCtxSetCurrent") == 2);
    CHECK(kiln::Device::current().ordinal() == 0);
    CHECK(buffer.to_host() == std::vector<int>{3, 3});
  });
}

TEST_CASE("null and rows that overlap are refused") {
  const kiln::Stream stream;
  const DeviceBuffer<int> buffer(8);
  fake_cuda::reset();
  CHECK_THROWS_AS(kiln::memset_d8(nullptr, 0, 1), kiln::ArgumentError);
  CHECK_THROWS_AS(kiln::memset_d32_async(nullptr, 0, 1, stream), kiln::ArgumentError);
  CHECK_THROWS_AS(kiln::memset_d2d16(nullptr, 4, 0, 1, 1), kiln::ArgumentError);
  CHECK_THROWS_AS(kiln::memset_d2d32(buffer, 8, 0, 3, 2), kiln::ArgumentError);
  CHECK_THROWS_AS(kiln::memset_d2d32_async(buffer, 8, 0, static_cast<std::size_t>(-1), 2, stream), kiln::ArgumentError);
  CHECK(fake_cuda::calls().empty());
}

TEST_CASE("each call of each fill fails in turn") {
  each_call_fails(
      [] {
        const kiln::Stream stream;
        DeviceBuffer<int> buffer(4);
        kiln::memset_d8(buffer, 0, 1);
        kiln::memset_d16(buffer, 0, 1);
        kiln::memset_d32(buffer, 0, 1);
        kiln::memset_d8_async(buffer, 0, 1, stream);
        kiln::memset_d16_async(buffer, 0, 1, stream);
        kiln::memset_d32_async(buffer, 0, 1, stream);
        kiln::memset_d2d8(buffer, 8, 0, 1, 2);
        kiln::memset_d2d16(buffer, 8, 0, 1, 2);
        kiln::memset_d2d32(buffer, 8, 0, 1, 2);
        kiln::memset_d2d8_async(buffer, 8, 0, 1, 2, stream);
        kiln::memset_d2d16_async(buffer, 8, 0, 1, 2, stream);
        kiln::memset_d2d32_async(buffer, 8, 0, 1, 2, stream);
      },
      {"cuMemFree", "cuStreamDestroy", "cuPointerGetAttribute"});
}

}  // namespace memset_test
