// Device memory on a device: copies in every direction, fills, the order of streams, graphs.
#include "memory_kernels.hpp"
#include "needs.hpp"
#include "raw_driver.hpp"

#include <doctest/doctest.h>
#include <kiln/kiln.hpp>

#include <array>
#include <cstring>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

namespace memory_test {

using kiln::DeviceBuffer;
using kiln::PinnedBuffer;
using kiln::Stream;
using kiln::test::driver_call;
using kiln::test::memory_kernels;

namespace {

constexpr int size = 1000;
const kiln::LaunchConfig whole{(size + 255) / 256, 256};

std::vector<int> ramp(int first, std::size_t count = size) {
  std::vector<int> values(count);
  std::iota(values.begin(), values.end(), first);
  return values;
}

kiln::LaunchConfig on(const Stream& stream, kiln::LaunchConfig config = whole) {
  config.stream = stream;
  return config;
}

template <class T>
void check_fill(const T& value, std::size_t count) {
  const Stream stream = Stream::non_blocking();
  T zero;
  std::memset(static_cast<void*>(&zero), 0, sizeof zero);
  const std::vector<T> expected(count, value);
  const auto same = [&](const std::vector<T>& values) {
    return std::memcmp(values.data(), expected.data(), count * sizeof(T)) == 0;
  };
  DeviceBuffer<T> buffer(std::vector<T>(count, zero));
  buffer.fill(value);
  CHECK(same(buffer.to_host()));
  buffer.fill(zero);
  kiln::Event filled;
  filled.record();
  stream.wait_for_event(filled);
  buffer.fill(value, stream);
  std::vector<T> back(count);
  buffer.copy_to(back, stream);
  stream.synchronize();
  CHECK(same(back));
}

/// What a stream records while it is captured, run by run().
class Graph {
 public:
  template <class Work>
  Graph(const Stream& stream, Work work) : stream_(stream) {
    driver_call<decltype(&::cuStreamBeginCapture)>("cuStreamBeginCapture_v2", stream_, CU_STREAM_CAPTURE_MODE_GLOBAL);
    work();
    driver_call<decltype(&::cuStreamEndCapture)>("cuStreamEndCapture", stream_, &graph_);
    driver_call<decltype(&::cuGraphInstantiateWithFlags)>("cuGraphInstantiateWithFlags", &executable_, graph_, 0ULL);
  }
  ~Graph() {
    driver_call<decltype(&::cuGraphExecDestroy)>("cuGraphExecDestroy", executable_);
    driver_call<decltype(&::cuGraphDestroy)>("cuGraphDestroy", graph_);
  }
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;
  void run() const {
    driver_call<decltype(&::cuGraphLaunch)>("cuGraphLaunch", executable_, stream_);
    driver_call<decltype(&::cuStreamSynchronize)>("cuStreamSynchronize", stream_);
  }

