// Calls of prepared functions.
#include "fake_cuda.hpp"
#include "fake_kernels.hpp"
#include "host_float_environment.hpp"
#include "launch/prepared_plan.hpp"

#include <kiln/device_buffer.hpp>
#include <kiln/error.hpp>
#include <kiln/function.hpp>
#include <kiln/stream.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <cstring>
#include <limits>
#include <thread>
#include <utility>

namespace prepared_test {

using kiln::ArgumentError;
using kiln::Dim3;

namespace {

template <class T>
std::string bytes_of(const T& value) {
  return {reinterpret_cast<const char*>(&value), sizeof value};
}

template <class T>
T last(std::size_t parameter) {
  const std::string bytes = fake_cuda::launches().back().parameters.at(parameter);
  T value;
  REQUIRE(bytes.size() == sizeof value);
  std::memcpy(&value, bytes.data(), sizeof value);
  return value;
}

/// A kernel of one parameter, and what it gets.
class One {
 public:
  One(const std::string& type, const char* code) {
    const std::string ptx =
        ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry one(.param " + type + ") { ret; }\n";
    kiln::KernelInfo info = kiln::read_ptx(ptx.c_str()).kernels.at(0);
    info.shared_bytes = 0;
    const auto load = [this, ptx](int) {
      CUkernel kernel = nullptr;
      const kiln::Driver& driver = kiln::Driver::get();
      kiln::check_driver(driver.library_load_data(&library_, ptx.c_str(), nullptr, nullptr, 0, nullptr, nullptr, 0),
                         "");
      kiln::check_driver(driver.library_get_kernel(&kernel, library_, "one"), "");
      return kernel;
    };
    const kiln::Function one(kiln::passkey, std::make_shared<kiln::Kernel>(std::move(info), true, fake_code(load)));
    prepared_.emplace_back(one.prepare(std::vector<std::string>{code}));
  }
  ~One() {
    if (library_ != nullptr) (void)kiln::Driver::get().library_unload(library_);
  }

  template <class Value>
  std::string pass(const Value& value) const {
    prepared_[0]({1, 1}, value);
    return fake_cuda::launches().back().parameters.at(0);
  }
  template <class Value>
  ArgumentError refuse(const Value& value) const {
    const std::size_t before = fake_cuda::launches().size();
    try {
      prepared_[0]({1, 1}, value);
    } catch (const ArgumentError& error) {
      CHECK(fake_cuda::launches().size() == before);
      CHECK(error.kernel() == "one");
      CHECK(error.index() == 0);
      return error;
    }
    FAIL("the argument was accepted");
    throw;
  }

