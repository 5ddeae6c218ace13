// The nvcc of this machine, for tests that need one.
#pragma once

#include "toolkit/locate/nvcc.hpp"

#include <cstdio>
#include <optional>
#include <string>

namespace kiln::test {

/// Says why the test case has nothing to do where there is none: `const auto nvcc = real_nvcc(); if (!nvcc) return;`
inline std::optional<std::string> real_nvcc() {
  auto nvcc = look_for_nvcc("");
  if (!nvcc) std::puts("skipped: no nvcc on this machine");
  return nvcc;
}

}  // namespace kiln::test
