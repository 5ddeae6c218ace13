// What a function tells of itself, what can be set, and its occupancy.
#include "fake_cuda.hpp"
#include "fake_kernels.hpp"

#include <kiln/error.hpp>
#include <kiln/function.hpp>

#include <cuda.h>
#include <doctest/doctest.h>

#include <functional>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace function_attributes_test {

namespace {

using kiln::FunctionAttribute;

constexpr std::size_t kib = 1024;

}  // namespace

TEST_CASE("attributes have PyCUDA's names and the driver's numbers") {
  CHECK(static_cast<int>(FunctionAttribute::num_regs) == CU_FUNC_ATTRIBUTE_NUM_REGS);
  CHECK(static_cast<int>(FunctionAttribute::cache_mode_ca) == CU_FUNC_ATTRIBUTE_CACHE_MODE_CA);
  CHECK(static_cast<int>(FunctionAttribute::preferred_shared_memory_carveout) ==
        CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT);
  CHECK(static_cast<int>(FunctionAttribute::non_portable_cluster_size_allowed) ==
        CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED);
  CHECK(static_cast<int>(FunctionAttribute::cluster_scheduling_policy_preference) ==
        CU_FUNC_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE);
  CHECK(static_cast<int>(kiln::CacheConfig::prefer_shared) == CU_FUNC_CACHE_PREFER_SHARED);
  CHECK(static_cast<int>(kiln::CacheConfig::prefer_equal) == CU_FUNC_CACHE_PREFER_EQUAL);
  FakeModule module;
  const kiln::Function empty(kiln::passkey, module.kernel("empty", true, 1000));
  CHECK(empty.attribute(FunctionAttribute::binary_version) == empty.binary_version());
  CHECK(empty.max_dynamic_shared_size_bytes() == 48 * 1024);
  CHECK(empty.cache_mode_ca() == 0);
  CHECK(empty.required_cluster() == kiln::Dim3{});
}

TEST_CASE("a table of all attributes, without what the driver does not know") {
  FakeModule module;
  const kiln::Function empty = module.function("empty");
  empty.set_attribute(FunctionAttribute::preferred_shared_memory_carveout, 40);
  const std::map<std::string, int> all = empty.attributes();
  CHECK(all.at("preferred_shared_memory_carveout") == 40);
  CHECK(all.at("max_dynamic_shared_size_bytes") == 48 * 1024);
  CHECK(all.at("num_regs") == empty.num_regs());
  for (const CUresult unknown : {CUDA_ERROR_INVALID_VALUE, CUDA_ERROR_NOT_SUPPORTED}) {
    fake_cuda::fail("cuKernelGetAttribute", unknown);
    const std::map<std::string, int> others = empty.attributes();
    CHECK(others.count("max_threads_per_block") == 0);
    CHECK(others.size() == all.size() - 1);
  }
  fake_cuda::fail("cuKernelGetAttribute", CUDA_ERROR_OUT_OF_MEMORY);
  CHECK_THROWS_WITH_AS((void)empty.attributes(), doctest::Contains("max_threads_per_block of kernel empty"),
                       kiln::DriverError);
}

TEST_CASE("what is set is told again, by every copy") {
  FakeModule module;
  const kiln::Function empty = module.function("empty");
  const kiln::Function copy = empty;
  empty.set_attribute(FunctionAttribute::preferred_shared_memory_carveout, 40);
  CHECK(copy.preferred_shared_memory_carveout() == 40);
  fake_cuda::reset();
  empty.set_cache_config(kiln::CacheConfig::prefer_l1);
  CHECK(fake_cuda::calls("cuKernelSetCacheConfig") == 1);
  try {
    empty.set_attribute(FunctionAttribute::num_regs, 12);
    FAIL("accepted");
  } catch (const kiln::DriverError& error) {
    CHECK(error.call() == "cuKernelSetAttribute");
    CHECK(contains(error.what(), "for 12 as attribute 4 of kernel empty on device 0"));
  }
  fake_cuda::fail("cuKernelSetCacheConfig", CUDA_ERROR_OUT_OF_MEMORY);
  CHECK_THROWS_AS(empty.set_cache_config(kiln::CacheConfig::prefer_none), kiln::DriverError);
  fake_cuda::reset();
}

