// Variables of a module, written and read from the host, with and without a stream.
#include <doctest/doctest.h>
#include <kiln/kiln.hpp>

#include <array>
#include <numeric>
#include <string>
#include <vector>

namespace global_variable_test {

namespace {

struct Plane {
  float normal[3];
  float distance;
};

const char* const source = R"(
struct Plane { float normal[3]; float distance; };
namespace config { __constant__ Plane plane; }
__constant__ float factor = 1;
__device__ int table[300];
__device__ float* target;
__managed__ short level = 3;
__global__ void apply(float* out) { *out = config::plane.distance * config::plane.normal[2] * factor; }
__global__ void sum(int* out) { *out = level; for (int i = 0; i < 300; ++i) *out += table[i]; }
__global__ void write_target() { *target = factor; }
)";

float run(const kiln::Function& function) {
  kiln::DeviceBuffer<float> out(1);
  function({1, 1}, out);
  return out.to_host().front();
}

}  // namespace

TEST_CASE("constants are set from C++ and read back") {
  const kiln::SourceModule module(source);
  module.get_global("factor").set(2.0f);
  module.get_global("config::plane").set(Plane{{0, 0, 5}, 3});
  const kiln::Function apply = module.get_function("apply");
  CHECK(run(apply) == 30);
  CHECK(module.get_global("plane").get<Plane>().normal[2] == 5);
  module.get_global("factor").set<float>(4);
  CHECK(run(apply) == 60);
  try {
    module.get_global("plane").set(1.0f);
    FAIL("the sizes differ");
  } catch (const kiln::ArgumentError& error) {
    const std::string text = error.what();
    CHECK_MESSAGE(text.find("\"config::plane\" has 16 bytes, the value 4 bytes") != std::string::npos, text);
  }
}

TEST_CASE("a variable keeps its module's code, as a function does") {
  const auto of_ended_module = [](const char* name) { return kiln::SourceModule(source).get_global(name); };
  const kiln::GlobalVariable factor = of_ended_module("factor"), level = of_ended_module("level");
  CHECK(factor.get<float>() == 1);
  factor.set(2.0f);
  CHECK(factor.get<float>() == 2);
  CHECK(level.get<short>() == 3);
  const kiln::GlobalVariable copy = of_ended_module("table");
  copy.copy_from(std::vector<int>(300, 4));
  CHECK(kiln::GlobalVariable(copy).to_host<int>() == std::vector<int>(300, 4));
}

TEST_CASE("arrays, pointers and managed variables are written and read") {
  const kiln::SourceModule module(source);
  std::vector<int> numbers(300);
  std::iota(numbers.begin(), numbers.end(), 0);
  const kiln::GlobalVariable table = module.get_global("table");
  table.copy_from(numbers);
  CHECK(table.to_host<int>() == numbers);
  module.get_global("level").set(short{7});
  kiln::DeviceBuffer<int> out(1);
  module.get_function("sum")({1, 1}, out);
  CHECK(out.to_host().front() == 7 + 299 * 300 / 2);
  table.fill(0);
  module.get_function("sum")({1, 1}, out);
  CHECK(out.to_host().front() == 7);
  CHECK(module.get_global("level").get<short>() == 7);

  const kiln::DeviceBuffer<float> buffer(std::vector<float>{0});
  module.get_global("target").set(buffer.data());
  module.get_function("write_target")({1, 1});
  CHECK(buffer.to_host().front() == 1);
}

TEST_CASE("in a stream a variable is set in order, and a launch before it has the old value") {
  const kiln::SourceModule module(source);
  const kiln::Stream stream = kiln::Stream::non_blocking();
  const kiln::GlobalVariable factor = module.get_global("factor"), plane = module.get_global("plane");
  const kiln::Function apply = module.get_function("apply");
  const kiln::DeviceBuffer<float> out(std::vector<float>(2));
  plane.set(Plane{{1, 1, 1}, 1}, stream);
  factor.set(2.0f, stream);
  apply({1, 1, 0, stream}, out.data());
  const std::array<float, 4> other = {0, 0, 10, 1};
  plane.copy_from(other, stream);
  factor.set(3.0f, stream);
  apply({1, 1, 0, stream}, out.data() + 1);
  stream.synchronize();
  CHECK(out.to_host() == std::vector<float>{2, 30});
  plane.fill(0, stream);
  apply({1, 1, 0, stream}, out.data());
  stream.synchronize();
  CHECK(out.to_host().front() == 0);
}

}  // namespace global_variable_test
