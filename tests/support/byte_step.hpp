// The step of loops over each byte of a file.
#pragma once

#include <cstddef>
#include <cstdlib>

namespace kiln::test {

/// One where KILN_TEST_EXHAUSTIVE is set; otherwise a prime, so that no field of a format is always left out.
inline std::size_t byte_step() { return std::getenv("KILN_TEST_EXHAUSTIVE") != nullptr ? 1 : 7; }

}  // namespace kiln::test
