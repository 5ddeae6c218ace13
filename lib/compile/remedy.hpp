// What may help against NVRTC's refusal of a source that was written for nvcc.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace kiln {

struct Remedy {
  std::optional<std::string> missing_header;  // as the source spells it
  bool legacy_types = false;                  // an undefined name that nvcc's host headers declare
  bool default_device = false;                // unannotated functions or variables
};

/// Reads NVRTC's log of a failed compile.
Remedy read_remedy(std::string_view log);

/// Whether a header of that name belongs to C, C++ or POSIX, so that a host compiler has it.
bool is_standard_header(std::string_view name);

}  // namespace kiln
