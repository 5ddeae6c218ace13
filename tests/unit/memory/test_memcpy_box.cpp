#include "each_call_fails.hpp"
#include "fake_cuda.hpp"
#include "on_new_thread.hpp"

#include <kiln/device.hpp>
#include <kiln/device_buffer.hpp>
#include <kiln/memcpy_2d.hpp>
#include <kiln/memcpy_3d.hpp>
#include <kiln/pitched_buffer.hpp>
#include <kiln/stream.hpp>

#include <doctest/doctest.h>

#include <numeric>
#include <string>
#include <vector>

namespace memcpy_box_test {

using kiln::DeviceBuffer;

namespace {

std::vector<char> ramp(std::size_t size) {
  std::vector<char> bytes(size);
  std::iota(bytes.begin(), bytes.end(), char{1});
  return bytes;
}

// 2 rows of 3 bytes, from the second row and column of 4 x 5 to the start of rows of 4.
kiln::Memcpy2D cut_out(const DeviceBuffer<char>& from, std::vector<char>& to) {
  kiln::Memcpy2D copy;
  copy.set_src_device(from);
  copy.src_x_in_bytes = 1;
  copy.src_y = 1;
  copy.src_pitch = 5;
  copy.set_dst_host(to.data());
  copy.dst_pitch = 4;
  copy.width_in_bytes = 3;
  copy.height = 2;
  return copy;
}

std::string refusal(const kiln::Memcpy2D& copy) {
  try {
    copy();
  } catch (const kiln::ArgumentError& error) {
    return error.what();
  }
  return "accepted";
}

}  // namespace

TEST_CASE("a rectangle is cut out by offsets and pitches") {
  const DeviceBuffer<char> matrix(ramp(20));
  std::vector<char> part(8, 0);
  const kiln::Memcpy2D copy = cut_out(matrix, part);
  SUBCASE("with the host waiting") { copy(); }
  SUBCASE("in a stream") {
    const kiln::Stream stream;
    fake_cuda::reset();
    copy(stream);
    CHECK(fake_cuda::arguments("cuMemcpy2DAsync").at(0).at(2) == reinterpret_cast<unsigned long long>(stream.handle()));
  }
  CHECK(part == std::vector<char>{7, 8, 9, 0, 12, 13, 14, 0});
}

TEST_CASE("a pitch of 0 is rows without a gap, and managed memory needs no kind") {
  const DeviceBuffer<char> device(6);
  const std::vector<char> host = ramp(6);
  kiln::Memcpy2D copy;
  copy.set_src_unified(host.data());
  copy.set_dst_device(device);
  copy.width_in_bytes = 3;
  copy.height = 2;
  copy();
  CHECK(device.to_host() == host);
}

TEST_CASE("a box is cut out, and put into the midst of another") {
  const DeviceBuffer<char> from(ramp(24));  // 2 x 3 x 4
  const DeviceBuffer<char> to(std::vector<char>(24, 0));
  kiln::Memcpy3D copy;
  copy.set_src_device(from);
  copy.src_x_in_bytes = 1;
  copy.src_y = 1;
  copy.src_pitch = 4;
  copy.src_height = 3;
  copy.set_dst_device(to);
  copy.dst_x_in_bytes = 2;
  copy.dst_pitch = 4;
  copy.dst_height = 3;
  copy.width_in_bytes = 2;
  copy.height = 2;
  copy.depth = 2;
  std::vector<char> expected(24, 0);
  for (std::size_t z = 0; z < 2; ++z)
    for (std::size_t y = 0; y < 2; ++y)
      for (std::size_t x = 0; x < 2; ++x)
        expected[z * 12 + y * 4 + 2 + x] = static_cast<char>(1 + z * 12 + (y + 1) * 4 + 1 + x);
  SUBCASE("with the host waiting") { copy(); }
  SUBCASE("in a stream") { copy(kiln::Stream()); }
  CHECK(to.to_host() == expected);
}

TEST_CASE("a box between devices names their contexts") {
  on_new_thread([] {
    kiln::Device(0).make_current();
    const DeviceBuffer<char> from(ramp(8));
    kiln::Device(1).make_current();
    const DeviceBuffer<char> to(8);
    kiln::Memcpy3DPeer copy;
    copy.set_src_device(from);
    copy.set_dst_device(to);
    copy.width_in_bytes = 2;
    copy.height = 2;
    copy.depth = 2;
    fake_cuda::reset();
    SUBCASE("with the host waiting") {
      copy();
      CHECK(fake_cuda::arguments("cuMemcpy3DPeer").at(0).at(4) != fake_cuda::arguments("cuMemcpy3DPeer").at(0).at(5));
    }
    SUBCASE("in a stream") {
      const kiln::Stream stream;
      copy(stream);
      CHECK(fake_cuda::calls("cuMemcpy3DPeerAsync") == 1);
    }
    CHECK(to.to_host() == ramp(8));
  });
}

TEST_CASE("a copy that makes no sense is refused before the driver is asked") {
  const DeviceBuffer<char> matrix(ramp(20));
  std::vector<char> part(8);
  kiln::Memcpy2D copy = cut_out(matrix, part);
  fake_cuda::reset();
  SUBCASE("a side that was not set") {
    kiln::Memcpy2D bare;
    bare.width_in_bytes = 1;
    CHECK(refusal(bare).find("the source is not set") != std::string::npos);
    bare.set_src_device(matrix);
    CHECK(refusal(bare).find("the target is not set") != std::string::npos);
  }
  SUBCASE("null") {
    copy.set_dst_host(nullptr);
    CHECK(refusal(copy).find("the target is a null pointer") != std::string::npos);
  }
  SUBCASE("rows that overlap") {
    copy.src_pitch = 3;
    CHECK(refusal(copy).find("less than the 4 bytes of a row") != std::string::npos);
  }
  SUBCASE("rows beyond memory") {
    copy.src_x_in_bytes = static_cast<std::size_t>(-1);
    CHECK(refusal(copy).find("more than can be addressed") != std::string::npos);
  }
  SUBCASE("rectangles that overlap") {
    kiln::Memcpy3D box;
    box.set_src_device(matrix);
    box.set_dst_host(part.data());
    box.width_in_bytes = 2;
    box.height = 3;
    box.src_height = 2;
    CHECK_THROWS_AS(box(), kiln::ArgumentError);
  }
  SUBCASE("nothing to copy is no error") {
    copy.height = 0;
    copy();
    kiln::Memcpy3D()();
  }
  CHECK(fake_cuda::calls().empty());
}

TEST_CASE("a pitched buffer keeps its rows apart") {
  std::vector<int> rows(6);
  std::iota(rows.begin(), rows.end(), 0);
  const std::size_t before = fake_cuda::live_allocations();
  {
    fake_cuda::reset();
    kiln::PitchedBuffer<int> matrix(3, 2);
    CHECK(fake_cuda::arguments("cuMemAllocPitch") == std::vector<std::vector<unsigned long long>>{{12, 2, 4}});
    CHECK(matrix.pitch() == 512);
    matrix.copy_from(rows);
    CHECK(matrix.to_host() == rows);
    const kiln::Stream stream;
    kiln::PitchedBuffer<int> moved(std::move(matrix));
    std::vector<int> back(6);
    moved.copy_from(rows, stream);
    moved.copy_to(back, stream);
    CHECK(back == rows);
    CHECK_THROWS_AS(moved.copy_from(std::vector<int>(5)), kiln::ArgumentError);
    CHECK_THROWS_AS(kiln::PitchedBuffer<int>(static_cast<std::size_t>(-1), 1), kiln::ArgumentError);
    CHECK_THROWS_AS(kiln::PitchedBuffer<int>(4, static_cast<std::size_t>(-1)), kiln::ArgumentError);
    CHECK(kiln::PitchedBuffer<int>(4, 0).to_host().empty());
  }
  CHECK(fake_cuda::live_allocations() == before);
}

TEST_CASE("each call of each copy of a box fails in turn") {
  const std::vector<int> rows(6);
  each_call_fails(
      [&] {
        const kiln::Stream stream;
        kiln::PitchedBuffer<int> matrix(3, 2);
        matrix.copy_from(rows);
        matrix.copy_from(rows, stream);
        kiln::Memcpy3DPeer box;
        box.set_src_host(rows.data());
        box.set_dst_device(matrix);
        box.width_in_bytes = 4;
        box();
        box(stream);
        static_cast<const kiln::Memcpy3D&>(box)();
        static_cast<const kiln::Memcpy3D&>(box)(stream);
      },
      {"cuMemFree", "cuStreamDestroy", "cuPointerGetAttribute"});
}

}  // namespace memcpy_box_test
