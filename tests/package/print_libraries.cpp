// The libraries that Kiln would open on this machine, a line each: "nvrtc PATH". Those that are missing have no line.
#include "toolkit/locate/component_finder.hpp"
#include "toolkit/locate/toolkit.hpp"

#include <cstdio>

int main() {
  const auto print = [](const char* name, const std::optional<std::string>& path) {
    if (path) std::printf("%s %s\n", name, path->c_str());
  };
  print("nvrtc", kiln::current_toolkit().nvrtc);
  print("nvvm", kiln::find_nvvm());
  print("nvjitlink", kiln::find_nvjitlink());
}
