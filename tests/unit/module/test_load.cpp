#include "module/refused_code.hpp"

#include <doctest/doctest.h>

#include <string>

namespace load_test {

namespace {

bool runs(kiln::Target target, const std::string& arch, int capability) {
  kiln::CodeData code;
  code.target = target;
  code.arch = arch;
  return kiln::runs_on(code, capability);
}

}  // namespace

TEST_CASE("machine code runs on its own architecture and newer ones of the same generation") {
  CHECK(runs(kiln::Target::cubin, "sm_80", 80));
  CHECK(runs(kiln::Target::cubin, "sm_80", 86));
  CHECK_FALSE(runs(kiln::Target::cubin, "sm_86", 80));
  CHECK_FALSE(runs(kiln::Target::cubin, "sm_80", 90));
  CHECK(runs(kiln::Target::cubin, "sm_120", 121));
}

TEST_CASE("PTX runs on its architecture and every newer one") {
  CHECK(runs(kiln::Target::ptx, "compute_75", 75));
  CHECK(runs(kiln::Target::ptx, "compute_75", 120));
  CHECK_FALSE(runs(kiln::Target::ptx, "compute_90", 89));
  CHECK(runs(kiln::Target::ptx, "sm_75", 90));  // as a PTX text spells its target
}

TEST_CASE("code of one architecture's own features runs there only, of a family's within the family") {
  CHECK(runs(kiln::Target::cubin, "sm_90a", 90));
  CHECK_FALSE(runs(kiln::Target::cubin, "sm_100a", 103));
  CHECK_FALSE(runs(kiln::Target::ptx, "compute_90a", 100));
  CHECK(runs(kiln::Target::cubin, "sm_100f", 103));
  CHECK(runs(kiln::Target::ptx, "compute_100f", 103));
  CHECK_FALSE(runs(kiln::Target::ptx, "compute_100f", 120));
}

TEST_CASE("what a fatbin runs on only the driver knows") { CHECK(runs(kiln::Target::fatbin, "", 75)); }

}  // namespace load_test
