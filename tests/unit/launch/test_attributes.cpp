// What a launch asks for beyond its sizes: how it reaches the driver, and what is refused before that.
#include "fake_cuda.hpp"
#include "fake_kernels.hpp"

#include <kiln/error.hpp>
#include <kiln/event.hpp>
#include <kiln/function.hpp>
#include <kiln/launch_plan.hpp>
#include <kiln/stream.hpp>

#include <cuda.h>
#include <doctest/doctest.h>

#include <cmath>
#include <cstring>
#include <vector>

namespace attributes_test {

namespace {

using kiln::Dim3;
using kiln::LaunchConfig;

CUlaunchAttributeValue value_of(const fake_cuda::Launch& launch, CUlaunchAttributeID id) {
  CUlaunchAttributeValue value = {};
  const auto found = launch.attributes.find(id);
  REQUIRE(found != launch.attributes.end());
  std::memcpy(&value, found->second.data(), sizeof value);
  return value;
}

LaunchConfig with(const kiln::LaunchAttributes& attributes, Dim3 grid = 16, Dim3 block = 128) {
  LaunchConfig config{grid, block};
  config.attributes = attributes;
  return config;
}

kiln::LaunchAttributes cluster_of(Dim3 size) {
  kiln::LaunchAttributes attributes;
  attributes.cluster = size;
  return attributes;
}

kiln::LaunchAttributes cooperative() {
  kiln::LaunchAttributes attributes;
  attributes.cooperative = true;
  return attributes;
}

/// What a launch of `empty` is refused with; nothing must have been launched.
kiln::ArgumentError refusal(const LaunchConfig& config) {
  FakeModule module;
  fake_cuda::reset();
  try {
    module.function("empty")(config);
  } catch (const kiln::ArgumentError& error) {
    CHECK(error.kernel() == "empty");
    CHECK(contains(error.what(), "kernel empty: "));
    CHECK(fake_cuda::calls("cuLaunchKernelEx") == 0);
    CHECK(fake_cuda::calls("cuLaunchKernel") == 0);
    return error;
  }
  FAIL("the launch was accepted");
  throw;
}

kiln::ArgumentError window_refusal(const kiln::AccessPolicyWindow& window) {
  kiln::LaunchAttributes attributes;
  attributes.access_policy_window = window;
  return refusal(with(attributes));
}

}  // namespace

TEST_CASE("cuLaunchKernelEx is called only where an attribute is set") {
  FakeModule module;
  const kiln::Function empty = module.function("empty");
  fake_cuda::reset();
  empty({16, 128});
  CHECK(fake_cuda::calls("cuLaunchKernel") == 1);
  CHECK(fake_cuda::calls("cuLaunchKernelEx") == 0);
  empty(with({}));
  CHECK(fake_cuda::calls("cuLaunchKernel") == 2);
  kiln::Event event;
  std::vector<kiln::LaunchAttributes> each(8);
  each[0].cluster = {1, 1, 2};
  each[1].cooperative = true;
  each[2].programmatic_stream_serialization = true;
  each[3].programmatic_event.event = event;
  each[4].priority = 0;
  each[5].mem_sync_domain = kiln::MemSyncDomain::normal;
  each[6].shared_memory_carveout = 0;
  each[7].access_policy_window = {&module, 1};
  for (std::size_t i = 0; i < each.size(); ++i) {
    CAPTURE(i);
    CHECK(each[i].any());
    empty(with(each[i], {16, 1, 2}));
    CHECK(fake_cuda::calls("cuLaunchKernelEx") == i + 1);
    CHECK(fake_cuda::launches().back().attributes.size() == 1);
  }
  CHECK(fake_cuda::calls("cuLaunchKernel") == 2);
}

TEST_CASE("every attribute reaches the driver with its value, beside sizes, stream and arguments") {
  FakeModule module;
  const kiln::Stream stream;
  const kiln::Event event;
  fake_cuda::reset();
  LaunchConfig config{{4, 6, 2}, {64, 2}, 1000, stream};
  config.attributes.cluster = {2, 3, 1};
  config.attributes.cooperative = true;
  config.attributes.programmatic_stream_serialization = true;
  config.attributes.programmatic_event = {event, true};
  config.attributes.priority = -3;
  config.attributes.mem_sync_domain = kiln::MemSyncDomain::remote;
  config.attributes.shared_memory_carveout = 40;
  config.attributes.access_policy_window = {&module, 4096, 0.5f, kiln::AccessProperty::persisting,
                                            kiln::AccessProperty::normal};
  float* pointer = nullptr;
  module.function("_Z5scalePfif")(config, pointer, 7, 2.0f);
  REQUIRE(fake_cuda::launches().size() == 1);
  const fake_cuda::Launch launch = fake_cuda::launches()[0];
  CHECK(launch.grid[1] == 6);
  CHECK(launch.block[1] == 2);
  CHECK(launch.shared_bytes == 1000);
  CHECK(launch.stream == stream.handle());
  CHECK(launch.parameters[1] == std::string("\7\0\0\0", 4));
  CHECK(launch.attributes.size() == 8);
  const auto cluster = value_of(launch, CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION).clusterDim;
  CHECK(cluster.x == 2);
  CHECK(cluster.y == 3);
  CHECK(cluster.z == 1);
  CHECK(value_of(launch, CU_LAUNCH_ATTRIBUTE_COOPERATIVE).cooperative == 1);
  CHECK(
      value_of(launch, CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION).programmaticStreamSerializationAllowed ==
      1);
  const auto programmatic = value_of(launch, CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_EVENT).programmaticEvent;
  CHECK(programmatic.event == event.handle());
  CHECK(programmatic.flags == 0);
  CHECK(programmatic.triggerAtBlockStart == 1);
  CHECK(value_of(launch, CU_LAUNCH_ATTRIBUTE_PRIORITY).priority == -3);
  CHECK(value_of(launch, CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN).memSyncDomain == CU_LAUNCH_MEM_SYNC_DOMAIN_REMOTE);
  CHECK(value_of(launch, CU_LAUNCH_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT).sharedMemCarveout == 40);
  const auto window = value_of(launch, CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW).accessPolicyWindow;
  CHECK(window.base_ptr == &module);
  CHECK(window.num_bytes == 4096);
  CHECK(window.hitRatio == 0.5f);
  CHECK(window.hitProp == CU_ACCESS_PROPERTY_PERSISTING);
  CHECK(window.missProp == CU_ACCESS_PROPERTY_NORMAL);
}

TEST_CASE("the driver's own attributes go with the named ones, one or several") {
  FakeModule module;
  const kiln::Function empty = module.function("empty");
  CUlaunchAttribute raw[2] = {};
  raw[0].id = CU_LAUNCH_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE;
  raw[0].value.clusterSchedulingPolicyPreference = CU_CLUSTER_SCHEDULING_POLICY_SPREAD;
  raw[1].id = CU_LAUNCH_ATTRIBUTE_PRIORITY;
  raw[1].value.priority = -3;
  LaunchConfig config = with(cluster_of(2));
  config.attributes.raw = raw;
  fake_cuda::reset();
  empty(config);
  LaunchConfig alone{1, 32};
  alone.attributes.raw = raw[1];
  CHECK(alone.attributes.any());
  empty(alone);
  const auto launches = fake_cuda::launches();
  REQUIRE(launches.size() == 2);
  CHECK(launches[0].attributes.size() == 3);
  CHECK(value_of(launches[0], CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION).clusterDim.x == 2);
  CHECK(value_of(launches[0], raw[0].id).clusterSchedulingPolicyPreference == CU_CLUSTER_SCHEDULING_POLICY_SPREAD);
  CHECK(value_of(launches[0], CU_LAUNCH_ATTRIBUTE_PRIORITY).priority == -3);
  CHECK(launches[1].attributes.size() == 1);
}

TEST_CASE("an attribute twice, and more than there can be, are refused, also where the launch was checked before") {
  CUlaunchAttribute raw[17] = {};
  for (int i = 0; i < 17; ++i) raw[i].id = static_cast<CUlaunchAttributeID>(20 + i);
  LaunchConfig many{1, 32};
  many.attributes.raw = raw;
  CHECK(refusal(many).expected() == "at most 16 attributes");
  raw[3].id = CU_LAUNCH_ATTRIBUTE_PRIORITY;
  LaunchConfig twice{1, 32};
  twice.attributes.raw = raw[3];
  FakeModule module;
  const kiln::Function empty = module.function("empty");
  CHECK_NOTHROW(empty(twice));
  twice.attributes.priority = 0;
  CHECK_THROWS_WITH_AS(empty(twice), doctest::Contains("number 8 twice"), kiln::ArgumentError);
  const std::vector<CUlaunchAttribute> same(2, raw[3]);
  LaunchConfig pair{1, 32};
  pair.attributes.raw = same;
  CHECK_THROWS_AS(empty(pair), kiln::ArgumentError);
}

TEST_CASE("the driver's refusal names raw attributes by number") {
  FakeModule module;
  CUlaunchAttribute raw = {};
  raw.id = CU_LAUNCH_ATTRIBUTE_DEVICE_UPDATABLE_KERNEL_NODE;
  LaunchConfig config{1, 32};
  config.attributes.raw = raw;
  fake_cuda::reset();
  fake_cuda::fail("cuLaunchKernelEx", CUDA_ERROR_INVALID_VALUE);
  CHECK_THROWS_WITH_AS(module.function("empty")(config), doctest::Contains("raw attribute 13"), kiln::DriverError);
}

TEST_CASE("a plan keeps raw attributes, and launches one by one") {
  FakeModule module;
  const kiln::Function empty = module.function("empty");
  kiln::LaunchPlan plan;
  {
    std::vector<CUlaunchAttribute> raw(1);
    raw[0].id = CU_LAUNCH_ATTRIBUTE_PRIORITY;
    raw[0].value.priority = -2;
    LaunchConfig config{1, 32};
    config.attributes.raw = raw;
    for (int i = 0; i < 3; ++i) plan.add(empty, config);
    raw[0].value.priority = 7;
  }
  const kiln::Stream stream;
  fake_cuda::reset();
  plan(stream);
  const auto launches = fake_cuda::launches();
  REQUIRE(launches.size() == 3);
  for (const fake_cuda::Launch& launch : launches) CHECK(value_of(launch, CU_LAUNCH_ATTRIBUTE_PRIORITY).priority == -2);
  CHECK(fake_cuda::calls("cuGraphLaunch") == 0);
}

TEST_CASE("a cluster must divide the grid on each axis") {
  CHECK(refusal(with(cluster_of(3))).expected() == "a multiple of 3");
  CHECK(contains(refusal(with(cluster_of(3))).what(), "grid x: expected a multiple of 3, given 16"));
  CHECK(contains(refusal(with(cluster_of(3))).what(), "launch 18 blocks"));
  CHECK(contains(refusal(with(cluster_of({1, 2}))).what(), "grid y: expected a multiple of 2, given 1"));
  CHECK(contains(refusal(with(cluster_of({1, 1, 2}))).what(), "grid z"));
  CHECK(refusal(with(cluster_of({2, 0}))).given() == "2x0x1");
}

TEST_CASE("a cluster of more than 8 blocks is allowed for the kernel, once, and one that no device has refused") {
  FakeModule module;
  const kiln::Function empty = module.function("empty");
  fake_cuda::reset();
  empty(with(cluster_of(8)));
  CHECK(fake_cuda::calls("cuKernelSetAttribute") == 0);
  for (int i = 0; i < 3; ++i) empty(with(cluster_of(16), 16 * (i + 1)));
  CHECK(fake_cuda::calls("cuKernelSetAttribute") == 1);
  CHECK(fake_cuda::launches().size() == 4);
  const auto error = refusal(with(cluster_of(32), 32));
  CHECK(error.expected() == "at most 16 blocks");
  CHECK(error.given() == "32 (32x1x1)");
}

TEST_CASE("a cluster whose blocks are too large is told the limit of the block") {
  CHECK(refusal(with(cluster_of(2), 16, 1025)).expected() == "1 to 1024");
}

TEST_CASE("a kernel that was compiled with a cluster keeps it") {
  FakeModule module;
  const kiln::Function empty = module.function("empty");
  using kiln::FunctionAttribute;
  empty.set_attribute(FunctionAttribute::required_cluster_width, 4);
  empty.set_attribute(FunctionAttribute::required_cluster_height, 1);
  empty.set_attribute(FunctionAttribute::required_cluster_depth, 1);
  CHECK(empty.required_cluster() == Dim3(4));
  fake_cuda::reset();
  empty({16, 128});  // by itself
  CHECK(fake_cuda::calls("cuLaunchKernelEx") == 0);
  empty(with(cluster_of(4)));
  CHECK_THROWS_WITH_AS(
      empty(with(cluster_of(2))),
      "kernel empty: cluster: expected 4x1x1, as the kernel's __cluster_dims__ says, given 2x1x1; leave "
      "attributes.cluster out",
      kiln::ArgumentError);
  // What only the driver notices is explained by the same checks.
  fake_cuda::fail("cuLaunchKernel", CUDA_ERROR_INVALID_CLUSTER_SIZE);
  CHECK_THROWS_WITH_AS(empty({6, 128}),
                       "kernel empty: grid x: expected a multiple of 4, given 6 (a cluster is 4x1x1 blocks); launch 8 "
                       "blocks, and have the kernel skip what is too much",
                       kiln::ArgumentError);
  // Its clusters count for a cooperative grid too: 33 of them run at once.
  empty(with(cooperative(), 132));
  CHECK_THROWS_AS(empty(with(cooperative(), 136)), kiln::ArgumentError);
}

TEST_CASE("a kernel that was compiled with a cluster of more than 8 blocks is allowed it at its first launch") {
  FakeModule module;
  const kiln::Function empty = module.function("empty");
  using kiln::FunctionAttribute;
  empty.set_attribute(FunctionAttribute::required_cluster_width, 16);
  empty.set_attribute(FunctionAttribute::required_cluster_height, 1);
  empty.set_attribute(FunctionAttribute::required_cluster_depth, 1);
  fake_cuda::reset();
  fake_cuda::fail("cuLaunchKernel", CUDA_ERROR_INVALID_CLUSTER_SIZE);
  empty({16, 128});
  empty({32, 128});
  CHECK(fake_cuda::calls("cuKernelSetAttribute") == 1);
  CHECK(fake_cuda::launches().size() == 2);
  CHECK(empty.attribute(FunctionAttribute::non_portable_cluster_size_allowed) == 1);
}

TEST_CASE("a cooperative grid must run at once") {
  FakeModule module;
  const kiln::Function empty = module.function("empty");
  fake_cuda::reset();
  empty(with(cooperative(), 132 * 2, 1024));
  CHECK(fake_cuda::launches().size() == 1);
  const auto error = refusal(with(cooperative(), {133, 2}, 1024));
  CHECK(error.expected() == "at most 264");
  CHECK(error.given() == "266 (133x2x1)");
  LaunchConfig large = with(cooperative(), 133);
  large.shared_size = 200 * 1024;
  CHECK(refusal(large).expected() == "at most 132");
  CHECK(refusal(with(cooperative(), {0x7fffffff, 65535, 65535}, 1)).given() ==
        "9223090559730712575 (2147483647x65535x65535)");
}

TEST_CASE("attributes out of their range are refused, also where the driver would take the nearest one") {
  kiln::LaunchAttributes attributes;
  for (const int percent : {-1, 101}) {
    attributes.shared_memory_carveout = percent;
    CHECK(refusal(with(attributes)).given() == std::to_string(percent));
  }
  attributes = {};
  attributes.mem_sync_domain = static_cast<kiln::MemSyncDomain>(2);
  CHECK(refusal(with(attributes)).given() == "2");
}

TEST_CASE("an access policy window is checked in all its members") {
  const int memory = 0;
  CHECK(contains(window_refusal({nullptr, 16}).what(), "access_policy_window.pointer"));
  for (const float ratio : {-0.1f, 1.1f, std::nanf("")})
    CHECK(contains(window_refusal({&memory, 16, ratio}).what(), "access_policy_window.hit_ratio"));
  CHECK(contains(
      window_refusal({&memory, 16, 1, kiln::AccessProperty::streaming, kiln::AccessProperty::persisting}).what(),
      "access_policy_window.miss"));
  const auto error = window_refusal({&memory, 134217729});
  CHECK(error.expected() == "at most 134217728 bytes");
  CHECK(error.given() == "134217729 bytes");
  fake_cuda::set_l2(0, 0);
  FakeModule module;
  kiln::LaunchAttributes attributes;
  attributes.access_policy_window = {&memory, 16};
  CHECK_THROWS_WITH_AS(
      module.function("empty")(with(attributes)),
      "kernel empty: access_policy_window: expected a device that keeps lines in L2 (compute capability "
      "8.0 or more), given device 0 (device 0 has compute capability 9.0); leave the attribute out there",
      kiln::ArgumentError);
  fake_cuda::set_l2(30 << 20, 128 << 20);
}

TEST_CASE("a programmatic event that the driver refuses is told what it must be") {
  FakeModule module;
  const kiln::Event event;
  kiln::LaunchAttributes attributes;
  attributes.programmatic_event.event = event;
  fake_cuda::reset();
  fake_cuda::fail("cuLaunchKernelEx", CUDA_ERROR_INVALID_VALUE);
  CHECK_THROWS_WITH_AS(module.function("empty")(with(attributes)),
                       "kernel empty: programmatic_event: expected an event made without timing "
                       "(CU_EVENT_DISABLE_TIMING), of the launch's device and this process, given one that "
                       "cuLaunchKernelEx refuses with CUDA_ERROR_INVALID_VALUE",
                       kiln::ArgumentError);
}

TEST_CASE("a launch that was checked before costs the driver call alone") {
  FakeModule module;
  const kiln::Function empty = module.function("empty");
  kiln::LaunchAttributes attributes = cluster_of(2);
  attributes.cooperative = true;
  attributes.priority = -1;
  const LaunchConfig config = with(attributes);
  empty(config);
  fake_cuda::reset();
  for (int i = 0; i < 3; ++i) empty(config);
  CHECK(fake_cuda::calls() == std::vector<std::string>(3, "cuLaunchKernelEx"));
  // Another size, another value or another kernel is looked at anew.
  empty(with(attributes, 18));
  CHECK(fake_cuda::calls("cuOccupancyMaxActiveClusters") > 0);
  CHECK_THROWS_AS(empty(with(attributes, 17)), kiln::ArgumentError);
  attributes.shared_memory_carveout = 101;
  CHECK_THROWS_AS(empty(with(attributes)), kiln::ArgumentError);
  CHECK_THROWS_AS(empty(with(attributes)), kiln::ArgumentError);
}

TEST_CASE("a priority out of its range is the driver's to clamp") {
  FakeModule module;
  const kiln::Function empty = module.function("empty");
  for (const int priority : {1, -6, 100}) {
    kiln::LaunchAttributes attributes;
    attributes.priority = priority;
    fake_cuda::reset();
    empty(with(attributes));
    REQUIRE(fake_cuda::launches().size() == 1);
    CHECK(value_of(fake_cuda::launches().front(), CU_LAUNCH_ATTRIBUTE_PRIORITY).priority == priority);
    CHECK(fake_cuda::calls("cuCtxGetStreamPriorityRange") == 0);
  }
}

TEST_CASE("the driver's refusal names the attributes") {
  FakeModule module;
  kiln::LaunchAttributes attributes = cluster_of(2);
  attributes.priority = -2;
  fake_cuda::reset();
  fake_cuda::fail("cuLaunchKernelEx", CUDA_ERROR_NOT_SUPPORTED);
  try {
    module.function("empty")(with(attributes));
    FAIL("accepted");
  } catch (const kiln::DriverError& error) {
    CHECK(error.call() == "cuLaunchKernelEx");
    CHECK(contains(error.what(), "; attributes: cluster 2x1x1, priority -2"));
  }
}

TEST_CASE("a thread without a context gets one for a launch with attributes") {
  FakeModule module;
  const kiln::Function empty = module.function("empty");
  fake_cuda::reset();
  REQUIRE(kiln::Driver::get().ctx_set_current(nullptr) == CUDA_SUCCESS);
  empty(with(cluster_of(4)));
  REQUIRE(kiln::Driver::get().ctx_set_current(nullptr) == CUDA_SUCCESS);
  empty(with(cluster_of(4)));  // checked before, so that only the launch notices
  CHECK(fake_cuda::launches().size() == 2);
}

TEST_CASE("where a driver call of the checks fails, its error comes out, and the next launch is checked again") {
  FakeModule module;
  kiln::LaunchAttributes attributes = cluster_of(16);
  attributes.cooperative = true;
  attributes.priority = -1;
  attributes.access_policy_window = {&module, 16};
  for (const char* call : {"cuKernelGetAttribute", "cuKernelSetAttribute", "cuDeviceGetAttribute",
                           "cuOccupancyMaxActiveClusters", "cuLaunchKernelEx"}) {
    CAPTURE(call);
    const kiln::Function empty = module.function("empty");
    bool done = false;
    std::size_t skip = 0;
    for (; !done && skip < 50; ++skip) {
      fake_cuda::reset();
      fake_cuda::fail(call, CUDA_ERROR_OUT_OF_MEMORY, skip);
      try {
        empty(with(attributes, 32));
        done = true;
      } catch (const kiln::DriverError& error) {
        CHECK(error.call() == call);
        CHECK(error.result() == CUDA_ERROR_OUT_OF_MEMORY);
        CHECK(fake_cuda::launches().empty());
      }
    }
    CHECK(done);
    CHECK(skip > 1);
  }
  fake_cuda::reset();
}

TEST_CASE("allow_launch checks and permits what a launch would, and launches nothing") {
  FakeModule module;
  const auto kernel = module.kernel("empty");
  fake_cuda::reset();
  LaunchConfig config = with(cluster_of(16));
  config.shared_size = 64 * 1024;
  kernel->allow_launch(config);
  CHECK(fake_cuda::calls("cuKernelSetAttribute") == 2);
  CHECK(fake_cuda::launches().empty());
  config.grid = 17;
  CHECK_THROWS_AS(kernel->allow_launch(config), kiln::ArgumentError);
}

}  // namespace attributes_test
