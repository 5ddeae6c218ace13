// The headers of a source that are no toolkit's: what must go with it where it is to compile elsewhere.
#pragma once

#include <kiln/compile_options.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace kiln::tool {

struct OwnHeaders {
  CompileOptions options;          // with the headers in memory, and without include folders
  std::vector<std::string> files;  // where their texts are from
};

/// The headers that the source includes, and those that they include, also where a condition leaves the line out:
/// beside `file`, and in options.include_dirs, but for the toolkit's own folders. What a macro names is left out, which
/// the compiler then misses. Throws Error for a name that two of these folders have with different texts, as it would
/// hang on the include which is meant, and for an absolute one.
OwnHeaders with_own_headers(std::string_view source, const std::string& file, const CompileOptions& options);

}  // namespace kiln::tool
