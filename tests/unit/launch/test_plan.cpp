#include "base/passkey.hpp"
#include "fake_cuda.hpp"
#include "fake_kernels.hpp"

#include <kiln/device_buffer.hpp>
#include <kiln/error.hpp>
#include <kiln/launch_plan.hpp>
#include <kiln/stream.hpp>

#include <doctest/doctest.h>

#include <cstring>
#include <thread>

namespace plan_test {

namespace {

template <class T>
std::string bytes_of(const T& value) {
  return {reinterpret_cast<const char*>(&value), sizeof value};
}

struct Plain {
  double d;
  int i;
  float f;
};

/// scale(x, n, 2.0f) `count` times, and the plan's parameters x and n.
struct ScalePlan {
  explicit ScalePlan(int count) {
    const auto x = plan.parameter<float*>("x");
    const auto n = plan.parameter<int>("n");
    for (int i = 0; i < count; ++i) plan.add(scale, {2, 64}, x, n, static_cast<float>(i));
  }
  FakeModule module;
  kiln::Function scale = module.function("_Z5scalePfif");
  kiln::LaunchPlan plan;
  kiln::DeviceBuffer<float> a{5};
  kiln::DeviceBuffer<float> b{5};
};

void check_scales(const std::vector<fake_cuda::Launch>& launches, std::size_t count, CUdeviceptr x, int n) {
  REQUIRE(launches.size() == count);
  for (std::size_t i = 0; i < count; ++i) {
    CHECK(launches[i].kernel == "_Z5scalePfif");
    CHECK(launches[i].parameters.at(0) == bytes_of(x));
    CHECK(launches[i].parameters.at(1) == bytes_of(n));
    CHECK(launches[i].parameters.at(2) == bytes_of(static_cast<float>(i)));
  }
}

template <class Call>
kiln::ArgumentError refusal_of(const Call& call) {
  try {
    call();
  } catch (const kiln::ArgumentError& error) {
    return error;
  }
  FAIL("accepted");
  throw std::runtime_error("unreachable");
}

/// The window that a launch had, all zero where it had none.
CUaccessPolicyWindow window_of(const fake_cuda::Launch& launch) {
  CUlaunchAttributeValue value = {};
  const auto found = launch.attributes.find(CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW);
  if (found != launch.attributes.end()) std::memcpy(&value, found->second.data(), sizeof value);
  return value.accessPolicyWindow;
}

}  // namespace

TEST_CASE("a replay launches everything in order, with the replay's arguments") {
  ScalePlan made(4);
  const kiln::Stream stream;
  fake_cuda::reset();
  made.plan(stream, made.a, 7);
  check_scales(fake_cuda::launches(), 4, made.a.device_pointer(), 7);
  for (const auto& launch : fake_cuda::launches()) CHECK(launch.stream == stream.handle());
  CHECK(fake_cuda::calls("cuGraphLaunch") == 1);
  CHECK(fake_cuda::calls("cuLaunchKernel") == 0);
  fake_cuda::reset();
  made.plan(nullptr, made.b, 9);
  check_scales(fake_cuda::launches(), 4, made.b.device_pointer(), 9);
  CHECK(fake_cuda::calls("cuGraphExecKernelNodeSetParams") == 4);
  CHECK(fake_cuda::calls("cuGraphInstantiateWithFlags") == 0);
}

TEST_CASE("only the launches whose arguments changed are set anew") {
  FakeModule module;
  const kiln::Function scale = module.function("_Z5scalePfif");
  const kiln::Function empty = module.function("empty");
  kiln::LaunchPlan plan;
  const auto x = plan.parameter<float*>("x");
  const auto n = plan.parameter<int>("n");
  plan.add(scale, {1, 32}, x, 1, 2.0f);
  plan.add(empty, {1, 32});
  plan.add(scale, {1, 32}, nullptr, n, 2.0f);
  const kiln::DeviceBuffer<float> a(5);
  plan(nullptr, a, 1);
  fake_cuda::reset();
  plan(nullptr, a, 1);
  CHECK(fake_cuda::calls("cuGraphExecKernelNodeSetParams") == 0);
  plan(nullptr, a, 2);
  CHECK(fake_cuda::calls("cuGraphExecKernelNodeSetParams") == 1);
  CHECK(fake_cuda::launches().at(5).parameters.at(1) == bytes_of(2));
  plan(nullptr, nullptr, 2);
  CHECK(fake_cuda::calls("cuGraphExecKernelNodeSetParams") == 2);
  CHECK(fake_cuda::launches().at(6).parameters.at(0) == std::string(8, '\0'));
}

TEST_CASE("constants are kept byte for byte, whatever becomes of the original") {
  FakeModule module;
  kiln::LaunchPlan plan;
  const auto body = plan.parameter<Plain>("body");
  {
    auto value = std::make_unique<std::array<float, 3>>(std::array<float, 3>{1, 2, 3});
    kiln::DeviceBuffer<float> buffer(5);
    plan.add(module.function("by_value"), {1, 1}, body, buffer.data(), *value);
    plan.add(module.function("by_value"), {1, 1}, Plain{9, 8, 7}, nullptr, *value);
  }
  fake_cuda::reset();
  plan(nullptr, Plain{1.5, 2, 3.5f});
  const auto launches = fake_cuda::launches();
  REQUIRE(launches.size() == 2);
  CHECK(launches[0].parameters[0] == bytes_of(Plain{1.5, 2, 3.5f}));
  CHECK(launches[0].parameters[2] == bytes_of(std::array<float, 3>{1, 2, 3}));
  CHECK(launches[1].parameters[0] == bytes_of(Plain{9, 8, 7}));
}

TEST_CASE("one launch goes by itself") {
  ScalePlan made(1);
  fake_cuda::reset();
  made.plan(nullptr, made.a, 7);
  check_scales(fake_cuda::launches(), 1, made.a.device_pointer(), 7);
  CHECK(fake_cuda::calls("cuLaunchKernel") == 1);
  CHECK(fake_cuda::calls("cuGraphCreate") == 0);
}

TEST_CASE("a stream that is being captured gets single launches") {
  ScalePlan made(3);
  const kiln::Stream stream;
  fake_cuda::reset();
  fake_cuda::set_capturing(stream.handle(), true);
  made.plan(stream, made.a, 7);
  fake_cuda::set_capturing(stream.handle(), false);
  check_scales(fake_cuda::launches(), 3, made.a.device_pointer(), 7);
  CHECK(fake_cuda::calls("cuGraphCreate") == 0);
  made.plan(stream, made.a, 7);
  CHECK(fake_cuda::calls("cuGraphLaunch") == 1);
}

TEST_CASE("what does not fit a kernel is refused when it is added, with launch and kernel") {
  ScalePlan made(2);
  kiln::LaunchPlan other;
  const auto foreign = other.parameter<int>("n");
  const auto x = made.plan.parameter<float*>();
  fake_cuda::reset();
  const auto wrong_type = refusal_of([&] { made.plan.add(made.scale, {1, 1}, x, 1L, 2.0f); });
  CHECK(contains(wrong_type.what(),
                 "launch 2 (counted from 0) of the plan: kernel scale(float*, int, float): argument 1"));
  CHECK(wrong_type.kernel() == "scale(float*, int, float)");
  CHECK(wrong_type.index() == 1);
  CHECK(wrong_type.expected() == "int (integer, 4 bytes)");
  CHECK(wrong_type.given() == "long (integer, 8 bytes)");
  const auto wrong_count = refusal_of([&] { made.plan.add(made.scale, {1, 1}, x); });
  CHECK(contains(wrong_count.what(), "launch 2 (counted from 0) of the plan: kernel scale"));
  const auto wrong_plan = refusal_of([&] { made.plan.add(made.scale, {1, 1}, x, foreign, 2.0f); });
  CHECK(contains(wrong_plan.what(), "argument 1 (counted from 0): expected a parameter of this plan"));
  CHECK(wrong_plan.index() == 1);
  CHECK(contains(refusal_of([&] { made.plan.add(made.scale, {0, 1}, x, 1, 2.0f); }).what(), "grid, in blocks"));
  const kiln::Stream stream;
  CHECK(contains(refusal_of([&] {
                   made.plan.add(made.scale, {1, 1, 0, stream}, x, 1, 2.0f);
                 }).what(),
                 "the stream is given to the replay"));
  CHECK(made.plan.size() == 2);
  made.plan(nullptr, made.a, 1, nullptr);  // as before, with one more parameter
  CHECK(fake_cuda::launches().size() == 2);
}

TEST_CASE("a replay with other arguments than the parameters is refused before anything is launched") {
  ScalePlan made(2);
  fake_cuda::reset();
  for (int i = 0; i < 2; ++i) {
    const auto wrong_type = refusal_of([&] { made.plan(nullptr, made.a, 1L); });
    CHECK(contains(wrong_type.what(), "launch plan: argument 1, n (counted from 0, behind the stream): expected int"));
    CHECK(wrong_type.index() == 1);
    CHECK(wrong_type.given() == "long (integer, 8 bytes)");
    const auto wrong_count = refusal_of([&] { made.plan(nullptr, made.a); });
    CHECK(contains(wrong_count.what(), "a replay takes 2 arguments: float* x, int n; given 1 argument"));
    const kiln::DeviceBuffer<double> doubles(2);
    CHECK(refusal_of([&] { made.plan(nullptr, doubles, 1); }).index() == 0);
    CHECK_THROWS_AS(made.plan(nullptr, made.a, 1u), kiln::ArgumentError);
  }
  CHECK(fake_cuda::launches().empty());
  const float* constant = made.a.data();
  made.plan(nullptr, constant, 1);
  made.plan(nullptr, made.a.device_pointer(), 1);
  made.plan(nullptr, static_cast<void*>(made.a.data()), 1);
  CHECK(fake_cuda::launches().size() == 6);
  CHECK_THROWS_AS(made.plan(nullptr, made.a, 1L), kiln::ArgumentError);
}

TEST_CASE("a plan without launches is not replayed") {
  const kiln::LaunchPlan plan;
  CHECK(contains(refusal_of([&] { plan(nullptr); }).what(), "a plan without launches"));
}

TEST_CASE("a plan may grow after a replay") {
  ScalePlan made(2);
  made.plan(nullptr, made.a, 1);
  const auto factor = made.plan.parameter<float>("factor");
  CHECK(made.plan.add(made.scale, {1, 1}, made.b, 3, factor) == 2);
  CHECK_THROWS_AS(made.plan(nullptr, made.a, 1), kiln::ArgumentError);
  fake_cuda::reset();
  made.plan(nullptr, made.a, 1, 0.5f);
  REQUIRE(fake_cuda::launches().size() == 3);
  CHECK(fake_cuda::launches()[2].parameters.at(2) == bytes_of(0.5f));
  CHECK(fake_cuda::live_graphs() == 2);
}

TEST_CASE("a plan that moved works on") {
  ScalePlan made(2);
  made.plan(nullptr, made.a, 1);
  kiln::LaunchPlan moved(std::move(made.plan));
  CHECK_THROWS_AS(made.plan(nullptr, made.b, 2), kiln::ArgumentError);
  CHECK_THROWS_AS(made.plan.add(made.scale, {1, 1}, made.b, 1, 1.0f), kiln::ArgumentError);
  CHECK_THROWS_AS(made.plan.parameter<int>(), kiln::ArgumentError);
  CHECK(made.plan.size() == 0);
  fake_cuda::reset();
  moved(nullptr, made.b, 2);
  check_scales(fake_cuda::launches(), 2, made.b.device_pointer(), 2);
  made.plan = std::move(moved);
  made.plan(nullptr, made.a, 3);
  CHECK(fake_cuda::launches().size() == 4);
}

TEST_CASE("other sizes need no other graph, other attributes do") {
  ScalePlan made(2);
  made.plan(nullptr, made.a, 1);
  fake_cuda::reset();
  made.plan.set_config(1, {8, 128, 1000});
  made.plan(nullptr, made.a, 1);
  CHECK(fake_cuda::launches().at(0).grid[0] == 2);
  CHECK(fake_cuda::launches().at(1).grid[0] == 8);
  CHECK(fake_cuda::launches().at(1).block[0] == 128);
  CHECK(fake_cuda::launches().at(1).shared_bytes == 1000);
  CHECK(fake_cuda::calls("cuGraphExecKernelNodeSetParams") == 1);
  CHECK(fake_cuda::calls("cuGraphInstantiateWithFlags") == 0);

  kiln::LaunchConfig cooperative{8, 128};
  cooperative.attributes.cooperative = true;
  made.plan.set_config(1, cooperative);
  made.plan(nullptr, made.a, 1);
  CHECK(fake_cuda::calls("cuGraphInstantiateWithFlags") == 1);
  CHECK(fake_cuda::launches().at(2).attributes.empty());
  CHECK(fake_cuda::launches().at(3).attributes.count(CU_LAUNCH_ATTRIBUTE_COOPERATIVE) == 1);

  CHECK(contains(refusal_of([&] { made.plan.set_config(2, {1, 1}); }).what(), "less than the plan's size of 2"));
  CHECK(contains(refusal_of([&] { made.plan.set_config(1, {1, 0}); }).what(), "launch 1 (counted from 0) of the plan"));
}

TEST_CASE("much dynamic shared memory is allowed while the graph is made, and again for other sizes") {
  ScalePlan made(2);
  made.plan.set_config(0, {1, 32, 100 * 1024});
  fake_cuda::reset();
  made.plan(nullptr, made.a, 1);
  CHECK(fake_cuda::launches().at(0).shared_bytes == 100 * 1024);
  CHECK(fake_cuda::calls("cuKernelSetAttribute") == 1);
  made.plan.set_config(1, {1, 32, 200 * 1024});
  made.plan(nullptr, made.a, 1);
  CHECK(fake_cuda::launches().at(3).shared_bytes == 200 * 1024);
  CHECK(fake_cuda::calls("cuGraphLaunch") == 2);
  made.plan.set_config(1, {1, 32, 400 * 1024});
  CHECK_THROWS_AS(made.plan(nullptr, made.a, 1), kiln::ArgumentError);
  made.plan.set_config(1, {1, 32});
  made.plan(nullptr, made.a, 1);
  CHECK(fake_cuda::launches().size() == 6);
}

TEST_CASE("launches with a hook or programmatic ones go one by one") {
  struct Hook : kiln::LaunchHook {
    void launch(const kiln::HookedLaunch&, const std::function<void()>& submit) override {
      ++launches;
      submit();
    }
    int launches = 0;
  };
  ScalePlan made(2);
  SUBCASE("a hook") {
    const auto hook = std::make_shared<Hook>();
    const auto kernel = made.module.kernel("empty");
    kernel->set_hook(hook);
    made.plan.add(kiln::Function(kiln::passkey, kernel), {1, 1});
    fake_cuda::reset();
    made.plan(nullptr, made.a, 1);
    made.plan(nullptr, made.a, 1);
    CHECK(hook->launches == 2);
    CHECK(fake_cuda::calls("cuLaunchKernel") == 6);
  }
  SUBCASE("programmatic") {
    kiln::LaunchConfig config{1, 1};
    config.attributes.programmatic_stream_serialization = true;
    made.plan.add(made.module.function("empty"), config);
    fake_cuda::reset();
    made.plan(nullptr, made.a, 1);
    made.plan(nullptr, made.a, 1);
    CHECK(fake_cuda::calls("cuLaunchKernelEx") == 2);
  }
  CHECK(fake_cuda::launches().size() == 6);
  CHECK(fake_cuda::calls("cuGraphCreate") == 0);
}

TEST_CASE("a window is laid once over a place that stays, as far as the device has it") {
  ScalePlan made(0);
  const auto y = made.plan.parameter<float*>("y");
  made.plan.add(made.scale, {1, 1}, y, 1, 1.0f);
  made.plan.l2_window(y, std::size_t{1} << 40, 0.5f);
  made.plan.add(made.scale, {1, 1}, y, 1, 1.0f);
  made.plan.l2_window(made.a, 20);
  made.plan.add(made.scale, {1, 1}, y, 1, 1.0f);
  made.plan.l2_window(nullptr, 0);
  made.plan.add(made.scale, {1, 1}, y, 1, 1.0f);
  fake_cuda::reset();
  fake_cuda::set_l2(3000, 5000);
  made.plan(nullptr, nullptr, 1, made.b);
  made.plan(nullptr, nullptr, 1, made.b);
  CHECK(fake_cuda::calls("cuGraphLaunch") == 2);
  CHECK(fake_cuda::calls("cuGraphInstantiateWithFlags") == 1);
  CHECK(fake_cuda::calls("cuCtxSetLimit") == 1);
  CHECK(fake_cuda::persisting_l2_limit() == 3000);
  const auto launches = fake_cuda::launches();
  REQUIRE(launches.size() == 8);
  CHECK(launches[4].attributes.empty());
  CHECK(window_of(launches[5]).base_ptr == made.b.data());
  CHECK(window_of(launches[5]).num_bytes == 5000);
  CHECK(window_of(launches[5]).hitRatio == 0.5f);
  CHECK(window_of(launches[6]).base_ptr == made.a.data());
  CHECK(window_of(launches[6]).num_bytes == 20);
  CHECK(launches[7].attributes.empty());

  CHECK(contains(refusal_of([&] { made.plan.l2_window(y, 1, 1.5f); }).what(), "hit_ratio"));
  kiln::LaunchPlan other;
  CHECK(contains(refusal_of([&] { other.l2_window(y, 1); }).what(), "a parameter of this plan"));
  fake_cuda::set_l2(30 << 20, 128 << 20);
}

TEST_CASE("a window that moves goes by single launches until it stays") {
  ScalePlan made(0);
  const auto y = made.plan.parameter<float*>("y");
  made.plan.l2_window(y, 20);
  for (int i = 0; i < 2; ++i) made.plan.add(made.scale, {1, 1}, y, 1, 1.0f);
  made.plan(nullptr, nullptr, 1, made.a);
  const auto replay = [&](const kiln::DeviceBuffer<float>& buffer) {
    fake_cuda::reset();
    made.plan(nullptr, nullptr, 1, buffer);
    CHECK(fake_cuda::launches().at(1).parameters.at(0) == bytes_of(buffer.device_pointer()));
    return fake_cuda::calls("cuGraphLaunch") == 1;
  };
  CHECK_FALSE(replay(made.b));
  CHECK(fake_cuda::calls("cuLaunchKernelEx") == 2);
  CHECK(replay(made.a));
  CHECK_FALSE(replay(made.b));
  CHECK(replay(made.b));
  CHECK(fake_cuda::calls("cuGraphInstantiateWithFlags") == 1);
  CHECK(window_of(fake_cuda::launches().at(0)).base_ptr == made.b.data());
  CHECK(fake_cuda::live_graphs() == 2);
  made.plan.set_config(0, {5, 1});  // keeps its window
  CHECK(replay(made.b));
  CHECK(fake_cuda::calls("cuGraphInstantiateWithFlags") == 0);
  CHECK(fake_cuda::launches().at(0).grid[0] == 5);
  kiln::LaunchConfig own{1, 1};
  own.attributes.access_policy_window = {made.a.data(), 8};
  made.plan.set_config(0, own);
  CHECK(replay(made.b));
  CHECK(window_of(fake_cuda::launches().at(0)).base_ptr == made.a.data());
  CHECK(window_of(fake_cuda::launches().at(1)).base_ptr == made.b.data());
  made.plan.set_config(0, {1, 1});
  CHECK(replay(made.b));
  CHECK(window_of(fake_cuda::launches().at(0)).base_ptr == made.b.data());
}

TEST_CASE("without an L2 cache to set aside a plan runs without windows") {
  ScalePlan made(0);
  made.plan.l2_window(made.a, 20);
  for (int i = 0; i < 2; ++i) made.plan.add(made.scale, {1, 1}, made.a, 1, 1.0f);
  fake_cuda::reset();
  SUBCASE("none") { fake_cuda::set_l2(0, 0); }
  SUBCASE("the limit cannot be had") { fake_cuda::fail("cuCtxGetLimit", CUDA_ERROR_UNSUPPORTED_LIMIT); }
  SUBCASE("the limit cannot be set") {
    fake_cuda::set_l2(40 << 20, 128 << 20);
    made.plan.l2_window(made.a, 39 << 20);
    made.plan.add(made.scale, {1, 1}, made.a, 1, 1.0f);
    fake_cuda::fail("cuCtxSetLimit", CUDA_ERROR_NOT_SUPPORTED);
  }
  made.plan(nullptr, nullptr, 1);
  CHECK(fake_cuda::calls("cuGraphLaunch") == 1);
  for (const auto& launch : fake_cuda::launches()) CHECK(launch.attributes.empty());
  fake_cuda::set_l2(30 << 20, 128 << 20);
}

TEST_CASE("equal tensor maps over one parameter are one, and pointed anew where the parameter changes") {
  FakeModule module;
  const kiln::DeviceBuffer<float> a(64);
  const kiln::DeviceBuffer<float> b(64);
  kiln::TensorMapTiled tensor;
  tensor.sizes = {8, 8};
  tensor.box = {4, 4};
  const auto map = kiln::TensorMap::tiled(a.data(), tensor);
  tensor.sizes = {8, 4};
  const auto other = kiln::TensorMap::tiled(a.data(), tensor);
  kiln::LaunchPlan plan;
  const auto x = plan.parameter<float*>("x");
  const auto n = plan.parameter<int>("n");
  for (int i = 0; i < 2; ++i)
    plan.add(module.function("mapped"), {1, 1}, plan.tensor_map(map, x), plan.tensor_map(map, x));
  plan.add(module.function("mapped"), {1, 1}, plan.tensor_map(other, x), map);
  plan.add(module.function("_Z5scalePfif"), {1, 1}, x, n, 1.0f);
  fake_cuda::reset();
  plan(nullptr, b, 1);
  const auto launches = fake_cuda::launches();
  REQUIRE(launches.size() == 4);
  CHECK(launches[0].parameters.at(0) == bytes_of(map.with_address(b)));
  CHECK(launches[1].parameters.at(1) == bytes_of(map.with_address(b)));
  CHECK(launches[2].parameters.at(0) == bytes_of(other.with_address(b)));
  CHECK(launches[2].parameters.at(1) == bytes_of(map));
  fake_cuda::reset();
  plan(nullptr, b, 2);
  CHECK(fake_cuda::calls("cuTensorMapReplaceAddress") == 0);
  CHECK(fake_cuda::calls("cuGraphExecKernelNodeSetParams") == 1);
  plan(nullptr, a, 2);
  CHECK(fake_cuda::calls("cuTensorMapReplaceAddress") == 2);
  CHECK(fake_cuda::launches().at(4).parameters.at(0) == bytes_of(map));
  // A map that could not be pointed anew is not taken for one that was.
  fake_cuda::fail("cuTensorMapReplaceAddress", CUDA_ERROR_INVALID_VALUE);
  CHECK_THROWS_AS(plan(nullptr, b, 2), kiln::Error);
  plan(nullptr, b, 2);
  CHECK(fake_cuda::launches().at(8).parameters.at(0) == bytes_of(map.with_address(b)));
  kiln::LaunchPlan stranger;
  CHECK(contains(refusal_of([&] { (void)stranger.tensor_map(map, x); }).what(), "a parameter of this plan"));
}

TEST_CASE("threads replay one plan on streams of their own") {
  ScalePlan made(4);
  fake_cuda::reset();
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      const kiln::Stream stream;
      for (int i = 0; i < 50; ++i) made.plan(stream, made.a, 50 * t + i);
    });
  for (std::thread& thread : threads) thread.join();
  const auto launches = fake_cuda::launches();
  REQUIRE(launches.size() == 800);
  std::vector<int> seen(200);
  for (std::size_t i = 0; i < launches.size(); ++i) {
    CHECK(launches[i].parameters.at(1) == launches[i - i % 4].parameters.at(1));  // four of one replay
    int n = 0;
    std::memcpy(&n, launches[i].parameters.at(1).data(), sizeof n);
    ++seen.at(static_cast<std::size_t>(n));
  }
  for (const int times : seen) CHECK(times == 4);
}

