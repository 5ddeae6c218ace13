// libFuzzer's entry: gives its inputs to the target that KILN_FUZZ_TARGET names.
#include "targets.hpp"

#include <cstdio>
#include <cstdlib>

namespace {

kiln::fuzz::TargetFunction chosen() {
  const char* const name = std::getenv("KILN_FUZZ_TARGET");
  const kiln::fuzz::TargetFunction target = kiln::fuzz::target_named(name != nullptr ? name : "");
  if (target == nullptr) std::fprintf(stderr, "KILN_FUZZ_TARGET names no target\n"), std::exit(2);
  return target;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const kiln::fuzz::TargetFunction target = chosen();
  return target(data, size);
}