TEST_CASE("the maximum of dynamic shared memory only rises, whoever asks") {
  FakeModule module;
  const kiln::Function empty = module.function("empty");
  fake_cuda::reset();
  const auto permissions = [] { return fake_cuda::calls("cuKernelSetAttribute"); };
  empty.set_attribute(FunctionAttribute::max_dynamic_shared_size_bytes, 100 * 1024);
  CHECK(empty.max_dynamic_shared_size_bytes() == 100 * 1024);
  CHECK(permissions() == 1);
  empty({1, 1, 100 * kib});  // needs no permission any more
  CHECK(permissions() == 1);
  empty.set_attribute(FunctionAttribute::max_dynamic_shared_size_bytes, 10);
  CHECK(empty.max_dynamic_shared_size_bytes() == 100 * 1024);
  kiln::LaunchConfig config{2, 1, 120 * kib};
  config.attributes.cluster = 2;
  empty(config);
  CHECK(permissions() == 2);
  CHECK(empty.max_active_blocks_per_multiprocessor(128, 120 * kib) == 1);
  CHECK(permissions() == 2);
  CHECK(empty.max_active_blocks_per_multiprocessor(128, 130 * kib) == 1);
  CHECK(empty.max_potential_block_size(140 * kib).block_size == 1024);
  CHECK(permissions() == 4);
  config.shared_size = 150 * kib;
  CHECK(empty.max_active_clusters(config) == 66);
  CHECK(empty.max_dynamic_shared_size_bytes() == 150 * 1024);
  CHECK_THROWS_AS(empty.set_attribute(FunctionAttribute::max_dynamic_shared_size_bytes, -1), kiln::ArgumentError);
  CHECK_THROWS_AS(empty.set_attribute(FunctionAttribute::max_dynamic_shared_size_bytes, 232449), kiln::ArgumentError);
}

TEST_CASE("occupancy is the driver's") {
  FakeModule module;
  const kiln::Function empty = module.function("empty");
  CHECK(empty.max_active_blocks_per_multiprocessor(1024) == 2);
  CHECK(empty.max_active_blocks_per_multiprocessor({16, 16}) == 8);
  CHECK(empty.max_active_blocks_per_multiprocessor(32, 100 * kib) == 2);
  CHECK(empty.max_potential_block_size().block_size == 1024);
  CHECK(empty.max_potential_block_size().min_grid_size == 264);
  CHECK(empty.max_potential_block_size(0, 256).block_size == 256);
  CHECK(empty.available_dynamic_shared_size(2, 256) == 115712);
  kiln::LaunchConfig config{16, 128};
  CHECK(empty.max_potential_cluster_size(config) == 8);
  config.attributes.cluster = 4;
  CHECK(empty.max_active_clusters(config) == 33);
  config.attributes.cluster = 16;
  CHECK(empty.max_active_clusters(config) == 8);
  config.attributes.cluster = 32;
  CHECK(empty.max_active_clusters(config) == 0);
  CHECK(empty.max_potential_cluster_size(config) == 16);
}

TEST_CASE("the best block for shared memory that depends on the block") {
  FakeModule module;
  const kiln::Function empty = module.function("empty");
  // Two blocks of 576 threads keep more of them resident than one of 1024.
  const auto bytes = [](int threads) { return static_cast<std::size_t>(threads) * 200; };
  const kiln::PotentialBlockSize best = empty.max_potential_block_size(bytes);
  CHECK(best.block_size == 576);
  CHECK(best.min_grid_size == 264);
  CHECK(empty.max_dynamic_shared_size_bytes() == 1024 * 200);
  CHECK(empty.max_potential_block_size(bytes, 300).block_size == 224);
  CHECK(empty.max_potential_block_size([](int) { return 0; }).block_size == 1024);
}

TEST_CASE("blocks that need more shared memory than there is do not count") {
  FakeModule module;
  const kiln::Function empty = module.function("empty");
  const auto kib_of = [](int threads) { return static_cast<std::size_t>(threads) * kib; };
  CHECK(empty.max_potential_block_size(kib_of).block_size == 224);
  CHECK(empty.max_dynamic_shared_size_bytes() == 224 * 1024);
  CHECK_THROWS_WITH_AS((void)empty.max_potential_block_size([](int) { return 300 * kib; }),
                       doctest::Contains("expected at most 232448 bytes, given at least 307200 bytes"),
                       kiln::ArgumentError);
  const auto negative_below_100 = [](int threads) { return threads < 100 ? -4 : 4; };
  CHECK_THROWS_WITH_AS((void)empty.max_potential_block_size(negative_below_100),
                       doctest::Contains("of a block of 96 threads: expected at least 0 bytes, given -4 bytes"),
                       kiln::ArgumentError);
  CHECK_THROWS_AS((void)empty.max_potential_block_size(kib_of, -1), kiln::ArgumentError);
  CHECK_THROWS_AS((void)empty.max_potential_block_size(std::function<std::size_t(int)>()), kiln::ArgumentError);
}

