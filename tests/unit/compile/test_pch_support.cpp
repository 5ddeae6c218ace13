// Whether there are precompiled headers at all.
#include "pch_bench.hpp"
#include "toolkit/libraries/nvrtc_library.hpp"

namespace pch_support_test {

using namespace kiln;
using namespace kiln::test;

TEST_CASE("precompiled headers are made and used from NVRTC 12.8 on; an older one compiles without") {
  const bool is_supported = NvrtcLibrary::get().version_number() >= std::pair(12, 8);
  const PchBench bench;
  bench.compiled(pch_kernel(1));
  bench.compiled(pch_kernel(2));
  CHECK(bench.made() == (is_supported ? 1 : 0));
  CHECK(bench.used() == (is_supported ? 1 : 0));
}

}  // namespace pch_support_test
