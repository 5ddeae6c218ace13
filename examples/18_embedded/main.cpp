// A program with its kernels in it: they were compiled when it was built, and no compiler is needed to run it.
#include <kiln/kiln.hpp>

#include <cstdio>
#include <vector>

int main() {
  const kiln::EmbeddedSource source = kiln::embedded("scale.cu");
  std::printf("embedded:");
  for (const std::string& arch : source.archs()) std::printf(" %s", arch.c_str());
  std::printf("\n");

  const kiln::SourceModule module(source);
  kiln::DeviceBuffer<float> values(std::vector<float>(1000, 2.0f));
  module.get_function("scale")({4, 256}, values, 1000);
  module.get_function("add<float, 1>")({4, 256}, values, 1000);  // one of the name expressions
  std::printf("%g\n", values.to_host().back());
}
