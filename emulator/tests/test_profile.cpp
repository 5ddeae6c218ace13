// Executions, divergence, barriers, and what reports say.
#include "emulator/machine/block.hpp"
#include "emulator/machine/launch_profile.hpp"
#include "emulator/profile/json_report.hpp"
#include "emulator/profile/reports.hpp"

#include "profile_fixture.hpp"

#include <nlohmann/json.hpp>

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

namespace kiln::emulator::profile_test {
namespace {

using Json = nlohmann::json;

std::string body(const std::string& text) {
  return ptx_module(
      ".visible .entry k(.param .u64 p_out)\n{\n"
      ".reg .pred %p<4>; .reg .b32 %r<10>; .reg .f32 %f<10>; .reg .f64 %e<4>; .reg .b64 %d<10>;\n"
      "mov.u32 %r1, %tid.x;\n" +
      text + "\nret;\n}\n");
}

void launch(const TestModule& module, Dim3 grid, Dim3 block, std::uint64_t out = 0) {
  LaunchRequest request = module.made("k", grid, block);
  TestModule::append(request.params, out);
  const LaunchOutcome outcome = run_launch(request);
  REQUIRE_MESSAGE(outcome.result == CUDA_SUCCESS, outcome.report);
}

Json report() { return Json::parse(ProfileStore::get().locked(json_report)); }

constexpr const char* branchy =
    "and.b32 %r2, %r1, 1; setp.eq.u32 %p1, %r2, 0;\n"
    "@%p1 bra even;\n"
    "add.u32 %r3, %r3, 1;\n"
    "even:\n"
    "xor.b32 %r4, %r4, 1;";

}  // namespace

TEST_CASE("profile: executions by warps and threads, and branches whose lanes part") {
  const ProfileScope profile;
  launch(TestModule(body(branchy)), {3}, {80});  // warps of 32, 32 and 16 threads
  const InstructionCounts& branch = row_named(profile.entry(), "@%p1 bra");
  CHECK(branch.counters[Counter::inst_executed] == 9);
  CHECK(branch.counters[Counter::thread_inst_executed] == 240);
  CHECK(branch.counters[Counter::thread_inst_executed_true] == 120);
  CHECK(branch.counters[Counter::branches] == 9);
  CHECK(branch.counters[Counter::branches_divergent] == 9);
  CHECK(branch.kind == InstructionKind::control);
  const InstructionCounts& odd = row_named(profile.entry(), "add.u32");
  CHECK(odd.counters[Counter::inst_executed] == 9);
  CHECK(odd.counters[Counter::thread_inst_executed] == 120);
  const InstructionCounts& behind = row_named(profile.entry(), "xor.b32");  // together again
  CHECK(behind.counters[Counter::inst_executed] == 9);
  CHECK(behind.counters[Counter::thread_inst_executed] == 240);
}

TEST_CASE("profile: whole warps that go different ways do not diverge") {
  const ProfileScope profile;
  launch(TestModule(
             body("setp.lt.u32 %p1, %r1, 32;\n@%p1 bra first;\nadd.u32 %r3, %r3, 1;\nfirst:\nxor.b32 %r4, %r4, 1;")),
         {1}, {64});
  CHECK(profile.total()[Counter::branches] == 2);
  CHECK(profile.total()[Counter::branches_divergent] == 0);
  // A branch that no lane takes is executed all the same.
  CHECK(row_named(profile.entry(), "@%p1 bra").counters[Counter::thread_inst_executed_true] == 32);
  CHECK(row_named(profile.entry(), "@%p1 bra").counters[Counter::thread_inst_executed] == 64);
}

TEST_CASE("profile: brx.idx diverges where its lanes have different numbers") {
  for (const unsigned mask : {0u, 1u}) {
    const ProfileScope profile;
    launch(TestModule(body("and.b32 %r2, %r1, " + std::to_string(mask) +
                           ";\nways: .branchtargets first, second;\nbrx.idx %r2, ways;\n"
                           "first:\nadd.u32 %r3, %r3, 1;\nbra end;\nsecond:\nxor.b32 %r4, %r4, 1;\nend:")),
           {1}, {32});
    CHECK(profile.total()[Counter::branches] == 1);
    CHECK(profile.total()[Counter::branches_divergent] == mask);
  }
}

TEST_CASE("profile: how long warps wait at a barrier, in instructions") {
  const ProfileScope profile;
  launch(TestModule(body("setp.lt.u32 %p1, %r1, 32;\nsetp.ge.u32 %p2, %r1, 64;\n@%p1 bra most;\n@%p2 bra more;\n"
                         "bra wait;\nmost:\nadd.u32 %r3, %r3, 1; add.u32 %r3, %r3, 1; add.u32 %r3, %r3, 1; "
                         "add.u32 %r3, %r3, 1; bra wait;\nmore:\nadd.u32 %r3, %r3, 1;\nadd.u32 %r3, %r3, 1;\n"
                         "wait:\nbar.sync 0;")),
         {2}, {96});
  // Up to the barrier: warp 0: mov, 2 setp, bra, 4 add, bra = 9; warp 1: mov, 2 setp, 3 bra = 6; warp 2: mov, 2 setp,
  // 2 bra, 2 add = 7.
  const InstructionCounts& barrier = row_named(profile.entry(), "bar.sync");
  CHECK(barrier.counters[Counter::barrier_arrivals] == 6);
  CHECK(barrier.counters[Counter::barrier_steps_waited] == 2 * (3 + 2));
}

TEST_CASE("profile: floating-point operations by type") {
  const ProfileScope profile;
  launch(TestModule(body("add.f32 %f1, %f2, %f3; fma.rn.f32 %f1, %f2, %f3, %f4; fma.rn.f64 %e1, %e2, %e3, %e1;\n"
                         "setp.lt.f32 %p1, %f1, %f2;\nadd.f16x2 %r2, %r3, %r4; @%p1 mul.f32 %f5, %f6, %f7;")),
         {1}, {32});
  CHECK(profile.total()[Counter::flops_fp32] == 96);  // the predicate of mul is false
  CHECK(profile.total()[Counter::flops_fp64] == 64);
  CHECK(profile.total()[Counter::flops_fp16] == 64);
  CHECK(row_named(profile.entry(), "setp.lt.f32").kind == InstructionKind::fp32);
}

TEST_CASE("profile: products of matrices") {
  const ProfileScope profile;
  launch(TestModule(body("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f1,%f2,%f3,%f4}, {%r2,%r3,%r4,%r5}, "
                         "{%r6,%r7}, {%f1,%f2,%f3,%f4};")),
         {1}, {64});
  CHECK(profile.total()[Counter::flops_tensor] == 2 * 2 * 16 * 8 * 16);
}

TEST_CASE("profile: launches of the same sizes are one entry, of all cores together") {
  const ProfileScope profile;
  const unsigned cores = Settings::get().cores;
  Settings::changeable().cores = 4;
  const TestModule module(body(branchy));
  for (int i = 0; i < 3; ++i) launch(module, {64}, {32});
  launch(module, {1}, {64});
  const TestModule same(body(branchy));  // the text is loaded again
  launch(same, {64}, {32});
  Settings::changeable().cores = cores;
  CHECK(ProfileStore::get().entries().size() == 2);
  CHECK(ProfileStore::get().programs().size() == 1);
  CHECK(profile.entry().launches == 4);
  CHECK(row_named(profile.entry(), "@%p1 bra").counters[Counter::inst_executed] == 4 * 64);
  CHECK(profile.entry(1).launches == 1);
}

TEST_CASE("profile: what warp 0 of the first block did, step by step") {
  const ProfileScope profile;
  launch(TestModule(body(branchy)), {4}, {32});
  std::vector<std::pair<std::string, LaneMask>> steps;
  for (const auto& each : profile.entry().trace) steps.emplace_back(each.row->text.substr(0, 8), each.active);
  REQUIRE(steps.size() == 7);
  CHECK(steps[3] == std::pair<std::string, LaneMask>("@%p1 bra", 0x55555555u));
  CHECK(steps[4] == std::pair<std::string, LaneMask>("add.u32 ", 0xAAAAAAAAu));
  CHECK(steps[5] == std::pair<std::string, LaneMask>("xor.b32 ", all_lanes));
}

TEST_CASE("profile: without it nothing is watched, and the steps are the same") {
  REQUIRE(Settings::get().profile.empty());
  const std::string text =
      body(std::string(branchy) + "\nld.param.u64 %d1, [p_out]; st.global.u32 [%d1], %r4; bar.sync 0;");
  const TestModule off(text);
  LaunchRequest request = off.made("k", {1}, {32});
  CHECK(LaunchProfile::make_if_enabled(request) == nullptr);
  LaunchState state(request);
  const Block block(state, {0, 0, 0});
  CHECK(!block.watches_accesses());
  CHECK(!block.watches_barriers());
  const ProfileScope profile;
  const TestModule on(text);
  const std::vector<Step>&before = off.image().code("k")->steps, &after = on.image().code("k")->steps;
  REQUIRE(before.size() == after.size());
  for (std::size_t i = 0; i < before.size(); ++i) CHECK((before[i].run == after[i].run));
  CHECK(ProfileStore::get().entries().empty());
}

TEST_CASE("profile: the JSON has lines, samples and advice, whatever the source holds") {
  const ProfileScope profile;
  const std::string source =
      "\n.file 1 \"a</script>\\377.cu\"\n//kiln-source a</script>\\377.cu\n//|first\n//|</script>\xFF\n";
  const Buffer<std::uint8_t> memory(std::vector<std::uint8_t>(4096));
  launch(TestModule(body(".loc 1 2 0\nld.param.u64 %d1, [p_out]; mul.wide.u32 %d2, %r1, 128; add.u64 %d1, %d1, %d2;\n"
                         "st.global.u32 [%d1], %r1;") +
                    source),
         {1}, {32}, memory.address());
  const Json json = report();
  CHECK(json.at("format") == "kiln-emulator-profile");
  CHECK(json.at("version") == 1);
  REQUIRE(json.at("sources").size() == 1);
  CHECK(json["sources"][0]["text"].size() == 2);
  CHECK(json["sources"][0]["text"][1] == "</script>\xEF\xBF\xBD");
  const Json& launched = json.at("launches").at(0);
  CHECK(launched["kernel"] == "k");
  CHECK(launched["totals"]["global_store_sectors"] == 32);
  CHECK(launched["totals"]["global_bytes"] == 32 * 32);
  CHECK(launched["totals"]["threads"] == 32);
  CHECK(launched["busiest_thread"]["global_writes"] == 1);
  const auto line = std::find_if(launched["lines"].begin(), launched["lines"].end(),
                                 [](const Json& each) { return each["line"] == 2; });
  REQUIRE(line != launched["lines"].end());
  CHECK((*line)["counters"]["global_store_requests"] == 1);
  REQUIRE(launched["samples"].size() == 2);
  const Json& sample = launched["samples"][0];
  CHECK(launched["instructions"][sample["instruction"].get<std::size_t>()]["text"] == "st.global.u32 [%d1], %r1;");
  CHECK(sample["offsets"][3] == 384);
  CHECK(sample["sectors"] == 32);
  REQUIRE(launched["advice"].size() == 1);
  CHECK(launched["advice"][0]["rule"] == "uncoalesced_global");
  CHECK(launched["advice"][0]["text"] ==
        "line 2: 32 sectors a request, where 4 would do; consecutive threads are 128 bytes apart");
  for (const auto& [key, value] : launched["totals"].items())
    if (!key.starts_with("thread_inst_executed_op_") && key != "global_bytes" && key != "warps" && key != "threads")
      CHECK_MESSAGE(json["metrics"].contains(key), key);
}

TEST_CASE("profile: of an unrolled loop's instructions the advice is given once") {
  const ProfileScope profile;
  const Buffer<std::uint8_t> memory(std::vector<std::uint8_t>(8192));
  launch(TestModule(body(".loc 1 2 0\nld.param.u64 %d1, [p_out]; mul.wide.u32 %d2, %r1, 128; add.u64 %d1, %d1, %d2;\n"
                         "st.global.u32 [%d1], %r1; st.global.u32 [%d1+4096], %r1;\n.loc 1 3 0\n"
                         "st.global.u32 [%d1], %r1;") +
                    "\n.file 1 \"a.cu\"\n"),
         {1}, {32}, memory.address());
  const std::vector<Advice> advice = advice_for(profile.entry());
  REQUIRE(advice.size() == 2);
  CHECK(advice[0].text == "line 2: 32 sectors a request, where 4 would do; consecutive threads are 128 bytes apart");
  CHECK(advice[0].weight == 2 * advice[1].weight);
  CHECK(advice[1].text.starts_with("line 3: "));
}

TEST_CASE("profile: a branch is no divergence where one way leaves the kernel, or is empty in most warps") {
  const auto advice_of = [](const std::string& text, unsigned threads = 96) {
    const ProfileScope profile;
    launch(TestModule(body(text)), {1}, {threads});
    CHECK(profile.total()[Counter::branches_divergent] > 0);
    const std::vector<Advice> all = advice_for(profile.entry());
    return std::count_if(all.begin(), all.end(), [](const Advice& each) { return each.rule == "divergent_branch"; });
  };
  const std::string few = "setp.ge.u32 %p1, %r1, 70;\n";  // of the last of three warps
  const std::string work = "add.u32 %r3, %r3, 1;\n", join = "xor.b32 %r4, %r4, 1;\n";
  const std::string odd = "and.b32 %r2, %r1, 1; setp.eq.u32 %p1, %r2, 0;\n";
  CHECK(advice_of(few + "@%p1 bra END;\n" + work + "END:") == 0);
  CHECK(advice_of(odd + "@%p1 bra END;\n" + work + "END:") == 0);
  CHECK(advice_of(few + "@!%p1 bra ON;\nret;\nON:\n" + work) == 0);
  CHECK(advice_of(few + "@%p1 bra ON;\n" + work + "ON:\n" + join) == 0);
  CHECK(advice_of(odd + "@%p1 bra ON;\n" + work + "ON:\n" + join) == 1);
  CHECK(advice_of(few + "@%p1 bra ELSE;\n" + work + "bra ON;\nELSE:\n" + work + "ON:\n" + join) == 1);
  // Lanes that leave a loop one after the other.
  CHECK(advice_of("mov.u32 %r2, 0;\nON:\nadd.u32 %r2, %r2, 1; setp.lt.u32 %p1, %r2, %r1;\n@%p1 bra ON;\n") == 1);
  CHECK(advice_of(
            "mov.u32 %r2, 0;\nON:\nsetp.ge.u32 %p1, %r2, %r1;\n@%p1 bra END;\nadd.u32 %r2, %r2, 1;\nbra ON;\nEND:") ==
        1);
}

TEST_CASE("profile: no advice on the accesses of wmma, as a fragment's layout is the emulator's own") {
  const ProfileScope profile;
  const Buffer<std::uint8_t> memory(std::vector<std::uint8_t>(16 * 64 * 2));
  launch(TestModule(body("ld.param.u64 %d1, [p_out]; \n.reg .b32 %x<8>;\n"
                         "wmma.load.a.sync.aligned.row.m16n16k16.f16 {%x0, %x1, %x2, %x3, %x4, %x5, %x6, %x7}, "
                         "[%d1], 64;")),
         {1}, {32}, memory.address());
  const Counters& counters = row_named(profile.entry(), "wmma.load").counters;
  CHECK(counters[Counter::global_load_requests] > 0);
  CHECK(advice_for(profile.entry()).empty());
}

TEST_CASE("profile: the table has a row for each line, and the advice") {
  const ProfileScope profile;
  launch(TestModule(body(branchy)), {1}, {40});
  const std::string table = ProfileStore::get().locked(table_report);
  CHECK(table.find("profile of k, grid (1,1,1), block (40,1,1)\n") == 0);
  CHECK(table.find("all lines") != table.npos);
  CHECK(table.find("2 of 2 times the lanes of a warp go different ways") != table.npos);
  CHECK(table.find("a block of 40 threads takes 2 warps of 32 threads, of which the last has 8") != table.npos);
}

TEST_CASE("profile: a report is written at once, and a folder that is not there is no crash") {
  const ProfileScope profile;
  launch(TestModule(body(branchy)), {1}, {32});
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("kiln profile " + std::to_string(::getpid()));
  std::filesystem::create_directory(folder);
  Settings::changeable().profile = (folder / "report %p.json").string();
  write_profile_report();
  std::ifstream file(folder / ("report " + std::to_string(::getpid()) + ".json"));
  CHECK(Json::parse(file).at("launches").size() == 1);
  CHECK(std::distance(std::filesystem::directory_iterator(folder), {}) == 1);
  std::filesystem::remove_all(folder);
  write_profile_report();
  CHECK(!std::filesystem::exists(folder));
}

}  // namespace kiln::emulator::profile_test
