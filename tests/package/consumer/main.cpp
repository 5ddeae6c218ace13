// A program that uses the installed Kiln: compiles a kernel, or says that this machine has no compiler for it.
#include <kiln/kiln.hpp>

#include <cstdio>

int main() try {
  const auto code =
      kiln::compile("extern \"C\" __global__ void nothing() {}", kiln::CompileOptions{}.with_cache(false));
  std::printf("compiled %zu bytes for %s\n", code.bytes().size(), code.arch().c_str());
  return code.kernels().size() == 1 ? 0 : 1;
} catch (const kiln::ToolkitError& error) {
  std::printf("no compiler here: %s\n", error.what());
}