TEST_CASE("the callable is asked once a block, and what it throws comes out") {
  FakeModule module;
  const kiln::Function empty = module.function("empty");
  std::vector<int> asked;
  const auto note = [&](int threads) {
    asked.push_back(threads);
    return std::size_t{0};
  };
  CHECK(empty.max_potential_block_size(note, 70).block_size == 64);
  CHECK(asked == std::vector<int>{70, 64, 32});
  const auto throws = [](int) -> std::size_t { throw std::runtime_error("no size"); };
  CHECK_THROWS_WITH_AS((void)empty.max_potential_block_size(throws), "no size", std::runtime_error);
  // It may ask of another function itself.
  const auto nested = [&](int threads) {
    return static_cast<std::size_t>(empty.max_potential_block_size(0, threads).block_size);
  };
  CHECK(empty.max_potential_block_size(nested).block_size == 1024);
}

TEST_CASE("occupancy of what cannot be is refused") {
  FakeModule module;
  const kiln::Function empty = module.function("empty");
  CHECK_THROWS_AS(empty.max_active_blocks_per_multiprocessor(2000), kiln::ArgumentError);
  CHECK_THROWS_AS(empty.max_active_blocks_per_multiprocessor({1u << 31, 1u << 31, 4}), kiln::ArgumentError);
  CHECK_THROWS_AS(empty.max_active_blocks_per_multiprocessor(32, 300 * kib), kiln::ArgumentError);
  CHECK_THROWS_AS(empty.max_potential_block_size(300 * kib), kiln::ArgumentError);
  CHECK_THROWS_AS(empty.available_dynamic_shared_size(2, 2000), kiln::ArgumentError);
  // The driver is never asked to divide by nothing.
  for (const int blocks : {0, -1})
    CHECK_THROWS_WITH_AS(empty.available_dynamic_shared_size(blocks, 32),
                         doctest::Contains("kernel empty: blocks on a multiprocessor: expected at least 1, given "),
                         kiln::ArgumentError);
  CHECK_THROWS_AS(empty.available_dynamic_shared_size(2, 0), kiln::ArgumentError);
  CHECK_THROWS_AS(empty.max_active_blocks_per_multiprocessor(0), kiln::ArgumentError);
  CHECK_THROWS_AS(empty.max_potential_block_size(0, -1), kiln::ArgumentError);
  CHECK_THROWS_AS(empty.max_active_clusters({16, 0}), kiln::ArgumentError);
  CHECK_THROWS_AS(empty.max_active_clusters({16, 2000}), kiln::ArgumentError);
  CHECK_THROWS_AS(empty.max_potential_cluster_size({16, 0}), kiln::ArgumentError);
  kiln::LaunchConfig config{16, 128};
  config.attributes.cluster = kiln::Dim3(0);
  CHECK_THROWS_AS(empty.max_active_clusters(config), kiln::ArgumentError);
}

TEST_CASE("every driver call of a query that fails is named") {
  FakeModule module;
  const kiln::Function empty = module.function("empty");
  kiln::LaunchConfig config{16, 128};
  config.attributes.cluster = 4;
  const auto fails = [&](const char* call, const auto& query) {
    fake_cuda::reset();
    fake_cuda::fail(call, CUDA_ERROR_OUT_OF_MEMORY);
    try {
      (void)query();
      FAIL("no error");
    } catch (const kiln::DriverError& error) {
      CHECK(error.call() == call);
      CHECK(contains(error.what(), "kernel empty on device 0"));
    }
  };
  fails("cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags",
        [&] { return empty.max_active_blocks_per_multiprocessor(32); });
  fails("cuOccupancyMaxPotentialBlockSizeWithFlags", [&] { return empty.max_potential_block_size().block_size; });
  fails("cuOccupancyAvailableDynamicSMemPerBlock", [&] { return empty.available_dynamic_shared_size(1, 32); });
  fails("cuOccupancyMaxActiveClusters", [&] { return empty.max_active_clusters(config); });
  fails("cuOccupancyMaxPotentialClusterSize", [&] { return empty.max_potential_cluster_size(config); });
  fails("cuKernelGetAttribute", [&] { return empty.num_regs(); });
  fake_cuda::reset();
}

}  // namespace function_attributes_test
