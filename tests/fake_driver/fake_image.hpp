// Code as the fake driver understands it.
#pragma once

#include "toolkit/image/code_info.hpp"

#include <map>
#include <string>

namespace fake_cuda {

struct Variable {
  std::size_t size = 0;
  bool managed = false;
  std::string initial;  // the bytes that it begins with; zeros where there are fewer
};

struct Image {
  kiln::CodeInfo info;
  bool is_ptx = false;
  std::map<std::string, Variable> variables;

  /// Whether a device of this compute capability can run it.
  bool runs_on(int capability) const;
};

/// Reads a cubin, a fatbin (its first uncompressed cubin) or zero-terminated PTX. The length is not known, as for the
/// real driver. Throws kiln::Error for anything else.
Image read_image(const void* code);

}  // namespace fake_cuda
