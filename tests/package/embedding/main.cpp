// Prints what kernels of its own, of a shared and of a static library write, or the error.
#include "run_embedded.hpp"

#include <cstdio>

int number_of_plug();
int number_of_part();

int main() try {
  const kiln::EmbeddedSource source = kiln::embedded("number.cu");
  const int own = written_by(source), instance = written_by(source, "scaled<2>");
  const int other = written_by(kiln::embedded("kernels/two words.cu"));
  const int plug = number_of_plug(), part = number_of_part();
  std::printf("%d %d %d %d %d\n", own, instance, other, plug, part);
  std::string archs;
  for (const std::string& arch : source.archs()) archs += " " + arch;
  std::printf("%s%s\n", source.name().c_str(), archs.c_str());
  try {
    kiln::embedded("numbr.cu");
  } catch (const kiln::ArgumentError& error) {
    std::printf("%s\n", error.what());
  }
} catch (const kiln::Error& error) {
  std::printf("%s\n", error.what());
  return 1;
}
