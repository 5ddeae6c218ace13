// The leading lines of sources.
#include "compile/headers/leading_lines.hpp"
#include "compile/headers/source_scan.hpp"
#include "fuzz.hpp"

namespace fuzz_leading_lines {

using namespace kiln;
using namespace kiln::fuzz;

int run(const std::uint8_t* data, std::size_t size) {
  const std::string_view text = view_of(data, size);
  const LeadingLines lines = leading_lines(text);
  require(lines.size <= text.size(), "leading lines lie in the text");
  if (lines.size == 0) {
    require(lines.line == 1, "without leading lines the rest is all");
    return 0;
  }
  const std::string leading(text.substr(0, lines.size));
  require(leading.back() == '\n', "leading lines are whole lines");
  require(leading.size() == 1 || !leading.ends_with("\\\n"), "no joined line is cut");
  require(may_include(leading), "leading lines include");
  const LeadingLines again = leading_lines(leading);
  require(again.size == lines.size && again.line == lines.line, "leading lines are all of their own");
  // What follows them is read from its beginning: nothing is open.
  const LeadingLines more = leading_lines(leading + "#define X\n#include <x.h>\nint x;\n");
  const bool is_ended = leading.find("nv_hdrstop") != std::string::npos;
  require(is_ended || (more.size > lines.size && more.line == lines.line + 2), "nothing is open behind leading lines");
  require(leading_lines(leading + "int x;\n#include <x.h>\n").size == lines.size, "code ends leading lines");
  what_binds_leading_lines(text);
  return 0;
}

}  // namespace fuzz_leading_lines
