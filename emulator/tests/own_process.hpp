// Test cases whose kernels fail: no call works in the process after that.
#pragma once

#include "run_program.hpp"

#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <string>

namespace kiln::emulator::test {

/// True if this process runs only this case, which then goes on. Otherwise runs the case alone in a new process, checks
/// its exit status and returns false: the case then returns. Call this first.
inline bool is_own_process() {
  constexpr const char* variable = "KILN_TEST_OWN_PROCESS";
  if (std::getenv(variable) != nullptr) return true;
  std::string name = doctest::getContextOptions()->currentTest->m_name;
  for (char& c : name)
    if (c == ',') c = '?';  // a comma would end the pattern
  ::setenv(variable, "1", 1);
  const kiln::test::ProgramResult result =
      kiln::test::run_program(std::filesystem::read_symlink("/proc/self/exe"), {"-tc=" + name});
  ::unsetenv(variable);
  CHECK_MESSAGE(result.status == 0, result.output);
  CHECK_MESSAGE(result.output.find(" 1 passed | 0 failed") != std::string::npos, result.output);
  return false;
}

}  // namespace kiln::emulator::test
