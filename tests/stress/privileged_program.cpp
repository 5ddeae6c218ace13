// What a test runs as a set-user-id program.
#include <kiln/compile.hpp>

#include "base/environment.hpp"

#include <cstdio>
#include <exception>
#include <string>

/// AddressSanitizer's: its search for leaks looks at the process as a debugger does, which this program does not allow.
extern "C" const char* __asan_default_options() { return "detect_leaks=0"; }

int main() {
  std::printf("privileged: %d\n", kiln::privileged_process() ? 1 : 0);
  try {
    const kiln::CompileOptions options = kiln::CompileOptions{}.with_arch("sm_80");
    const kiln::CodeObject code = kiln::compile("__global__ void one() {}", options);
    std::printf("compiled: %s\n", std::string(code.bytes().substr(1, 3)).c_str());
    (void)kiln::compile("__global__ void two() {}", options);
  } catch (const std::exception& error) {
    std::printf("failed: %s\n", error.what());
    return 1;
  }
  return 0;
}