 private:
  CUstream stream_;
  CUgraph graph_ = nullptr;
  CUgraphExec executable_ = nullptr;
};

}  // namespace

TEST_CASE("memory: bools come back as a std::vector<bool>") {
  const std::array<bool, 5> flags = {true, false, true, true, false};
  const DeviceBuffer<bool> buffer(flags);
  CHECK(buffer.to_host() == std::vector<bool>(flags.begin(), flags.end()));
}

TEST_CASE("memory: buffers are copied whole and in parts, with the host waiting and in a stream") {
  const Stream stream = Stream::non_blocking();
  DeviceBuffer<int> a(ramp(1));
  DeviceBuffer<int> b(ramp(0));
  b.copy_from(a);
  CHECK(b.to_host() == ramp(1));
  const std::vector<int> part = {-1, -2, -3};
  b.write(10, part);
  std::vector<int> seen(5);
  b.read(9, seen);
  CHECK(seen == std::vector<int>{10, -1, -2, -3, 14});

  const std::vector<int> source = ramp(500);
  std::vector<int> back(size);
  a.copy_from(source, stream);
  memory_kernels().get_function("add")(on(stream), a, size, 3);
  b.copy_from(a, stream);
  b.write(0, part, stream);
  b.copy_to(back, stream);
  b.read(1, seen, stream);
  stream.synchronize();
  std::vector<int> expected = ramp(503);
  std::copy(part.begin(), part.end(), expected.begin());
  CHECK(back == expected);
  CHECK(seen == std::vector<int>{-2, -3, 506, 507, 508});
}

TEST_CASE("memory: PyCUDA's copy functions move bytes in every direction") {
  const Stream stream = Stream::non_blocking();
  const DeviceBuffer<int> a(ramp(0));
  const DeviceBuffer<int> b(ramp(0));
  const std::vector<int> source = ramp(7);
  std::vector<int> back(size);
  constexpr std::size_t bytes = size * sizeof(int);
  kiln::memcpy_htod(a, source);
  kiln::memcpy_dtod(b, a, bytes);
  kiln::memcpy_dtoh(back, b);
  CHECK(back == source);
  kiln::memcpy_htod_async(b, ramp(9).data(), 0, stream);  // nothing
  const std::vector<int> other = ramp(-7);
  kiln::memcpy_htod_async(a.device_pointer(), other, stream);
  kiln::memcpy_peer_async(b, a, bytes, stream);
  kiln::memcpy_dtoh_async(back.data(), b.data(), bytes, stream);
  stream.synchronize();
  CHECK(back == other);
  kiln::memcpy_peer(a.data() + 1, b.data(), bytes - sizeof(int));
  CHECK(a.to_host()[size - 1] == other[size - 2]);
  kiln::memcpy_dtod_async(a, b, bytes, stream);
  stream.synchronize();
  CHECK(a.to_host() == other);
}

TEST_CASE("memory: a copy without a stream comes after the work of blocking streams") {
  const Stream stream;
  DeviceBuffer<int> out(std::vector<int>{0});
  memory_kernels().get_function("late")(on(stream, {1, 1}), out, 42);
  CHECK(out.to_host().front() == 42);
  memory_kernels().get_function("late")(on(stream, {1, 1}), out, 43);
  out.copy_from(std::vector<int>{44});
  CHECK(out.to_host().front() == 44);
  memory_kernels().get_function("late")(on(stream, {1, 1}), out, 45);
  out.fill(46);
  CHECK(out.to_host().front() == 46);
}

TEST_CASE("memory: a copy and a fill name the address where there is no memory, or too little") {
  constexpr std::size_t many = std::size_t{1} << 24;  // of a size that no other allocation shares pages with
  const kiln::DeviceBuffer<int> buffer(many);
  std::vector<int> host(many + 1);
  const auto none = doctest::Contains("; the driver knows no device memory at 0x");
  const auto little = doctest::Contains("there are 67108864 bytes, of an allocation of 67108864");
  CHECK_THROWS_WITH_AS(kiln::memset_d32(buffer.device_pointer(), 0, many + 1), little, kiln::DriverError);
  CHECK_THROWS_WITH_AS(kiln::memcpy_dtoh(host, buffer.device_pointer()), little, kiln::DriverError);
  const CUdeviceptr freed = kiln::DeviceBuffer<int>(many).device_pointer();
  CHECK_THROWS_WITH_AS(kiln::memset_d32(freed, 0, many), none, kiln::DriverError);
  CHECK_THROWS_WITH_AS(kiln::memcpy_htod(freed, host.data(), 4), none, kiln::DriverError);
}

TEST_CASE("memory: values of 1, 2 and 4 bytes fill memory and rows") {
  const Stream stream = Stream::non_blocking();
  const DeviceBuffer<unsigned char> buffer(std::vector<unsigned char>(32, 0xff));
  kiln::memset_d8(buffer, 1, 32);
  kiln::memset_d16(buffer, 0x0302, 4);
  kiln::memset_d32(buffer, 0x07060504, 1);
  CHECK(buffer.to_host()[0] == 4);
  CHECK(buffer.to_host()[5] == 3);
  CHECK(buffer.to_host()[31] == 1);
  kiln::memset_d2d8(buffer, 8, 9, 2, 4);
  kiln::memset_d2d16(buffer.data() + 2, 8, 0x0b0a, 1, 4);
  kiln::memset_d2d32(buffer.data() + 4, 8, 0x0f0e0d0c, 1, 4);
  std::vector<unsigned char> row = {9, 9, 0x0a, 0x0b, 0x0c, 0x0d, 0x0e, 0x0f};
  std::vector<unsigned char> expected;
  for (int i = 0; i < 4; ++i) expected.insert(expected.end(), row.begin(), row.end());
  CHECK(buffer.to_host() == expected);
  kiln::memset_d8_async(buffer, 0, 32, stream);
  kiln::memset_d16_async(buffer, 0x0101, 8, stream);
  kiln::memset_d32_async(buffer, 0x02020202, 2, stream);
  kiln::memset_d2d8_async(buffer.data() + 16, 8, 3, 1, 2, stream);
  kiln::memset_d2d16_async(buffer.data() + 18, 8, 0x0404, 1, 2, stream);
  kiln::memset_d2d32_async(buffer.data() + 20, 8, 0x05050505, 1, 2, stream);
  stream.synchronize();
  CHECK(buffer.to_host() == std::vector<unsigned char>{2, 2, 2, 2, 2, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1,
                                                       3, 0, 4, 4, 5, 5, 5, 5, 3, 0, 4, 4, 5, 5, 5, 5});
}

TEST_CASE("memory: fill sets elements of any size") {
  check_fill<signed char>(-3, 1001);
  check_fill<short>(-300, 1001);
  check_fill(1.5F, 1001);
  check_fill(1.25, 1 << 20);
  check_fill(0.0, 1 << 20);
  check_fill(std::array<float, 4>{1, 2, 3, 4}, 100000);
  check_fill(std::array<unsigned char, 3>{1, 2, 3}, 1001);
  check_fill(std::array<unsigned short, 3>{1, 2, 3}, 1001);
}

TEST_CASE("memory: rectangles travel between pitched memory, the host and arrays") {
  constexpr std::size_t width = 37;
  constexpr std::size_t height = 11;
  kiln::PitchedBuffer<float> matrix(width, height);
  CHECK(matrix.pitch() >= width * sizeof(float));
  memory_kernels().get_function("set_rows")({static_cast<unsigned>(height), 64}, matrix,
                                            static_cast<unsigned long long>(matrix.pitch()), static_cast<int>(width),
                                            static_cast<int>(height));
  std::vector<float> expected(width * height);
  for (std::size_t y = 0; y < height; ++y)
    for (std::size_t x = 0; x < width; ++x) expected[y * width + x] = static_cast<float>(100 * y + x);
  CHECK(matrix.to_host() == expected);

  // The inner part goes to an array, and from there to the host, each with offsets.
  CUDA_ARRAY3D_DESCRIPTOR descriptor = {};
  descriptor.Width = 32;
  descriptor.Height = 8;
  descriptor.Format = CU_AD_FORMAT_FLOAT;
  descriptor.NumChannels = 1;
  CUarray array = nullptr;
  driver_call<decltype(&::cuArray3DCreate)>("cuArray3DCreate_v2", &array, &descriptor);
  const Stream stream = Stream::non_blocking();
  for (const bool in_stream : {false, true}) {
    CAPTURE(in_stream);
    kiln::Memcpy2D in;
    in.set_src_device(matrix);
    in.src_pitch = matrix.pitch();
    in.src_x_in_bytes = 5 * sizeof(float);
    in.src_y = 2;
    in.set_dst_array(array);
    in.dst_x_in_bytes = 4 * sizeof(float);
    in.dst_y = 1;
    in.width_in_bytes = 20 * sizeof(float);
    in.height = 6;
    std::vector<float> part(3 * 10, -1);
    kiln::Memcpy2D out;
    out.set_src_array(array);
    out.src_x_in_bytes = 6 * sizeof(float);
    out.src_y = 2;
    out.set_dst_host(part.data());
    out.dst_pitch = 10 * sizeof(float);
    out.dst_x_in_bytes = sizeof(float);
    out.width_in_bytes = 8 * sizeof(float);
    out.height = 3;
    if (in_stream) {
      in(stream);
      out(stream);
      stream.synchronize();
    } else {
      in();
      out();
    }
    for (std::size_t y = 0; y < 3; ++y)
      for (std::size_t x = 0; x < 10; ++x) {
        const bool copied = x >= 1 && x < 9;
        // matrix column 5 is array column 4: array column 6 + (x - 1) is matrix column 7 + (x - 1); rows likewise.
        REQUIRE(part[y * 10 + x] == (copied ? static_cast<float>(100 * (y + 3) + x + 6) : -1));
      }
  }
  driver_call<decltype(&::cuArrayDestroy)>("cuArrayDestroy", array);
}

TEST_CASE("memory: a copy from host memory is done when it returns, for work of a non-blocking stream, too") {
  constexpr int side = 1024, count = side * side, tail = 32;
  const std::vector<int> host(count, 1);
  DeviceBuffer<int> values(std::vector<int>(count, 0)), out(1);
  const kiln::Function sum = memory_kernels().get_function("sum");
  const Stream stream = Stream::non_blocking();
  // Of what is copied last.
  const auto sum_in = [&](const DeviceBuffer<int>& buffer) {
    out.fill(0, stream);
    sum(on(stream, {1, tail}), buffer.data() + (count - tail), tail, out);
    std::vector<int> total(1);
    out.copy_to(total, stream);
    stream.synchronize();
    return total.front();
  };
  const auto sum_after = [&](auto copy) {
    copy.set_src_host(host.data());
    copy.set_dst_device(values);
    copy.src_pitch = copy.dst_pitch = copy.width_in_bytes = side * sizeof(int);
    copy.height = side;
    copy();
    return sum_in(values);
  };
  REQUIRE(sum_in(values) == 0);
  SUBCASE("memcpy_htod") {
    kiln::memcpy_htod(values.device_pointer(), host);
    CHECK(sum_in(values) == tail);
  }
  SUBCASE("a buffer's construction") { CHECK(sum_in(DeviceBuffer<int>(host)) == tail); }
  SUBCASE("Memcpy2D") { CHECK(sum_after(kiln::Memcpy2D()) == tail); }
  SUBCASE("Memcpy3D") { CHECK(sum_after(kiln::Memcpy3D()) == tail); }
  SUBCASE("Memcpy3DPeer") { CHECK(sum_after(kiln::Memcpy3DPeer()) == tail); }
}

TEST_CASE("memory: boxes travel with offsets, pitches and heights") {
  const std::vector<int> source = ramp(0, 4 * 5 * 6);  // depth 4, height 5, width 6
  const Stream stream = Stream::non_blocking();
  const DeviceBuffer<int> device(source);
  for (const int how : {0, 1, 2, 3}) {
    CAPTURE(how);
    const DeviceBuffer<int> target(std::vector<int>(3 * 4 * 8, -1));
    kiln::Memcpy3DPeer box;
    if (how % 2 == 0) {
      box.set_src_device(device);
    } else {
      box.set_src_host(source.data());
    }
    box.src_pitch = 6 * sizeof(int);
    box.src_height = 5;
    box.src_x_in_bytes = 2 * sizeof(int);
    box.src_y = 1;
    box.src_z = 1;
    box.set_dst_device(target);
    box.dst_pitch = 8 * sizeof(int);
    box.dst_height = 4;
    box.dst_x_in_bytes = sizeof(int);
    box.dst_y = 1;
    box.dst_z = 1;
    box.width_in_bytes = 3 * sizeof(int);
    box.height = 2;
    box.depth = 2;
    const kiln::Memcpy3D& plain = box;
    if (how == 0) plain();
    if (how == 1) plain(stream);
    if (how == 2) box();
    if (how == 3) box(stream);
    stream.synchronize();
    const std::vector<int> result = target.to_host();
    for (int z = 0; z < 3; ++z)
      for (int y = 0; y < 4; ++y)
        for (int x = 0; x < 8; ++x) {
          const bool copied = z >= 1 && y >= 1 && y < 3 && x >= 1 && x < 4;
          const int expected = copied ? (z - 1 + 1) * 30 + (y - 1 + 1) * 6 + x - 1 + 2 : -1;
          REQUIRE(result[static_cast<std::size_t>((z * 4 + y) * 8 + x)] == expected);
        }
  }
}

TEST_CASE("memory: kernels use page-locked, registered and managed memory in place") {
  const kiln::Function add = memory_kernels().get_function("add");
  const Stream stream = Stream::non_blocking();
  SUBCASE("page-locked") {
    PinnedBuffer<int> pinned(size);
    std::iota(pinned.begin(), pinned.end(), 0);
    add(on(stream), pinned, size, 5);
    memory_kernels().get_function<void(int*, int, int)>("add")(on(stream), pinned, size, 5);
    stream.synchronize();
    CHECK(std::vector<int>(pinned.begin(), pinned.end()) == ramp(10));
    kiln::PinnedFlags flags;
    flags.write_combined = true;
    PinnedBuffer<int> combined(size, flags);
    std::copy(pinned.begin(), pinned.end(), combined.begin());
    DeviceBuffer<int> device(size);
    device.copy_from(combined, stream);
    device.copy_to(pinned, stream);
    stream.synchronize();
    CHECK(std::vector<int>(pinned.begin(), pinned.end()) == ramp(10));
  }
  SUBCASE("registered") {
    std::vector<int> own = ramp(0);
    {
      const kiln::HostRegistration registration(own);
      REQUIRE(registration.device_pointer() != 0);
      add(on(stream), registration.device_pointer(), size, 2);
      stream.synchronize();
      CHECK_THROWS_AS(kiln::HostRegistration{own}, kiln::DriverError);
    }
    const kiln::HostRegistration again(own);
    CHECK(own == ramp(2));
  }
  SUBCASE("managed") {
    kiln::ManagedBuffer<int> managed(size);
    std::iota(managed.begin(), managed.end(), 0);
    add(on(stream), managed, size, 1);
    stream.synchronize();
    CHECK(managed[size - 1] == size);
    if (kiln::Device::current().attribute(CU_DEVICE_ATTRIBUTE_CONCURRENT_MANAGED_ACCESS) != 0) {
      managed.advise(kiln::MemAdvice::set_preferred_location, kiln::Device::current());
      managed.prefetch(kiln::Device::current(), stream);
      add(on(stream), managed, size, 1);
      managed.prefetch(kiln::host_place, stream);
      stream.synchronize();
      CHECK(std::vector<int>(managed.begin(), managed.end()) == ramp(2));
    }
  }
}

TEST_CASE("memory: buffers of a stream are reused without waiting, and each kernel sees its own") {
  constexpr int rounds = 200;
  const kiln::Function set = memory_kernels().get_function("set");
  const kiln::Function sum = memory_kernels().get_function("sum");
  std::optional<Stream> stream(Stream::non_blocking());
  DeviceBuffer<int> sums(std::vector<int>(rounds, 0));
  const kiln::LaunchConfig launch = on(*stream);
  const kiln::LaunchConfig one_block = on(*stream, {1, 256});
  for (int i = 0; i < rounds; ++i) {
    const DeviceBuffer<int> first = DeviceBuffer<int>::on_stream(size, *stream);
    const DeviceBuffer<int> second = DeviceBuffer<int>::on_stream(size, *stream);
    set(launch, first, size, i);
    kiln::memcpy_dtod_async(second, first, size * sizeof(int), *stream);
    sum(one_block, second, size, sums.data() + i);
  }
  stream->synchronize();
  const std::vector<int> result = sums.to_host();
  for (int i = 0; i < rounds; ++i) REQUIRE(result[static_cast<std::size_t>(i)] == size * i + size * (size - 1) / 2);

  // The stream's owner goes first; copies of the buffer itself are in its order.
  DeviceBuffer<int> last = DeviceBuffer<int>::on_stream(size, *stream);
  set(launch, last, size, 7);
  stream.reset();
  CHECK(last.to_host() == ramp(7));
  last.fill(3);
  CHECK(last.to_host() == std::vector<int>(size, 3));
  DeviceBuffer<int> on_default = DeviceBuffer<int>::on_stream(size, nullptr);
  on_default.copy_from(ramp(1));
  CHECK(on_default.to_host() == ramp(1));
}

TEST_CASE("memory: what is asynchronous can be captured into a graph") {
  const Stream stream = Stream::non_blocking();
  PinnedBuffer<int> source(size);
  PinnedBuffer<int> target(size);
  std::iota(source.begin(), source.end(), 0);
  DeviceBuffer<int> buffer(std::vector<int>(size, -1));
  const kiln::Function add = memory_kernels().get_function("add");
  add(on(stream), buffer, size, 0);  // loaded before the capture
  stream.synchronize();
  const Graph graph(stream, [&] {
    buffer.fill(9, stream);
    buffer.copy_from(source, stream);
    DeviceBuffer<int> inner = DeviceBuffer<int>::on_stream(size, stream);
    inner.copy_from(buffer, stream);
    add(on(stream), inner, size, 4);
    kiln::Memcpy2D copy;
    copy.set_src_device(inner);
    copy.set_dst_host(target.data());
    copy.width_in_bytes = size * sizeof(int);
    copy(stream);
  });
  graph.run();
  CHECK(std::vector<int>(target.begin(), target.end()) == ramp(4));
  std::iota(source.begin(), source.end(), 100);
  graph.run();
  CHECK(std::vector<int>(target.begin(), target.end()) == ramp(104));
}

TEST_CASE("memory: what a device has left, priorities and events without timing") {
  const kiln::MemoryInfo before = kiln::mem_get_info();
  CHECK(before.free <= before.total);
  const DeviceBuffer<char> large(std::size_t{256} << 20);
  CHECK(kiln::mem_get_info().free < before.free);

  const auto [least, greatest] = Stream::priority_range();
  CHECK(greatest <= least);
  const Stream urgent = Stream::non_blocking_with_priority(greatest);
  int priority = 1;
  driver_call<decltype(&::cuStreamGetPriority)>("cuStreamGetPriority", urgent.handle(), &priority);
  CHECK(priority == greatest);

  kiln::EventFlags flags;
  flags.timing = false;
  flags.blocking_sync = true;
  kiln::Event event(flags);
  DeviceBuffer<int> out(std::vector<int>{0});
  memory_kernels().get_function("late")(on(urgent, {1, 1}), out, 1);
  event.record(urgent).synchronize();
  CHECK(urgent.is_done());
  CHECK_THROWS_WITH_AS((void)event.time_since(event), doctest::Contains("both events must have been recorded"),
                       kiln::DriverError);
}

TEST_CASE("memory: between two devices, whichever is current" * kiln::test::needs_two_devices()) {
  const std::vector<int> values = ramp(3);
  constexpr std::size_t bytes = size * sizeof(int);
  kiln::Device(1).make_current();
  const Stream far_stream = Stream::non_blocking();
  DeviceBuffer<int> far(std::vector<int>(size, 0));
  DeviceBuffer<int> far_pool = DeviceBuffer<int>::on_stream(size, far_stream);
  kiln::Device(0).make_current();
  const DeviceBuffer<int> near(values);
  far.copy_from(near);
  CHECK(far.to_host() == values);
  far.fill(4);
  CHECK(far.to_host() == std::vector<int>(size, 4));
  kiln::memcpy_peer(far, near, bytes);
  CHECK(far.to_host() == values);
  far.fill(5, far_stream);
  kiln::memcpy_peer_async(far_pool, near, bytes, far_stream);
  far.copy_from(near, far_stream);
  memory_kernels().get_function("add")(on(far_stream), far, size, 1);
  far_stream.synchronize();
  CHECK(far.to_host() == ramp(4));
  CHECK(far_pool.to_host() == values);
  kiln::Memcpy3DPeer box;
  box.set_src_device(near);
  box.set_dst_device(far);
  box.width_in_bytes = bytes;
  box();
  CHECK(far.to_host() == values);
  CHECK(kiln::Device::current().ordinal() == 0);
}

}  // namespace memory_test
