// The nvcc of this machine, for tests that need one.
#pragma once

#include "toolkit/locate/nvcc.hpp"

#include <doctest/doctest.h>

#include <optional>
#include <string>

namespace kiln::test {

/// For a test case that needs nvcc: TEST_CASE("..." * needs_nvcc()). Without one it is counted as skipped.
inline doctest::skip needs_nvcc() { return doctest::skip(!look_for_nvcc("")); }

/// Its path.
inline std::optional<std::string> real_nvcc() { return look_for_nvcc(""); }

}  // namespace kiln::test
