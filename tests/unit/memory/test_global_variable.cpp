// GlobalVariable's sizes, errors and calls; the fake driver's memory stands for a variable.
#include "fake_cuda.hpp"

#include <kiln/device_buffer.hpp>
#include <kiln/error.hpp>
#include <kiln/global_variable.hpp>
#include <kiln/stream.hpp>

#include <doctest/doctest.h>

#include <array>
#include <string>
#include <vector>

namespace global_variable_test {

using kiln::DeviceBuffer;
using kiln::GlobalVariable;

namespace {

struct Plane {
  float a, b, c, d;
  bool operator==(const Plane& other) const { return a == other.a && b == other.b && c == other.c && d == other.d; }
};

template <class T>
GlobalVariable variable_in(const DeviceBuffer<T>& memory) {
  return {memory.device_pointer(), memory.size() * sizeof(T), "config::plane"};
}

template <class Action>
std::string message_of(Action action) {
  try {
    action();
  } catch (const kiln::ArgumentError& error) {
    return error.what();
  }
  return {};
}

bool has(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("a variable is set and read by value, and by elements") {
  const DeviceBuffer<float> memory(std::vector<float>(4));
  const GlobalVariable variable = variable_in(memory);
  variable.set(Plane{1, 2, 3, 4});
  CHECK(variable.get<Plane>() == Plane{1, 2, 3, 4});
  CHECK(variable.to_host<float>() == std::vector<float>{1, 2, 3, 4});
  variable.set(std::array<float, 4>{5, 6, 7, 8});
  CHECK(variable.get<std::array<float, 4>>()[3] == 8);
  const float plain[4] = {9, 10, 11, 12};
  variable.set(plain);
  CHECK(variable.get<Plane>().a == 9);
  variable.copy_from(std::vector<float>{0, 1, 0, 1});
  CHECK(memory.to_host() == std::vector<float>{0, 1, 0, 1});
  variable.fill(0xff);
  CHECK(variable.to_host<unsigned char>() == std::vector<unsigned char>(16, 0xff));
  const GlobalVariable one = {memory.device_pointer(), sizeof(float), "factor"};
  one.set<float>(3);
  CHECK(one.get<float>() == 3.0f);
}

TEST_CASE("in a stream a value is written by fills, which keep nothing of the host's memory") {
  const DeviceBuffer<float> memory(std::vector<float>(4));
  const GlobalVariable variable = variable_in(memory);
  const kiln::Stream stream;
  fake_cuda::reset();
  variable.set(Plane{2, 2, 0, 5}, stream);
  CHECK(memory.to_host() == std::vector<float>{2, 2, 0, 5});
  CHECK(fake_cuda::calls("cuMemsetD32Async") == 3);  // a run of equal words is one fill
  CHECK(fake_cuda::calls("cuMemcpyHtoDAsync") == 0);
  for (const auto& call : fake_cuda::arguments("cuMemsetD32Async"))
    CHECK(call.back() == reinterpret_cast<unsigned long long>(stream.handle()));

  // Sizes and addresses that are no multiple of 4.
  const DeviceBuffer<unsigned char> bytes(std::vector<unsigned char>(8));
  const GlobalVariable odd = {bytes.device_pointer() + 1, 4, "odd"};
  odd.set(std::array<unsigned char, 4>{1, 1, 2, 3}, stream);
  GlobalVariable{bytes.device_pointer(), 1, "flag"}.set(true, stream);
  CHECK(bytes.to_host() == std::vector<unsigned char>{1, 1, 1, 2, 3, 0, 0, 0});

  const std::vector<float> host = {4, 3, 2, 1};
  variable.copy_from(host, stream);
  CHECK(fake_cuda::calls("cuMemcpyHtoDAsync") == 1);
  CHECK(memory.to_host() == host);
  variable.fill(0, stream);
  CHECK(memory.to_host() == std::vector<float>(4));
}

TEST_CASE("a size that does not fit is refused, with the variable's name and both sizes") {
  const DeviceBuffer<float> memory(std::vector<float>{1, 2, 3, 4});
  const GlobalVariable variable = variable_in(memory);
  const kiln::Stream stream;
  const std::vector<float> three(3);
  const std::vector<std::string> messages = {
      message_of([&] { variable.set(1.5); }),
      message_of([&] { variable.set(1.5, stream); }),
      message_of([&] { (void)variable.get<double>(); }),
      message_of([&] { variable.copy_from(three); }),
      message_of([&] { variable.copy_from(three, stream); }),
      message_of([&] { (void)variable.to_host<std::array<char, 5>>(); }),
  };
  for (const std::string& message : messages) {
    CHECK_MESSAGE(has(message, "\"config::plane\" has 16 bytes"), message);
  }
  CHECK_MESSAGE(has(messages[0], "the value 8 bytes"), messages[0]);
  CHECK_MESSAGE(has(messages[3], "the container 12 bytes"), messages[3]);
  CHECK_MESSAGE(has(messages[4], "the container 12 bytes"), messages[4]);
  CHECK_MESSAGE(has(messages[5], "elements of 5 bytes"), messages[5]);
  CHECK(memory.to_host() == std::vector<float>{1, 2, 3, 4});
}

}  // namespace global_variable_test
