// KILN_EMULATOR_ARCH: what a device of each compute capability has, against NVIDIA's published tables.
#include "run_program.hpp"

#include <doctest/doctest.h>

#include <string>

namespace provider_families_test {

namespace {

struct Family {
  const char* arch;
  // Of a multiprocessor: threads, blocks, shared memory; shared memory of a block at most, and what is reserved of it;
  // registers; cooperative launches, clusters, tensor maps, domains of memory order.
  const char* attributes;
  // Blocks of 64 threads that fit, without shared memory and with 20 KiB and a byte.
  const char* occupancy;
  const char* targets;  // that are loaded
};

constexpr Family families[] = {
    {"7.5", "1024 16 65536 65536 0 65536 1 0 0 1", "16 3", "sm_75"},
    {"8.0", "2048 32 167936 166912 1024 65536 1 0 0 1", "32 7", "sm_75 sm_80"},
    {"8.6", "1536 16 102400 101376 1024 65536 1 0 0 1", "16 4", "sm_75 sm_80 sm_86"},
    {"8.7", "1536 16 167936 166912 1024 65536 1 0 0 1", "16 7", "sm_75 sm_80 sm_86 sm_87"},
    {"8.9", "1536 24 102400 101376 1024 65536 1 0 0 1", "24 4", "sm_75 sm_80 sm_86 sm_87 sm_89"},
    {"9.0", "2048 32 233472 232448 1024 65536 1 1 1 4", "32 10", "sm_75 sm_80 sm_86 sm_87 sm_89 sm_90 sm_90a"},
    {"10.0", "2048 32 233472 232448 1024 65536 1 1 1 4", "32 10", "sm_75 sm_80 sm_86 sm_87 sm_89 sm_90 sm_100 sm_100f"},
    {"10.3", "2048 32 233472 232448 1024 65536 1 1 1 4", "32 10",
     "sm_75 sm_80 sm_86 sm_87 sm_89 sm_90 sm_100 sm_100f sm_103a"},
    {"11.0", "1536 24 233472 232448 1024 65536 1 1 1 4", "24 10", "sm_75 sm_80 sm_86 sm_87 sm_89 sm_90 sm_100"},
    {"12.0", "1536 24 102400 101376 1024 65536 1 1 1 4", "24 4",
     "sm_75 sm_80 sm_86 sm_87 sm_89 sm_90 sm_100 sm_120 sm_120a"},
    {"12.1", "1536 24 102400 101376 1024 65536 1 1 1 4", "24 4",
     "sm_75 sm_80 sm_86 sm_87 sm_89 sm_90 sm_100 sm_120 sm_121"},
};

}  // namespace

TEST_CASE("a device has what its compute capability has, and loads no newer PTX") {
  for (const Family& family : families) {
    CAPTURE(family.arch);
    const kiln::test::ProgramResult run = kiln::test::run_program(
        "/usr/bin/env",
        {std::string("KILN_EMULATOR_ARCH=") + family.arch, "KILN_LOG=off", KILN_PROVIDER_FAMILY_PROGRAM});
    CHECK(run.status == 0);
    CHECK(run.output == std::string(family.attributes) + " " + family.occupancy + " " + family.targets + " \n");
  }
}

}  // namespace provider_families_test
