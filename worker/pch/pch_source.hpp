// What a precompiled header is made of, and what it is looked for by.
#pragma once

#include "cache/key.hpp"
#include "compile/request/request.hpp"
#include "worker/nvrtc/nvrtc_text.hpp"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace kiln {

/// The directives of the preamble (leading lines), without comments and blank lines: sources that differ only in these
/// share a file.
std::string directives_of(std::string_view lines);

/// A program of directives alone, without the code after them.
struct PchSource {
  std::string directives;
  std::string name;
  std::map<std::string, std::string> headers;  // in memory
  std::vector<std::string> options;            // without those for the stages after NVRTC's front end

  /// Everything that affects the bytes of the file and which files are read for it.
  CacheKey key(const Request& request) const;
  /// The same without the options: equal for variants that differ in macros.
  CacheKey family(const Request& request) const;
};

/// Of a program that NVRTC is to be given for the request's job. No directives where the source has no leading
/// #include.
PchSource pch_source(const NvrtcText& text, const std::vector<std::string>& options);

/// Why no precompiled header can replace this preamble, in this request; empty where one can.
std::string unfit_text(const Request& request, const PchSource& source);

}  // namespace kiln
