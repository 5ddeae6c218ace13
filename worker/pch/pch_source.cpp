#include "worker/pch/pch_source.hpp"

#include "base/path_text.hpp"
#include "base/source_token.hpp"
#include "compile/headers/leading_lines.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace kiln {

namespace {

/// NVRTC accepts a file with any value of these. Only in this spelling: an option in two words is compared unchanged.
bool is_behind_front_end(std::string_view option) {
  constexpr std::array<std::string_view, 7> beginnings = {
      "--maxrregcount=",  "-maxrregcount=",  "--ptxas-options=", "-Xptxas=",
      "--split-compile=", "-split-compile=", "--Ofast-compile="};
  return std::any_of(beginnings.begin(), beginnings.end(),
                     [option](std::string_view beginning) { return option.starts_with(beginning); });
}

}  // namespace

std::string directives_of(std::string_view lines) {
  std::string text;
  std::size_t line = 0;  // where the present one begins in `text`
  bool is_blank = true;
  for (std::size_t at = 0; at < lines.size();) {
    const SourceToken token = source_token(lines, at);
    const std::string_view spelled = lines.substr(at, token.size);
    at += token.size;
    if (token.kind == SourceTokenKind::newline) {
      text.resize(is_blank ? line : text.size());
      if (!is_blank) text.push_back('\n');
      line = text.size();
      is_blank = true;
    } else if (token.kind == SourceTokenKind::comment) {
      text.push_back(' ');
    } else {
      text.append(spelled);
      is_blank = is_blank && token.kind == SourceTokenKind::blank;
    }
  }
  return text;
}

CacheKey PchSource::family(const Request& request) const {
  PchSource without = *this;
  without.options.clear();
  return without.key(request);
}

CacheKey PchSource::key(const Request& request) const {
  const HeaderSearchPaths& search = request.search;
  KeyBuilder key(4096);
  key.add("precompiled header", "1");
  key.add("compiler", request.compiler.identity);
  key.add("directives", directives);
  key.add("options", options);
  for (const auto& [header, text] : headers) key.add("header", header).add("header text", text);
  // The folder from which headers are searched.
  key.add("folder", folder_of(name));
  key.add("working folder", search.working_folder);
  key.add("source folder", search.source_dir);
  key.add("roots", search.roots.paths);
  key.add("own roots", {std::to_string(search.own_roots), std::to_string(search.working_folder_roots),
                        std::to_string(search.source_root)});
  key.add("strict", request.strict_headers ? "1" : "0");
  return CacheKey(std::move(key).take());
}

PchSource pch_source(const NvrtcText& text, const std::vector<std::string>& options) {
  const LeadingLines lines = leading_lines(text.source);
  PchSource source{directives_of(std::string_view(text.source).substr(0, lines.size)), text.name, text.headers,
                   options};
  std::erase_if(source.options, is_behind_front_end);
  return source;
}

std::string unfit_text(const Request& request, const PchSource& source) {
  if (!request.job.header_folder.empty()) return "its headers in memory are given to NVRTC in a folder of its own";
  const std::string binding = what_binds_leading_lines(source.directives);
  return binding.empty() ? std::string() : "its leading lines contain " + binding;
}

}  // namespace kiln
