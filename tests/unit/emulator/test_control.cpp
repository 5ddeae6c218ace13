#include "run_ptx.hpp"

namespace kiln::emulator {

TEST_CASE("a kernel of a few instructions runs") {
  const std::vector<std::uint32_t> a(64, 5), b(64, 7);
  const auto out = run_elementwise<std::uint32_t>(
      "ld.global.u32 %r1, [%a]; ld.global.u32 %r2, [%b]; add.u32 %r3, %r1, %r2; st.global.u32 [%out], %r3;", a, b);
  CHECK(out == std::vector<std::uint32_t>(64, 12));
}

}  // namespace kiln::emulator