TEST_CASE("whatever the driver refuses, nothing is leaked, and the launches are made or the failure is told") {
  const char* const calls[] = {"cuStreamIsCapturing",
                               "cuStreamGetCtx",
                               "cuCtxGetCurrent",
                               "cuGraphCreate",
                               "cuGraphAddKernelNode",
                               "cuGraphKernelNodeSetAttribute",
                               "cuGraphInstantiateWithFlags",
                               "cuGraphExecKernelNodeSetParams",
                               "cuGraphLaunch",
                               "cuKernelGetFunction",
                               "cuCtxGetLimit",
                               "cuLibraryLoadData"};
  const std::size_t graphs = fake_cuda::live_graphs();
  for (const char* const name : calls) {
    CAPTURE(name);
    std::size_t failures = 0;
    for (std::size_t skip = 0; skip < 100; ++skip) {
      CAPTURE(skip);
      ScalePlan made(3);
      made.plan.l2_window(made.a, 20);
      made.plan.add(made.scale, {1, 1}, made.a, 1, 1.0f);
      const kiln::Stream stream;
      fake_cuda::reset();
      fake_cuda::fail(name, CUDA_ERROR_OUT_OF_MEMORY, skip);
      std::size_t told = 0;
      for (int replay = 1; replay <= 2; ++replay) {
        try {
          made.plan(stream, made.a, replay);
        } catch (const kiln::DriverError& error) {
          CHECK(error.result() == CUDA_ERROR_OUT_OF_MEMORY);
          ++told;
        }
      }
      CHECK(told <= 1);
      CHECK(fake_cuda::launches().size() == 4 * (2 - told));
      const bool failed = fake_cuda::calls(name) > skip;
      fake_cuda::reset();
      made.plan(stream, made.a, 3);  // and it works again
      REQUIRE(fake_cuda::launches().size() == 4);
      for (std::size_t i = 0; i < 3; ++i) CHECK(fake_cuda::launches()[i].parameters.at(1) == bytes_of(3));
      made.plan = {};
      CHECK(fake_cuda::live_graphs() == graphs);
      if (!failed) break;
      ++failures;
    }
    CHECK(failures > 0);
  }
}

TEST_CASE("a refused graph launch says which call it was") {
  ScalePlan made(3);
  made.plan(nullptr, made.a, 1);
  fake_cuda::reset();
  fake_cuda::fail("cuGraphLaunch", CUDA_ERROR_LAUNCH_FAILED);
  try {
    made.plan(nullptr, made.a, 2);
    FAIL("accepted");
  } catch (const kiln::DriverError& error) {
    CHECK(error.call() == "cuGraphLaunch");
    CHECK(contains(error.what(), "at the replay of a plan of 3 launches"));
  }
}

TEST_CASE("a thread without a context replays on device 0") {
  ScalePlan made(3);
  fake_cuda::reset();
  std::thread([&] { made.plan(nullptr, made.a, 4); }).join();
  check_scales(fake_cuda::launches(), 3, made.a.device_pointer(), 4);
  CHECK(fake_cuda::calls("cuGraphLaunch") == 1);
}

}  // namespace plan_test
