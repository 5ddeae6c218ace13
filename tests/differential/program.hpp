// The programs of the differential suite, as the comments of kernels/*.cu describe them:
//   // NAME <<<(2, 3), 128, SHARED>>> in KIND WORDS out WORDS rows N COMPARISON [WORD...]
// Words: cooperative; prints; dynamic: the file's kernels launch kernels; sm_90a: the file is compiled for Hopper, and
// left out elsewhere; plain: NAME_plain<<<1, 1>>> makes the same without what the file is about, and both are compared.
#pragma once

#include <kiln/kiln.hpp>

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace differential {

using Words = std::vector<std::uint32_t>;

/// How a result on the emulator may differ from the one of a GPU.
struct Comparison {
  enum class Kind { exact, f16_ulps, f32_ulps, f64_ulps, f32_absolute, f32_relative };
  Kind kind = Kind::exact;
  double bound = 0;
};

struct Program {
  std::string file, name;  // file: without its ending
  kiln::Dim3 grid, block;
  unsigned shared = 0;  // bytes of dynamic shared memory
  std::string input;    // kind of the random input words
  std::size_t input_words = 0, output_words = 0;
  std::size_t rows = 1;  // the output is that many equal parts, each compared by itself
  Comparison comparison;
  bool cooperative = false, prints = false, dynamic = false, for_hopper = false, has_plain = false;
};

/// All programs of a folder's .cu files, in the order of file names and lines. Throws std::runtime_error where a
/// comment cannot be read.
std::vector<Program> read_programs(const std::filesystem::path& folder);

/// The same words for the same program and kind on every machine: random values of the kind and its edges.
Words input_of(const Program& program);

}  // namespace differential
