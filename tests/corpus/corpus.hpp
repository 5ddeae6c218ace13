// The sources of tests/corpus/sources, each with what its first comment lines say of it:
//   kernel: NAME              the kernel, (TYPE* out, int n) with n = 64
//   out: float | unsigned     that TYPE
//   expect: A*i+B | V0 V1 ... what out[i] holds after the launch on zeros; the last value counts for the rest too
//   backend: nvrtc | nvcc     which of them Backend::automatic must choose (nvrtc where it is not said)
//   options: ...              separated by spaces
//   instance: EXPRESSION      a name expression; any number of them
//   header: NAME              in-memory header, its text in in_memory/NAME
//   no_extern_c: false        wrapped as PyCUDA does
//   grid: N, block: N         1 and 64 where they are not said
//   shared: BYTES             dynamic shared memory
//   run: no                   compiled only
#pragma once

#include <kiln/compile_options.hpp>

#include <filesystem>
#include <string>
#include <vector>

namespace kiln::test {

inline constexpr int corpus_size = 64;  // n

struct CorpusSource {
  std::string name;
  std::string text;
  std::string kernel;
  bool floats = false;
  std::vector<double> expected;  // corpus_size values, or none
  Backend backend = Backend::nvrtc;
  unsigned grid = 1;
  unsigned block = 64;
  unsigned shared = 0;
  bool run = true;
  CompileOptions options;
};

/// All of them, by name. Throws std::runtime_error for a line that says nothing known.
std::vector<CorpusSource> read_corpus(const std::filesystem::path& folder);

}  // namespace kiln::test
