#include "bulk_runs.hpp"

#include <bit>

namespace bulk_copies_test {

using namespace kiln::emulator;

namespace {

constexpr std::uint32_t untouched = 0x77777777;

std::string shared_load(const std::string& operands) {
  return "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes " + operands;
}

void check_done(const BulkRun& run) { REQUIRE_MESSAGE(run.outcome.result == CUDA_SUCCESS, run.outcome.report); }

void check_fault(const std::string& body, CUresult result, const std::string& text) {
  CAPTURE(body);
  const BulkRun run = run_bulk(body, counted());
  CHECK_MESSAGE(run.outcome.result == result, run.outcome.report);
  CHECK_MESSAGE(run.outcome.report.find(text) != std::string::npos, run.outcome.report);
}

}  // namespace

TEST_CASE("emulator cp.async.bulk: global to shared memory, with every spelling") {
  for (const std::string& copy :
       {shared_load("[%r0+32], [%in+16], 48, [bar];"),
        std::string("cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes [%r0+32], [%in+16], 48, [bar];"),
        std::string("mov.u32 %r5, 48; mov.b64 %d5, 0; cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes"
                    ".L2::cache_hint [s+32], [%in+16], %r5, [bar], %d5;"),
        std::string("mov.u16 %h1, 1; cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes"
                    ".multicast::cluster [%r0+32], [%in+16], 48, [bar], %h1;")}) {
    CAPTURE(copy);
    const BulkRun run = run_bulk(copy + "\n" + wait_for(48) + dump_shared(), counted());
    check_done(run);
    for (std::uint32_t i = 0; i < run.out.size(); ++i) {
      const bool copied = i >= 8 && i < 20;
      REQUIRE(run.out[i] == (copied ? i - 4 : untouched));
    }
  }
}

TEST_CASE("emulator cp.async.bulk: shared to global and to shared memory, whole and by a mask of bytes") {
  const std::string wait = "cp.async.bulk.commit_group; cp.async.bulk.wait_group.read 0; cp.async.bulk.wait_group 0;";
  BulkRun run = run_bulk(take_shared() + "cp.async.bulk.global.shared::cta.bulk_group [%out+64], [s+16], 32;\n" + wait,
                         counted());
  check_done(run);
  for (std::uint32_t i = 0; i < 64; ++i) CHECK(run.out[i] == (i >= 16 && i < 24 ? i - 12 : 0));

  run = run_bulk(take_shared() +
                     "mov.u16 %h1, 0x8001;\ncp.async.bulk.global.shared::cta.bulk_group.cp_mask [%out], "
                     "[s], 32, %h1;\n" +
                     wait,
                 std::vector<std::uint32_t>(2048, 0xABABABABu));
  check_done(run);
  for (std::uint32_t i = 0; i < 12; ++i)
    CHECK(run.out[i] == (i >= 8 ? 0 : i % 4 == 0 ? 0xABu : i % 4 == 3 ? 0xAB000000u : 0u));

  run = run_bulk(take_shared() +
                     "cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [s+1024], [s], "
                     "16, [bar];\n" +
                     wait_for(16) + dump_shared(),
                 counted());
  check_done(run);
  for (std::uint32_t i = 0; i < 4; ++i) CHECK(run.out[256 + i] == i);
  CHECK(run.out[260] == 260);
}

TEST_CASE("emulator cp.reduce.async.bulk: each operation") {
  const struct {
    const char* operation;
    std::uint32_t old, value, result;
  } cases[] = {{"add.u32", 7, 0xFFFFFFFE, 5},
               {"add.s32", 7, 0xFFFFFFFE, 5},
               {"min.u32", 7, 0xFFFFFFFE, 7},
               {"min.s32", 7, 0xFFFFFFFE, 0xFFFFFFFE},
               {"max.u32", 7, 0xFFFFFFFE, 0xFFFFFFFE},
               {"max.s32", 7, 0xFFFFFFFE, 7},
               {"inc.u32", 7, 7, 0},
               {"inc.u32", 6, 7, 7},
               {"dec.u32", 0, 9, 9},
               {"dec.u32", 5, 9, 4},
               {"and.b32", 6, 3, 2},
               {"or.b32", 6, 3, 7},
               {"xor.b32", 6, 3, 5},
               {"add.f32", std::bit_cast<std::uint32_t>(1.5f), std::bit_cast<std::uint32_t>(2.25f),
                std::bit_cast<std::uint32_t>(3.75f)},
               {"add.noftz.f16", 0x3C003C00, 0x40004000, 0x42004200},
               {"max.bf16", 0x3F803F80, 0x40004000, 0x40004000},
               {"min.f16", 0x3C003C00, 0xC000C000, 0xC000C000}};
  for (const auto& each : cases) {
    CAPTURE(each.operation);
    const std::vector<std::uint32_t> values(2048, each.value), old(2048, each.old);
    const BulkRun run = run_bulk(take_shared() + "cp.reduce.async.bulk.global.shared::cta.bulk_group." +
                                     each.operation + " [%out+16], [s], 16;\ncp.async.bulk.commit_group;",
                                 values, old);
    check_done(run);
    for (std::uint32_t i = 0; i < 12; ++i) CHECK(run.out[i] == (i >= 4 && i < 8 ? each.result : each.old));
  }
  const BulkRun run =
      run_bulk(take_shared() +
                   "cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.add.u64 [s+64], "
                   "[s], 16, [bar];\n" +
                   wait_for(16) + dump_shared(),
               counted());
  check_done(run);
  CHECK(run.out[16] == 16);
  CHECK(run.out[17] == 18);
  CHECK(run.out[19] == 22);
  CHECK(run.out[20] == 20);
}

TEST_CASE("emulator st.bulk writes zeros, and a bulk prefetch nothing") {
  TestModule module(
      bulk_kernel(
          "cp.async.bulk.prefetch.L2.global [%in], 64; mov.u64 %d2, 24; st.bulk.weak.shared::cta [%r0+8], %d2, 0;\n"
          "cvta.shared.u64 %d3, s; mov.u32 %r6, s; cvt.u64.u32 %d3, %r6; cvta.shared.u64 %d3, %d3; st.bulk [%d3+64], "
          "8, "
          "0;" +
              dump_shared(),
          "sm_100"),
      100);
  const BulkRun run = run_bulk(module, counted());
  check_done(run);
  for (std::uint32_t i = 0; i < 32; ++i) {
    const bool zero = (i >= 2 && i < 8) || i == 16 || i == 17;
    CHECK(run.out[i] == (zero ? 0 : untouched));
  }
}

TEST_CASE("emulator bulk copies: what is misaligned, out of bounds or not initialised stops the kernel") {
  check_fault("mov.u32 %r7, 24;\n" + shared_load("[%r0], [%in], %r7, [bar];"), CUDA_ERROR_MISALIGNED_ADDRESS,
              "the size of a bulk copy, 0x18 is no multiple of 16");
  check_fault(shared_load("[%r0+8], [%in], 16, [bar];"), CUDA_ERROR_MISALIGNED_ADDRESS, "the target of a bulk copy");
  check_fault(shared_load("[%r0], [%in+4], 16, [bar];"), CUDA_ERROR_MISALIGNED_ADDRESS, "the source of a bulk copy");
  check_fault(shared_load("[%r0], [%in], 16, [unset];"), CUDA_ERROR_LAUNCH_FAILED, "not initialised");
  check_fault(shared_load("[%r0+8192], [%in], 32, [bar];"), CUDA_ERROR_ILLEGAL_ADDRESS, "of shared memory");
  check_fault(shared_load("[%r0], [%in+8176], 32, [bar];"), CUDA_ERROR_ILLEGAL_ADDRESS, "0 bytes past the end of");
  check_fault("cp.async.bulk.global.shared::cta.bulk_group [%out+8176], [s], 32;", CUDA_ERROR_ILLEGAL_ADDRESS,
              "writes 16 bytes");
  check_fault(
      "mov.u16 %h1, 3;\ncp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster "
      "[%r0], [%in], 16, [bar], %h1;",
      CUDA_ERROR_ILLEGAL_ADDRESS, "names block 1");
}

TEST_CASE("emulator bulk copies: what ptxas refuses is refused, what is newer stops the kernel by name") {
  CHECK_THROWS_AS(TestModule(bulk_kernel("cp.async.bulk.shared::cluster.global [%r0], [%in], 16, [bar];")),
                  ptx::ParseError);
  CHECK_THROWS_AS(TestModule(bulk_kernel(shared_load("[%r0], [%in], 16;"))), ptx::ParseError);
  CHECK_THROWS_AS(
      TestModule(bulk_kernel("cp.reduce.async.bulk.global.shared::cta.bulk_group.min.f32 [%out], [s], 16;")),
      ptx::ParseError);
  check_fault(
      "cp.async.bulk.tensor.2d.shared::cta.global.tile::gather4.mbarrier::complete_tx::bytes [%r0], "
      "[%map, {%r1, %r1, %r1, %r1, %r1}], [bar];",
      CUDA_ERROR_NOT_SUPPORTED, "tile::gather4");
}

}  // namespace bulk_copies_test
