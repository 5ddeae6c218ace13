// The lines that a source begins with: directives up to its last leading #include, before any code.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace kiln {

/// Where a source's leading lines end. They are whole lines, each with its end; behind the last one no comment,
/// directive or conditional group is open, so that lines may be put between them and the rest.
struct LeadingLines {
  std::size_t size = 0;  // bytes; 0 where there are none
  std::size_t line = 1;  // the number that the compiler gives the first line of the rest
  std::string file;      // the file that a #line in them says that it is of, in quotes; empty where none does
};

/// The comments, blank lines and directives before the first other token, up to the end of the last #include, of the
/// outermost group around it, or of `#pragma nv_hdrstop`. None without an #include. Any bytes are taken. Fewer lines
/// than a compiler would take where it is not plain what all compilers read: a directive that goes on in a comment or a
/// raw string, a backslash with blanks behind it, a trigraph, a digraph, a directive that compilers differ in (#import,
/// #include_next, #embed, "# 1"), and #line with a macro or in a group.
LeadingLines leading_lines(std::string_view source);

/// Whether a directive with that text, from its name on, may go on in the next line, in a comment or a raw string.
/// Where that is not plain, it may.
bool may_go_on(std::string_view directive);

/// What in leading lines says more than that headers are read, so that what was made of them may not serve another
/// source that begins with the same lines: a macro whose value is of one place or moment (__FILE__, __COUNTER__), a
/// directive whose message each compile is to show (#warning), or one with which NVRTC makes no precompiled header
/// (#line, nv_no_pch). Empty where nothing does.
std::string what_binds_leading_lines(std::string_view lines);

}  // namespace kiln
