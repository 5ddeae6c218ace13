#include "run_embedded.hpp"

#include <cstdio>

int main() try {
  std::printf("%d %d\n", written_by(kiln::embedded("part.cu")), written_by(kiln::embedded("number.cu"), "scaled<2>"));
} catch (const kiln::Error& error) {
  std::printf("%s\n", error.what());
  return 1;
}
