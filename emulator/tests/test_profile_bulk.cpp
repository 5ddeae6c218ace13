// What the profile counts for bulk copies, copies by tensor maps, the barriers that they complete, and wgmma.
#include "bulk_runs.hpp"
#include "profile_fixture.hpp"

#include <string>

namespace profile_bulk_test {

using namespace kiln::emulator;

namespace {

/// What the row that begins so counts.
struct BulkCounts {
  Counted global_loads, global_stores, shared_loads, shared_stores;
  std::uint64_t atomics = 0, shared_atomics = 0;
};

BulkCounts counts_of(const std::string& body, const std::string& beginning, TensorMap* map = nullptr,
                     bool stores = false) {
  const ProfileScope profile;
  const BulkRun run = run_bulk(body, counted(), {}, map, stores);
  REQUIRE_MESSAGE(run.outcome.result == CUDA_SUCCESS, run.outcome.report);
  const Counters& counters = row_named(profile.entry(), beginning).counters;
  return {counted(counters, Counter::global_load_requests),
          counted(counters, Counter::global_load_requests, Operation::store),
          counted(counters, Counter::shared_load_requests),
          counted(counters, Counter::shared_load_requests, Operation::store),
          counters[counter_of(Counter::global_load_requests, Operation::atomic, AccessCounter::thread_bytes)],
          counters[counter_of(Counter::shared_load_requests, Operation::atomic, AccessCounter::thread_bytes)]};
}

BulkCounts loaded(const std::string& offset, unsigned bytes) {
  return counts_of("add.u64 %d5, %in, " + offset +
                       ";\ncp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r0], [%d5], " +
                       std::to_string(bytes) + ", [bar];\n" + wait_for(bytes),
                   "cp.async.bulk.shared");
}

constexpr Counted nothing{0, 0, 0, 0, 0};

TensorMap matrix() {
  TensorMap map;
  map.type = CU_TENSOR_MAP_DATA_TYPE_UINT32;
  map.rank = 2;
  map.sizes = {20, 12, 1, 1, 1};
  map.strides = {96, 0, 0, 0};
  map.box = {8, 4, 1, 1, 1};
  return map;
}

const std::string at_the_edge = "mov.s32 %r7, 16; mov.s32 %r8, 2;\n";

}  // namespace

TEST_CASE("profile: a bulk load counts the sectors that it reads, and what it writes by 16 bytes") {
  const BulkCounts whole = loaded("0", 288);
  CHECK(whole.global_loads == Counted{9, 9, 9, 288, 288});
  CHECK(whole.shared_stores == Counted{18, 18, 18, 0, 288});
  CHECK(whole.global_stores == nothing);
  CHECK(whole.shared_loads == nothing);
  CHECK(whole.shared_atomics == 8);  // the bytes arrive at the mbarrier
  CHECK(loaded("16", 288).global_loads == Counted{10, 10, 10, 288, 288});
  CHECK(loaded("48", 16).global_loads == Counted{1, 1, 1, 16, 16});
}

TEST_CASE("profile: a bulk store counts the sectors that it writes") {
  const BulkCounts counts = counts_of(
      "add.u64 %d5, %out, 32;\ncp.async.bulk.global.shared::cta.bulk_group [%d5], [%r0], 80;\n"
      "cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;\n",
      "cp.async.bulk.global");
  CHECK(counts.global_stores == Counted{3, 3, 3, 80, 80});
  CHECK(counts.shared_loads == Counted{5, 5, 5, 0, 80});
  CHECK(counts.global_loads == nothing);
  CHECK(counts.shared_stores == nothing);
}

TEST_CASE("profile: a bulk reduction counts an atomic operation for each element") {
  const BulkCounts counts = counts_of(
      "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%out], [%r0], 64;\n"
      "cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;\n",
      "cp.reduce.async.bulk.global");
  CHECK(counts.atomics == 64);
  CHECK(counts.shared_loads == Counted{4, 4, 4, 0, 64});
  CHECK(counts.global_stores == nothing);
}

TEST_CASE("profile: a box that is loaded counts what it reads within the tensor, and all that it writes") {
  TensorMap map = matrix();
  const BulkCounts counts =
      counts_of(at_the_edge +
                    "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%r0], [%map, "
                    "{%r7, %r8}], [bar];\n" +
                    wait_for(128),
                "cp.async.bulk.tensor", &map);
  CHECK(counts.global_loads == Counted{8, 8, 8, 192, 192});  // 128 bytes of them are the map
  CHECK(counts.shared_stores == Counted{8, 8, 8, 0, 128});
  CHECK(counts.shared_atomics == 8);
}

TEST_CASE("profile: a box that is stored counts what it writes within the tensor") {
  TensorMap map = matrix();
  const BulkCounts counts =
      counts_of(at_the_edge +
                    "cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%map, {%r7, %r8}], [%r0];\n"
                    "cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;\n",
                "cp.async.bulk.tensor", &map, true);
  CHECK(counts.global_stores == Counted{4, 4, 4, 64, 64});
  CHECK(counts.shared_loads.thread_bytes == 128);
  CHECK(counts.shared_stores == nothing);
}

TEST_CASE("profile: a wait at an mbarrier is a load, and no atomic operation of many lanes on one address") {
  const ProfileScope profile;
  TestModule module(
      ptx_module(".visible .entry k()\n{\n.shared .align 8 .b64 bar; .reg .pred %p<3>; .reg .u32 %r<3>;\n"
                 "mov.u32 %r1, %tid.x; setp.ne.u32 %p1, %r1, 0; @%p1 bra BEHIND;\n"
                 "mbarrier.init.shared.b64 [bar], 1;\nmbarrier.arrive.shared.b64 _, [bar];\n"
                 "BEHIND: bar.sync 0;\n"
                 "WAIT:\nmbarrier.try_wait.parity.shared.b64 %p2, [bar], 0;\n@!%p2 bra WAIT;\nret;\n}\n"));
  REQUIRE(module.launch("k", {1}, {32}).result == CUDA_SUCCESS);
  const InstructionCounts& row = row_named(profile.entry(), "mbarrier.try_wait");
  CHECK(counted(row.counters, Counter::shared_load_requests) == Counted{1, 1, 1, 0, 256});
  CHECK(row.counters[Counter::atomic_threads] == 0);
  CHECK(row.access.value().operation == std::string("load"));
  CHECK(row_named(profile.entry(), "mbarrier.arrive").counters[Counter::atomic_threads] == 1);
  for (const Advice& advice : advice_for(profile.entry())) CHECK(advice.rule != "atomic_conflicts");
}

TEST_CASE("profile: what commits or awaits a group accesses nothing") {
  const ProfileScope profile;
  const BulkRun run = run_bulk("cp.async.bulk.commit_group;\ncp.async.bulk.wait_group 0;\n", counted());
  REQUIRE(run.outcome.result == CUDA_SUCCESS);
  CHECK(!row_named(profile.entry(), "cp.async.bulk.commit_group").access.has_value());
  CHECK(!row_named(profile.entry(), "cp.async.bulk.wait_group").access.has_value());
}

TEST_CASE("profile: each warp of a warp group has a quarter of the operations of wgmma") {
  const ProfileScope profile;
  TestModule module(ptx_module(
      ".visible .entry k() {\n.shared .align 1024 .b8 room[8192]; .reg .b32 %r<8>; .reg .f32 %x<8>; .reg .b64 %d<4>;\n"
      "mov.u32 %r0, room; shr.u32 %r0, %r0, 4; cvt.u64.u32 %d0, %r0; or.b64 %d0, %d0, 0x0000000800010000;\n"
      "wgmma.fence.sync.aligned;\n"
      "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%x0, %x1, %x2, %x3}, %d0, %d0, 0, 1, 1, 0, 0;\n"
      "wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0; ret; }\n",
      "sm_90a"));
  const LaunchOutcome outcome = module.launch("k", {1}, {128});
  REQUIRE_MESSAGE(outcome.result == CUDA_SUCCESS, outcome.report);
  CHECK(profile.total()[Counter::flops_tensor] == 2 * 64 * 8 * 16);
  CHECK(row_named(profile.entry(), "wgmma.mma_async").kind == InstructionKind::tensor);
  CHECK(row_named(profile.entry(), "wgmma.fence").kind == InstructionKind::control);
}

}  // namespace profile_bulk_test
