// Registers and occupancy of a profile.
#include "emulator/core/occupancy.hpp"
#include "emulator/profile/json_report.hpp"
#include "emulator/profile/kernel_resources.hpp"
#include "emulator/profile/reports.hpp"
#include "toolkit/locate/component_finder.hpp"

#include "profile_fixture.hpp"

#include <nlohmann/json.hpp>

#include <string>

namespace kiln::emulator::profile_occupancy_test {
namespace {

using Json = nlohmann::json;

// The devices of the tests are of compute capability 9.0: 64 warps, 32 blocks, 64 Ki registers, 228 KiB.
void check_limits(const BlockNeeds& needs, const BlockLimits& expected) {
  CAPTURE(needs.threads);
  CAPTURE(needs.registers);
  CAPTURE(needs.shared);
  const BlockLimits limits = block_limits(needs);
  CHECK(limits.warps == expected.warps);
  CHECK(limits.blocks == expected.blocks);
  CHECK(limits.shared == expected.shared);
  CHECK(limits.registers == expected.registers);
}

constexpr const char* log =
    "ptxas info    : Compiling entry function '_Z1gPf' for 'sm_90'\n"
    "ptxas info    : Function properties for _Z1gPf\n"
    "ptxas         .     24 bytes stack frame, 16 bytes spill stores, 8 bytes spill loads\n"
    "ptxas info    : Used 10 registers, used 0 barriers\n"
    "ptxas info    : Function properties for last";

std::string kernels(int count) {
  std::string text;
  for (int i = 0; i < count; ++i) text += ".visible .entry k" + std::to_string(i) + "()\n{\nret;\n}\n";
  return ptx_module(text);
}

Json report_of(const TestModule& module, const std::string& kernel, Dim3 block) {
  const LaunchOutcome outcome = run_launch(module.made(kernel, {1}, block));
  REQUIRE_MESSAGE(outcome.result == CUDA_SUCCESS, outcome.report);
  return Json::parse(ProfileStore::get().locked(json_report));
}

}  // namespace

TEST_CASE("occupancy: the blocks that each limit allows") {
  check_limits({256, 40, 0}, {8, 32, 228, 6});
  check_limits({256, 32, 0}, {8, 32, 228, 8});
  check_limits({1024, 64, 48 * 1024}, {2, 32, 4, 1});
  check_limits({1024, 65, 0}, {2, 32, 228, 0});
  // Registers are those of a part of the multiprocessor: four warps of 100 fit in each, and a block has three warps.
  check_limits({96, 100, 0}, {21, 32, 228, 5});
  check_limits({32, 0, 0}, {64, 32, 228, 32});
  CHECK(block_limits({256, 40, 0}).least() == 6);
  CHECK(warps_of({33, 0, 0}) == 2);
}

TEST_CASE("occupancy: spills in ptxas' log") {
  CHECK(spill_bytes_in(log, "_Z1gPf") == 16);
  CHECK_FALSE(spill_bytes_in(log, "_Z1g"));
  CHECK_FALSE(spill_bytes_in(log, "last"));
  CHECK_FALSE(spill_bytes_in("", "k"));
}

TEST_CASE("occupancy: a report has a kernel's registers, and its blocks on a multiprocessor") {
  if (!find_nvjitlink()) {
    MESSAGE("not tried: no libnvJitLink");
    return;
  }
  const ProfileScope profile;
  const Json json = report_of(TestModule(kernels(1)), "k0", {96});
  const Json& launch = json.at("launches").at(0);
  CHECK_FALSE(json["programs"].at(0).contains("no_machine_code"));
  CHECK(launch.at("registers").get<int>() > 0);
  CHECK(launch.at("spill_bytes") == 0);
  // 21 blocks of three warps are 63 of 64.
  const Json expected = {{"theoretical", 0.9844}, {"warps", 63},
                         {"warps_max", 64},       {"blocks", 21},
                         {"limited_by", "warps"}, {"limits", {{"warps", 21}, {"blocks", 32}, {"shared", 228}}}};
  Json occupancy = launch.at("occupancy");
  CHECK(occupancy["limits"].at("registers").get<int>() >= 21);
  occupancy["limits"].erase("registers");
  CHECK(occupancy == expected);
  const std::string table = ProfileStore::get().locked(table_report);
  CHECK(table.find("\n  occupancy 98 %: 63 of 64 warps, limited by warps; ") != table.npos);
}

TEST_CASE("occupancy: where there is no machine code the report says why") {
  const ProfileScope profile;
  const Json json = report_of(TestModule(kernels(33)), "k32", {32});
  CHECK(json["launches"].at(0).at("occupancy").is_null());
  CHECK(json["launches"].at(0).at("registers").is_null());
  CHECK(json["programs"].at(0).at("no_machine_code") == "the PTX text has more than 32 kernels");
  CHECK(ProfileStore::get().locked(table_report).find("occupancy") == std::string::npos);
}

}  // namespace kiln::emulator::profile_occupancy_test
