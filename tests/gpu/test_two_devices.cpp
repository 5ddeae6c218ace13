// One module on two devices.
#include "needs.hpp"

#include <doctest/doctest.h>
#include <kiln/kiln.hpp>

#include <numeric>
#include <vector>

namespace two_devices_test {

namespace {

constexpr int size = 4096;

const char* const source = R"(
texture<float, 1, cudaReadModeElementType> table;
__device__ int calls;
__global__ void scale(const float* in, float* out, float factor, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i == 0) calls += 1;
  if (i < n) out[i] = factor * in[i];
}
template <int n> __global__ void call(int* out) { *out = calls += n; }
__global__ void look_up(float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = tex1Dfetch(table, i);
}
__global__ void large_shared(int* out) {
  extern __shared__ int values[];
  values[16383] = 5;
  *out = values[16383];
})";

/// Makes a device current, and device 0 again.
struct On {
  explicit On(int device) { kiln::Device(device).make_current(); }
  ~On() { kiln::Device(0).make_current(); }
};

std::vector<float> ramp(float first) {
  std::vector<float> values(size);
  std::iota(values.begin(), values.end(), first);
  return values;
}

std::vector<float> scaled(std::vector<float> values, float factor) {
  for (float& value : values) value *= factor;
  return values;
}

const kiln::Dim3 grid{size / 256};
const kiln::Dim3 block{256};

}  // namespace

TEST_CASE("two devices: one function launches wherever the stream is, with variables of each device's own" *
          kiln::test::needs_two_devices()) {
  const kiln::SourceModule module(source);
  const kiln::Function scale = module.get_function("scale");
  for (const int device : {0, 1}) {
    const On on(device);
    const kiln::DeviceBuffer<float> in(ramp(1));
    const kiln::DeviceBuffer<float> out(size);
    const kiln::Stream stream = kiln::Stream::non_blocking();
    for (int i = 0; i <= device; ++i) {
      kiln::Device(0).make_current();  // the stream decides
      scale({grid, block, 0, stream}, in, out, 3.0f, size);
    }
    kiln::Device(device).make_current();
    stream.synchronize();
    CHECK(out.to_host() == scaled(ramp(1), 3));
    int calls = 0;
    kiln::memcpy_dtoh(&calls, module.get_global("calls").pointer, sizeof calls);
    CHECK(calls == device + 1);
  }
}

TEST_CASE("two devices: an instance's variables are one for the module on each, or the next instance is refused" *
          kiln::test::needs_two_devices()) {
  const kiln::SourceModule module(source);
  const kiln::Function call = module.get_function("call<10>");
  const kiln::Function scale = module.get_function("scale");
  for (const int device : {0, 1}) {
    const On on(device);
    const kiln::DeviceBuffer<float> in(ramp(1));
    const kiln::DeviceBuffer<float> out(size);
    const kiln::DeviceBuffer<int> calls(1);
    for (int i = 0; i <= device; ++i) scale({grid, block}, in, out, 3.0f, size);
    call({1, 1}, calls);
    CHECK(calls.to_host().front() == 11 + device);
    int seen = 0;
    kiln::memcpy_dtoh(&seen, module.get_global("calls").pointer, sizeof seen);
    CHECK(seen == 11 + device);
    CHECK_THROWS_AS((void)module.get_function("call<20>"), kiln::ArgumentError);
  }
}

TEST_CASE("two devices: prepared, typed and timed launches, host arguments, and permission for shared memory" *
          kiln::test::needs_two_devices()) {
  const kiln::SourceModule module(source);
  const kiln::PreparedFunction prepared = module.get_function("scale").prepare("PPfi", block);
  const auto typed = module.get_function<void(const float*, float*, float, int)>("scale");
  const kiln::Function large_shared = module.get_function("large_shared");
  for (const int device : {1, 0, 1}) {
    const On on(device);
    const std::vector<float> host = ramp(2);
    std::vector<float> result(size);
    prepared.prepared_call(grid, kiln::In(host), kiln::Out(result), 2.0f, size);
    CHECK(result == scaled(host, 2));

    const kiln::DeviceBuffer<float> in(host);
    const kiln::DeviceBuffer<float> out(size);
    CHECK(typed.timed({grid, block}, in, out, 0.5f, size) > 0);
    CHECK(out.to_host() == scaled(host, 0.5f));

    const kiln::DeviceBuffer<int> number(1);
    large_shared({1, 1, 65536}, number);
    CHECK(number.to_host() == std::vector<int>{5});
  }
}

TEST_CASE("two devices: copies between them need no permission of the user's" * kiln::test::needs_two_devices()) {
  const kiln::DeviceBuffer<float> first(ramp(7));
  const On on(1);
  kiln::DeviceBuffer<float> second(size);
  second.copy_from(first);
  CHECK(second.to_host() == ramp(7));
  kiln::memcpy_peer(first.device_pointer(), second.device_pointer(), size * sizeof(float) / 2);
  kiln::Device(0).make_current();
  CHECK(first.to_host() == ramp(7));
}

TEST_CASE("two devices: a texture reference is bound on each by itself" * kiln::test::needs_two_devices()) {
  const kiln::SourceModule module(source);
  const kiln::Function look_up = module.get_function("look_up");
  kiln::TextureReference table = module.get_texref("table");
  const kiln::DeviceBuffer<float> on_first(ramp(1));
  table.set_address(on_first.data(), size * sizeof(float));
  {
    const On on(1);
    const kiln::DeviceBuffer<float> on_second(ramp(100));
    table.set_address(on_second.data(), size * sizeof(float));
    const kiln::DeviceBuffer<float> out(size);
    look_up({grid, block}, out, size);
    CHECK(out.to_host() == ramp(100));
  }
  const kiln::DeviceBuffer<float> out(size);
  look_up({grid, block}, out, size);
  CHECK(out.to_host() == ramp(1));
}

TEST_CASE("two devices: a plan replays on streams of either" * kiln::test::needs_two_devices()) {
  const kiln::SourceModule module(source);
  const kiln::Function scale = module.get_function("scale");
  kiln::LaunchPlan plan;
  const auto in = plan.parameter<const float*>("in");
  const auto out = plan.parameter<float*>("out");
  for (const float factor : {2.0f, 3.0f, 4.0f}) plan.add(scale, {grid, block}, in, out, factor, size);
  for (const int device : {0, 1, 0}) {
    const On on(device);
    const kiln::DeviceBuffer<float> from(ramp(static_cast<float>(device)));
    const kiln::DeviceBuffer<float> to(size);
    const kiln::Stream stream = kiln::Stream::non_blocking();
    plan(stream, from, to);
    stream.synchronize();
    CHECK(to.to_host() == scaled(ramp(static_cast<float>(device)), 4));
  }
}

}  // namespace two_devices_test
