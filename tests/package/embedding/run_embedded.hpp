// What a kernel of an embedded source writes. Static: each program and library calls kiln::embedded itself.
#pragma once

#include <kiln/kiln.hpp>

#include <string>
#include <vector>

static inline int written_by(const kiln::EmbeddedSource& source, const char* kernel = "number") {
  std::vector<int> out(1);
  kiln::SourceModule(source).get_function(kernel)({1, 1}, kiln::Out(out));
  return out[0];
}