 private:
  CUlibrary library_ = nullptr;
  std::vector<kiln::PreparedFunction> prepared_;
};

enum class Small : signed char { minus = -2, plus = 100 };

}  // namespace

TEST_CASE("integers are converted within the range of the code") {
  const One b(".u8 p", "b"), B(".u8 p", "B"), h(".u16 p", "h"), H(".u16 p", "H"), i(".u32 p", "i"), I(".u32 p", "I"),
      q(".u64 p", "q"), Q(".u64 p", "Q");
  CHECK(b.pass(-128) == bytes_of(std::int8_t{-128}));
  CHECK(b.pass(127ULL) == bytes_of(std::int8_t{127}));
  CHECK(b.pass(Small::minus) == bytes_of(std::int8_t{-2}));
  CHECK(b.refuse(128).expected() == "code b (signed char, 1 byte) from -128 to 127");
  CHECK(b.refuse(-129).given() == "-129, int (integer, 4 bytes)");
  CHECK(B.pass(255) == bytes_of(std::uint8_t{255}));
  CHECK(B.pass(true) == bytes_of(std::uint8_t{1}));
  CHECK(B.refuse(300).given() == "300, int (integer, 4 bytes)");
  CHECK(B.refuse(300).expected() == "code B (unsigned char, 1 byte) from 0 to 255");
  (void)B.refuse(-1);
  (void)B.refuse(Small::minus);
  CHECK(h.pass(-32768LL) == bytes_of(std::int16_t{-32768}));
  (void)h.refuse(32768u);
  CHECK(H.pass(65535) == bytes_of(std::uint16_t{65535}));
  (void)H.refuse(65536);
  CHECK(i.pass(-2147483647LL - 1) == bytes_of(std::int32_t{-2147483647 - 1}));
  CHECK(i.pass(short{-5}) == bytes_of(-5));
  (void)i.refuse(2147483648u);
  (void)i.refuse(-2147483649LL);
  CHECK(I.pass(4294967295LL) == bytes_of(4294967295u));
  (void)I.refuse(-1);
  (void)I.refuse(4294967296LL);
  CHECK(q.pass(-7) == bytes_of(-7LL));
  CHECK(q.pass(std::numeric_limits<long long>::min()) == bytes_of(std::numeric_limits<long long>::min()));
  (void)q.refuse(std::numeric_limits<std::uint64_t>::max());
  CHECK(Q.pass(std::numeric_limits<std::uint64_t>::max()) == std::string(8, '\xff'));
  (void)Q.refuse(-1LL);
  CHECK(contains(i.refuse(1.0).what(), "no floating value becomes an integer"));
  (void)i.refuse(static_cast<int*>(nullptr));
  (void)i.refuse(std::array<char, 4>{});
}

TEST_CASE("bool and char") {
  const One flag(".u8 p", "?"), character(".u8 p", "c"), byte(".u8 p", "s");
  CHECK(flag.pass(true) == "\x01");
  CHECK(flag.pass(0) == std::string(1, '\0'));
  (void)flag.refuse(2);
  (void)flag.refuse(1.0);
  CHECK(character.pass('k') == "k");
  CHECK(character.pass(static_cast<unsigned char>(200)) == "\xc8");
  CHECK(character.pass(int{'k'}) == "k");
  (void)character.refuse(256);
  (void)character.refuse(0.5f);
  CHECK(byte.pass('k') == "k");
  (void)byte.refuse(int{'k'});
}

TEST_CASE("numbers are converted to floating codes that can hold them") {
  const One f(".f32 p", "f"), d(".f64 p", "d");
  const double infinity = std::numeric_limits<double>::infinity();
  CHECK(f.pass(0.1) == bytes_of(0.1f));
  CHECK(f.pass(7) == bytes_of(7.0f));
  CHECK(f.pass(-7LL) == bytes_of(-7.0f));
  CHECK(f.pass(std::numeric_limits<std::uint64_t>::max()) == bytes_of(18446744073709551616.0f));
  CHECK(f.pass(2.5L) == bytes_of(2.5f));
  CHECK(f.pass(-infinity) == bytes_of(-std::numeric_limits<float>::infinity()));
  float nan = 0;
  std::memcpy(&nan, f.pass(std::nan("")).data(), sizeof nan);
  CHECK(std::isnan(nan));
  CHECK(f.refuse(1e39).given() == "1e+39, double (floating, 8 bytes)");
  CHECK(f.refuse(-1e39).expected() == "a number that code f (float, 4 bytes) can hold");
  (void)f.refuse(static_cast<float*>(nullptr));
  (void)f.refuse(std::array<char, 4>{});
  CHECK(d.pass(0.1f) == bytes_of(static_cast<double>(0.1f)));
  CHECK(d.pass(3u) == bytes_of(3.0));
  (void)d.refuse(std::numeric_limits<long double>::max());
}

TEST_CASE("numbers are rounded to half and bfloat16, and values of two bytes are taken as they are") {
  const One e(".align 2 .b8 p[2]", "e"), bfloat(".align 2 .b8 p[2]", "bfloat16");
  const auto bits = [](const std::string& bytes) {
    std::uint16_t value = 0;
    std::memcpy(&value, bytes.data(), sizeof value);
    return value;
  };
  CHECK(bits(e.pass(1.0f)) == 0x3c00);
  CHECK(bits(e.pass(-2)) == 0xc000);
  CHECK(bits(e.pass(65504.0)) == 0x7bff);
  CHECK(bits(e.pass(65519.9)) == 0x7bff);
  (void)e.refuse(65520.0);
  (void)e.refuse(-1e10);
  CHECK(bits(e.pass(std::ldexp(1.0, -24))) == 0x0001);  // the smallest
  CHECK(bits(e.pass(std::ldexp(1.0, -25))) == 0x0000);  // half of it, to even
  CHECK(bits(e.pass(std::ldexp(1.5, -25))) == 0x0001);
  CHECK(bits(e.pass(std::ldexp(1023.75, -24))) == 0x0400);  // up to the smallest normal number
  CHECK(bits(e.pass(1 + std::ldexp(1.0, -11))) == 0x3c00);  // ties to even
  CHECK(bits(e.pass(1 + std::ldexp(3.0, -11))) == 0x3c02);
  CHECK(bits(e.pass(-0.0)) == 0x8000);
  CHECK(bits(e.pass(std::numeric_limits<float>::infinity())) == 0x7c00);
  CHECK(bits(e.pass(std::nan(""))) == 0x7e00);
  CHECK(bits(e.pass(std::array<unsigned char, 2>{0x34, 0x12})) == 0x1234);
  (void)e.refuse(std::array<char, 3>{});
  CHECK(bits(bfloat.pass(1.0)) == 0x3f80);
  CHECK(bits(bfloat.pass(3.0e38)) == 0x7f62);
  CHECK(bits(bfloat.pass(1e-40)) == 0x0001);
  (void)bfloat.refuse(3.4e38);
  CHECK(bits(bfloat.pass(std::nan(""))) == 0x7fc0);
}

TEST_CASE("they are rounded to nearest in every floating-point environment of the program") {
  const One e(".align 2 .b8 p[2]", "e"), bfloat(".align 2 .b8 p[2]", "bfloat16");
  for (const std::string& name : kiln::test::HostFloatEnvironment::names()) {
    CAPTURE(name);
    std::string half, least, negative, wide;
    {
      const kiln::test::HostFloatEnvironment host(name);
      half = e.pass(0x1.005p0);
      least = e.pass(0x1.8p-25F);
      negative = e.pass(-0x1.005p0);
      wide = bfloat.pass(1e-40F);
    }
    CHECK(half == std::string("\x01\x3c", 2));
    CHECK(least == std::string("\x01\x00", 2));
    CHECK(negative == std::string("\x01\xbc", 2));
    CHECK(wide == std::string("\x01\x00", 2));
  }
}

TEST_CASE("pointers are anything that stands for device memory, and nothing else") {
  const One P(".u64 p", "P"), Q(".u64 p", "Q");
  const kiln::DeviceBuffer<int> buffer(3);
  CHECK(P.pass(buffer) == bytes_of(buffer.device_pointer()));
  CHECK(P.pass(buffer.data()) == bytes_of(buffer.device_pointer()));
  CHECK(P.pass(buffer.device_pointer()) == bytes_of(buffer.device_pointer()));
  CHECK(P.pass(nullptr) == std::string(8, '\0'));
  CHECK(contains(P.refuse(5L).what(), "CUdeviceptr (unsigned long long)"));
  (void)P.refuse(0);
  (void)P.refuse(1.0);
  CHECK(contains(P.refuse(std::array<char, 8>{}).what(), "kiln::DevicePointer"));
  CHECK(Q.pass(buffer.device_pointer()) == bytes_of(buffer.device_pointer()));
  (void)Q.refuse(buffer);
}

TEST_CASE("vectors, complex numbers and bytes arrive by value") {
  const One complex(".align 8 .b8 p[8]", "F"), doubles(".align 16 .b8 p[16]", "D"),
      vector(".align 16 .b8 p[16]", "float4"), bytes(".align 4 .b8 p[12]", "12s");
  CHECK(complex.pass(std::complex<float>(1, 2)) == bytes_of(std::array<float, 2>{1, 2}));
  CHECK(doubles.pass(std::complex<double>(1, 2)) == bytes_of(std::array<double, 2>{1, 2}));
  CHECK(vector.pass(std::array<float, 4>{1, 2, 3, 4}) == bytes_of(std::array<float, 4>{1, 2, 3, 4}));
  CHECK(bytes.pass(std::array<char, 12>{"hello"}) == std::string("hello\0\0\0\0\0\0\0", 12));
  (void)complex.refuse(1.0);
  (void)complex.refuse(std::complex<double>(1, 2));
  (void)vector.refuse(std::array<float, 3>{});
  (void)bytes.refuse(std::array<char, 13>{});
}

TEST_CASE("wrong counts are refused with the codes") {
  FakeModule module;
  const kiln::PreparedFunction scale = module.function("_Z5scalePfif").prepare("Pif", 64);
  const auto error_of = [&](const auto&... args) -> ArgumentError {
    try {
      scale.prepared_call(1, args...);
    } catch (const ArgumentError& error) {
      return error;
    }
    FAIL("accepted");
    throw;
  };
  const ArgumentError few = error_of(nullptr, 1);
  CHECK(few.expected() == "3 arguments");
  CHECK(few.given() == "2 arguments");
  CHECK(contains(few.what(), "code P (pointer, 8 bytes), code i (int, 4 bytes), code f (float, 4 bytes)"));
  CHECK(contains(error_of(64, nullptr, 1, 2.0f).what(), "a block is a kiln::Dim3"));
  CHECK(contains(error_of(Dim3{64}, nullptr, 1, 2.0f).what(), "the block was given to prepare()"));
  const ArgumentError third = error_of(nullptr, 1, nullptr);
  CHECK(third.index() == 2);
  CHECK(third.expected() == "code f (float, 4 bytes)");
}

TEST_CASE("the block is the prepared one, the configuration's or the second argument") {
  FakeModule module;
  const kiln::Stream stream;
  const kiln::Function empty = module.function("empty");
  const kiln::PreparedFunction with = empty.prepare("", {32, 4});
  const kiln::PreparedFunction without = empty.prepare("");
  const auto expect = [](unsigned grid, unsigned block_x, unsigned block_y, unsigned shared, const void* on_stream) {
    const fake_cuda::Launch launch = fake_cuda::launches().back();
    CHECK(launch.grid[0] == grid);
    CHECK(launch.block[0] == block_x);
    CHECK(launch.block[1] == block_y);
    CHECK(launch.shared_bytes == shared);
    CHECK(launch.stream == on_stream);
  };
  with({5});
  expect(5, 32, 4, 0, nullptr);
  with({5, 64, 100, stream});
  expect(5, 64, 1, 100, stream.handle());
  with.prepared_call(6);
  expect(6, 32, 4, 0, nullptr);
  with.prepared_call(Dim3(6, 2));
  expect(6, 32, 4, 0, nullptr);
  kiln::LaunchConfig config;
  config.grid = 7;
  config.shared_size = 300;
  config.stream = stream;
  with.prepared_call(config);
  expect(7, 32, 4, 300, stream.handle());
  with.prepared_async_call(8, stream);
  expect(8, 32, 4, 0, stream.handle());
  config.stream = nullptr;
  with.prepared_async_call(config, stream);
  expect(7, 32, 4, 300, stream.handle());
  CHECK(with.prepared_timed_call(9) >= 0);
  expect(9, 32, 4, 0, nullptr);
  CHECK_THROWS_AS(with.prepared_async_call(8, Dim3{64}, stream), ArgumentError);

  without({5, 64});
  expect(5, 64, 1, 0, nullptr);
  without.prepared_call(6, Dim3{64});
  expect(6, 64, 1, 0, nullptr);
  without.prepared_async_call(6, Dim3{64}, stream);
  expect(6, 64, 1, 0, stream.handle());
  without.prepared_async_call(6, Dim3{64}, nullptr);
  CHECK(without.prepared_timed_call(6, Dim3{96}) >= 0);
  expect(6, 96, 1, 0, nullptr);
  without.prepared_call(kiln::LaunchConfig{5, 64});
  expect(5, 64, 1, 0, nullptr);
  const std::size_t before = fake_cuda::launches().size();
  CHECK_THROWS_AS(without.prepared_call(6), ArgumentError);
  CHECK_THROWS_AS(without.prepared_call(6, 64), ArgumentError);
  CHECK_THROWS_AS(without.prepared_async_call(6, stream), ArgumentError);
  CHECK_THROWS_AS((void)without.prepared_timed_call(6), ArgumentError);
  CHECK(fake_cuda::launches().size() == before);
}

TEST_CASE("braces in the grid's place are a grid, as PyCUDA's tuple is") {
  FakeModule module;
  const kiln::Stream stream;
  const kiln::Function empty = module.function("empty");
  const kiln::PreparedFunction with = empty.prepare("", 32);
  const kiln::PreparedFunction without = empty.prepare("");
  const auto expect = [](Dim3 grid, Dim3 block) {
    const fake_cuda::Launch launch = fake_cuda::launches().back();
    CHECK(Dim3(launch.grid[0], launch.grid[1], launch.grid[2]) == grid);
    CHECK(Dim3(launch.block[0], launch.block[1], launch.block[2]) == block);
    CHECK(launch.shared_bytes == 0);
  };
  with.prepared_call({4});
  expect(4, 32);
  with.prepared_call({4, 3});
  expect({4, 3}, 32);
  with.prepared_call({4, 3, 2});
  expect({4, 3, 2}, 32);
  with.prepared_async_call({4, 3}, stream);
  expect({4, 3}, 32);
  with.prepared_async_call({4, 3, 2}, nullptr);
  expect({4, 3, 2}, 32);
  (void)with.prepared_timed_call({4, 3});
  expect({4, 3}, 32);
  without.prepared_call({4, 3}, {16, 2});
  expect({4, 3}, {16, 2});
  without.prepared_call({4, 3, 2}, {16, 2, 4});
  expect({4, 3, 2}, {16, 2, 4});
  without.prepared_async_call({4, 3}, {16}, stream);
  expect({4, 3}, 16);
  without.prepared_async_call(4, 16, stream);
  expect(4, 16);
  (void)without.prepared_timed_call({4, 3}, {16, 2});
  expect({4, 3}, {16, 2});
  const std::size_t before = fake_cuda::launches().size();
  CHECK_THROWS_AS(without.prepared_call({4, 3}), ArgumentError);
  CHECK_THROWS_AS(without.prepared_async_call({4, 3}, stream), ArgumentError);
  CHECK_THROWS_AS(with.prepared_call({4, 3}, {16, 2}), ArgumentError);
  CHECK_THROWS_AS(with.prepared_async_call({4, 3}, {16, 2}, stream), ArgumentError);
  CHECK(fake_cuda::launches().size() == before);
}

TEST_CASE("a block that is stated is taken, also of one thread") {
  FakeModule module;
  const kiln::Stream stream;
  const kiln::Function empty = module.function("empty");
  const kiln::PreparedFunction with = empty.prepare("", 32);
  const auto block = [] { return fake_cuda::launches().back().block[0]; };
  with.prepared_call(kiln::LaunchConfig{8, 1});
  CHECK(block() == 1);
  with({8, 1});
  CHECK(block() == 1);
  with({8, Dim3{}});
  CHECK(block() == 1);
  with.prepared_async_call(kiln::LaunchConfig{8, {1, 1, 1}}, stream);
  CHECK(block() == 1);
  with({8, {}, 0, stream});
  CHECK(block() == 32);
  with.prepared_call(kiln::LaunchConfig{8, {}, 64});
  CHECK(block() == 32);
  CHECK_THROWS_AS(with({8, 0}), ArgumentError);
  CHECK_THROWS_AS(with({8, {0, 0, 0}}), ArgumentError);
}

TEST_CASE("a launch without a block is refused, as by PyCUDA") {
  FakeModule module;
  const kiln::Function empty = module.function("empty");
  const std::size_t before = fake_cuda::launches().size();
  CHECK_THROWS_WITH_AS(empty({64}),
                       "kernel empty: block, in threads: expected a block, given none; write {grid, block}, such as "
                       "{64, 256}",
                       ArgumentError);
  CHECK_THROWS_AS((void)empty.timed({64}), ArgumentError);
  CHECK_THROWS_AS(empty.prepare("")({64}), ArgumentError);
  CHECK(fake_cuda::launches().size() == before);
}

TEST_CASE("a block of one thread may be prepared") {
  FakeModule module;
  module.function("empty").prepare("", 1).prepared_call(3);
  CHECK(fake_cuda::launches().back().block[0] == 1);
}

TEST_CASE("a Dim3 is an argument where the block was prepared") {
  const std::string name = "one";
  const One size(".align 4 .b8 p[12]", "dim3");
  CHECK(size.pass(Dim3(1, 2, 3)) == bytes_of(std::array<unsigned, 3>{1, 2, 3}));
}

TEST_CASE("64 arguments and a structure of 2,048 bytes") {
  FakeModule module;
  struct Body {
    double values[256];
  };
  static Body body = {};
  for (int i = 0; i < 256; ++i) body.values[i] = i;
  fake_cuda::reset();
  const kiln::DeviceBuffer<float> out(1);
  const kiln::Function large = module.function("large");
  large.prepare("2048sP", 32).prepared_call(1, body, out);
  CHECK(last<Body>(0).values[255] == 255);
  large.prepare<Body, float*>(32).prepared_call(1, body, out);
  CHECK(fake_cuda::launches().size() == 2);
  CHECK(fake_cuda::launches()[1].parameters == fake_cuda::launches()[0].parameters);
}

TEST_CASE("calls of several types from several threads, by copies") {
  FakeModule module;
  const kiln::PreparedFunction scale = module.function("_Z5scalePfif").prepare("Pif", 32);
  const kiln::DeviceBuffer<float> buffer(5);
  fake_cuda::reset();
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([copy = scale, &buffer, t] {
      for (int i = 0; i < 100; ++i) {
        const int value = 100 * t + i;
        if (t % 2 == 0)
          copy.prepared_call(1, buffer, value, 2.5f);
        else
          copy.prepared_call(1, buffer.device_pointer(), static_cast<long long>(value), 2.5);
      }
    });
  for (std::thread& thread : threads) thread.join();
  std::vector<bool> seen(400);
  for (const fake_cuda::Launch& launch : fake_cuda::launches()) {
    int value = 0;
    std::memcpy(&value, launch.parameters.at(1).data(), sizeof value);
    seen.at(static_cast<std::size_t>(value)) = true;
    CHECK(launch.parameters.at(2) == bytes_of(2.5f));
  }
  CHECK(std::count(seen.begin(), seen.end(), true) == 400);
}

TEST_CASE("a prepared function keeps its kernel, and refuses again what it refused") {
  FakeModule module;
  const kiln::PreparedFunction scale = module.function("_Z5scalePfif").prepare<float*, int, float>(32);
  fake_cuda::reset();
  for (int i = 0; i < 2; ++i) {
    scale.prepared_call(1, nullptr, 5, 2.5f);
    scale.prepared_call(1, nullptr, 5LL, 2);
    CHECK_THROWS_AS(scale.prepared_call(1, nullptr, 1LL << 40, 2), ArgumentError);
    CHECK_THROWS_AS(scale.prepared_call(1, nullptr, 5), ArgumentError);
  }
  CHECK(fake_cuda::launches().size() == 4);
  CHECK(last<int>(1) == 5);
  CHECK(last<float>(2) == 2.0f);
}

TEST_CASE("each call converts its own values, also where the types were converted before") {
  FakeModule module;
  const kiln::PreparedFunction scale = module.function("_Z5scalePfif").prepare("Pif", 32);
  const auto call = [&](auto n, auto factor) {
    fake_cuda::reset();
    scale.prepared_call(1, nullptr, n, factor);
    const std::vector<std::string> given = fake_cuda::launches().at(0).parameters;
    int integer = 0;
    float number = 0;
    std::memcpy(&integer, given.at(1).data(), sizeof integer);
    std::memcpy(&number, given.at(2).data(), sizeof number);
    return std::pair(integer, number);
  };
  for (const long long n : {5LL, -7LL, 2147483647LL}) CHECK(call(n, 1.5f) == std::pair(static_cast<int>(n), 1.5f));
  CHECK_THROWS_AS(call(2147483648LL, 1.5f), kiln::ArgumentError);
  CHECK_THROWS_AS(call(-2147483649LL, 1.5f), kiln::ArgumentError);
  CHECK(call(6LL, 1.5f) == std::pair(6, 1.5f));
  for (int i = 0; i < 2; ++i) {
    CHECK(call(static_cast<signed char>(-3), 2.5) == std::pair(-3, 2.5f));
    CHECK(call(static_cast<unsigned short>(65535), 2) == std::pair(65535, 2.0f));
    CHECK(call(7, 3.5f) == std::pair(7, 3.5f));
    CHECK(call(8LL, 4.5f) == std::pair(8, 4.5f));
    CHECK_THROWS_AS(call(8u + 0x7ffffff8u, 1.0), kiln::ArgumentError);
  }
}

namespace {

template <std::size_t... indices>
void check_many_conversions(std::index_sequence<indices...>) {
  constexpr std::size_t count = sizeof...(indices);
  kiln::KernelInfo info;
  info.name = "many";
  for (std::size_t i = 0; i < count; ++i) info.parameters.push_back({4 * i, 4, kiln::ParameterKind::integer, {}});
  const auto kernel = std::make_shared<kiln::Kernel>(info, true, fake_code([](int) -> CUkernel { return nullptr; }));
  const kiln::PreparedPlan plan(kernel, kiln::read_codes("many", std::string(count, 'i')), nullptr);
  for (int round = 0; round < 3; ++round) {
    long long values[count];
    void* pointers[count];
    std::uint64_t converted[count];
    for (std::size_t i = 0; i < count; ++i) {
      values[i] = static_cast<long long>(100 * i) - round;
      pointers[i] = &values[i];
    }
    plan.fit(pointers, converted, kiln::detail::signature<decltype(static_cast<long long>(indices))...>);
    for (std::size_t i = 0; i < count; ++i) {
      int value = 0;
      std::memcpy(&value, pointers[i], sizeof value);
      CHECK(value == values[i]);
    }
  }
}

}  // namespace

TEST_CASE("any number of arguments is converted") {
  check_many_conversions(std::make_index_sequence<64>());
  check_many_conversions(std::make_index_sequence<70>());
}

}  // namespace prepared_test
