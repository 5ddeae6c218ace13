// A kernel that needs no compiler, on the first device. Usage: from_ptx fill.ptx
#include <kiln/kiln.hpp>

#include <cstdio>
#include <vector>

int main(int, char** arguments) {
  kiln::Module module = kiln::Module::from_file(arguments[1]);
  std::vector<int> out(3);
  module.get_function("fill")({1, 3}, kiln::Out(out));
  std::printf("%s: a kernel wrote %d %d %d\n", kiln::Device(0).name().c_str(), out[0], out[1], out[2]);
  return out == std::vector<int>{40, 41, 42} ? 0 : 1;
}
