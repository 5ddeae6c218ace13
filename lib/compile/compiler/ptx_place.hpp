// Where inline PTX that ptxas refused stands in the source.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace kiln {

struct PtxPlace {
  std::string file;  // as the PTX names it
  int line = 0;
  std::string statement;  // the line of the PTX
};

/// Of a line of PTX that was made with line information: that of the asm statement in which it is, or behind which it
/// follows, as a missing semicolon shows there. Nothing where the PTX does not say.
std::optional<PtxPlace> place_of_ptx_line(std::string_view ptx, int line);

/// Its file as the request names it: the compilers write the path of a name that they were given in `folder`.
std::string requested_name(const std::string& file, const std::string& name, const std::string& folder);

}  // namespace kiln
