#include "emulator/core/device_attributes.hpp"
#include "emulator/core/settings.hpp"

#include "environment_guard.hpp"
#include "written_to.hpp"

#include <doctest/doctest.h>

#include <unistd.h>

#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace kiln::emulator::settings_test {
namespace {

struct Read {
  Settings settings;
  std::string said;
};

Read read(const std::string& variable, const std::string& value) {
  kiln::test::EnvironmentGuard guard({{"KILN_EMULATOR_CHECK", std::nullopt},
                                      {"KILN_EMULATOR_TRACE", std::nullopt},
                                      {"KILN_EMULATOR_TIME_LIMIT", std::nullopt},
                                      {"KILN_EMULATOR_CORES", std::nullopt},
                                      {"KILN_LOG", std::nullopt}});
  guard.set(variable, value);
  Read made;
  made.said = kiln::test::written_to(STDERR_FILENO, [&] { made.settings = Settings::from_environment(); });
  return made;
}

}  // namespace

TEST_CASE("checks are read, also with blanks between") {
  const Read some = read("KILN_EMULATOR_CHECK", "race, divergence");
  CHECK(some.said.empty());
  CHECK(some.settings.check_race);
  CHECK(some.settings.check_divergence);
  CHECK(!some.settings.check_init);
}

TEST_CASE("a check that there is not is named, and the others are done") {
  const Read misspelt = read("KILN_EMULATOR_CHECK", "races");
  CHECK(misspelt.said ==
        "kiln emulator: KILN_EMULATOR_CHECK=races: there is no check \"races\"; the checks are race, init and "
        "divergence\n");
  CHECK(!misspelt.settings.check_race);
  const Read partly = read("KILN_EMULATOR_CHECK", "race,foo");
  CHECK(partly.said.find("no check \"foo\"") != std::string::npos);
  CHECK(partly.settings.check_race);
}

TEST_CASE("a time limit that is no number of seconds is reported, and there is none") {
  for (const char* const wrong : {"abc", "120s", "-1", "0,5", "nan", " 5"}) {
    const Read limit = read("KILN_EMULATOR_TIME_LIMIT", wrong);
    CHECK(limit.said == "kiln emulator: KILN_EMULATOR_TIME_LIMIT=" + std::string(wrong) +
                            " is no number of seconds, such as 120 or 0.5: launches have no limit\n");
    CHECK(limit.settings.time_limit == 0);
  }
  for (const char* const right : {"0", "0.5", "1e3"}) CHECK(read("KILN_EMULATOR_TIME_LIMIT", right).said.empty());
  CHECK(read("KILN_EMULATOR_TIME_LIMIT", "1.5").settings.time_limit == 1.5);
}

TEST_CASE("a number of cores that is none is reported, and the CPU's are used") {
  const unsigned usual = read("KILN_LOG", "").settings.cores;
  CHECK(usual > 0);
  for (const char* const wrong : {"many", "0", "-1", "2.5", "99999999999"}) {
    const Read cores = read("KILN_EMULATOR_CORES", wrong);
    CHECK(cores.said == "kiln emulator: KILN_EMULATOR_CORES=" + std::string(wrong) +
                            " is no whole number from 1: blocks run side by side on all cores, " +
                            std::to_string(usual) + "\n");
    CHECK(cores.settings.cores == usual);
  }
  const Read three = read("KILN_EMULATOR_CORES", "3");
  CHECK(three.said.empty());
  CHECK(three.settings.cores == 3);
}

TEST_CASE("a trace names kernel, block and thread") {
  using Place = std::vector<std::uint64_t>;
  const Read numbers = read("KILN_EMULATOR_TRACE", "a::shift:0:31");
  CHECK(numbers.said.empty());
  REQUIRE(numbers.settings.trace);
  CHECK(numbers.settings.trace->kernel == "a::shift");
  CHECK(numbers.settings.trace->block == Place{0});
  CHECK(numbers.settings.trace->thread == Place{31});
  const Read places = read("KILN_EMULATOR_TRACE", "shift:1,0,0:4,2,0");
  REQUIRE(places.settings.trace);
  CHECK(places.settings.trace->block == Place{1, 0, 0});
  CHECK(places.settings.trace->thread == Place{4, 2, 0});
}

TEST_CASE("a trace that names none of that is reported") {
  for (const char* const wrong : {"vadd", "vadd:0", ":0:0", "vadd::0", "vadd:0:", "vadd:x:0", "vadd:0:1,2", "vadd:0:-1",
                                  "vadd:0:1,2,3,4", "vadd:0,:1"}) {
    const Read trace = read("KILN_EMULATOR_TRACE", wrong);
    CHECK(trace.said == "kiln emulator: KILN_EMULATOR_TRACE=" + std::string(wrong) +
                            " is no kernel:block:thread, such as shift:0:31 or shift:1,0,0:4,2,0: nothing is traced\n");
    CHECK(!trace.settings.trace);
  }
}

TEST_CASE("KILN_LOG=off is silent about them") {
  kiln::test::EnvironmentGuard guard({{"KILN_EMULATOR_CHECK", "races"}, {"KILN_LOG", "off"}});
  CHECK(kiln::test::written_to(STDERR_FILENO, [] { (void)Settings::from_environment(); }).empty());
}

TEST_CASE("CUDA_VISIBLE_DEVICES leaves what it names, in its order, up to what names no device") {
  using Devices = std::vector<int>;
  const auto of_four = [](const std::optional<std::string>& list) { return visible_devices(list, 4); };
  const auto uuid = [](int number) { return uuid_text(number); };
  CHECK(of_four(std::nullopt) == Devices{0, 1, 2, 3});
  CHECK(of_four("").empty());
  CHECK(of_four("2,1") == Devices{2, 1});
  CHECK(of_four(" 3 , 0") == Devices{3, 0});
  CHECK(of_four("0,2,-1,1") == Devices{0, 2});
  CHECK(of_four("1,4,0") == Devices{1});
  CHECK(of_four("1,,0") == Devices{1});
  CHECK(of_four("none").empty());
  CHECK(of_four("99999999999,0").empty());
  CHECK(of_four("1st,2") == Devices{1, 2});
  CHECK(of_four("0,1,0").empty());
  CHECK(uuid(2) == "GPU-6b696c6e-2d65-6d75-6c61-746f72000002");
  CHECK(of_four(uuid(2) + "," + uuid(0)) == Devices{2, 0});
  CHECK(of_four(uuid(2) + "," + uuid(2)).empty());
  CHECK(of_four(uuid(2) + ",0") == Devices{2});
  CHECK(of_four("0," + uuid(2)) == Devices{0});
  CHECK(of_four(uuid(2).substr(0, 12)).empty());                   // the beginning of all
  CHECK(visible_devices(uuid(0).substr(0, 12), 1) == Devices{0});  // of one
  CHECK(of_four(uuid(1).substr(4)).empty());
  CHECK(of_four("MIG-" + uuid(1).substr(4)).empty());
  CHECK(visible_devices("0", 0).empty());
}

}  // namespace kiln::emulator::settings_test
