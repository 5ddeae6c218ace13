#include "compile/stand_ins/stand_in_headers.hpp"

#include "base/fork_safe_instance.hpp"
#include "base/identifier.hpp"
#include "base/text_parts.hpp"

#include <algorithm>
#include <set>

namespace kiln {

namespace {

struct StandIns {
  std::map<std::string, std::string> headers = stand_in_texts();
};

/// The words of a header and of those that it includes.
class HeaderWords {
 public:
  explicit HeaderWords(const std::string& header) { add_header(header); }
  bool has(std::string_view name) const { return words_.find(name) != words_.end(); }
  bool has_macro(std::string_view name) const { return macros_.find(name) != macros_.end(); }

 private:
  void add_header(const std::string& name) {
    const auto header = stand_in_headers().find(name);
    if (header == stand_in_headers().end() || !seen_.insert(name).second) return;
    const std::string& text = header->second;
    for (std::size_t begin = 0, end = 0; begin < text.size(); begin = end) {
      while (end < text.size() && is_of_identifier(text[end])) ++end;
      if (end == begin) {
        if (text[end] == '<') add_included(text, end);
        ++end;
      } else {
        words_.insert(text.substr(begin, end - begin));
        if (std::string_view(text).substr(0, begin).ends_with("#define "))
          macros_.insert(text.substr(begin, end - begin));
      }
    }
  }
  void add_included(const std::string& text, std::size_t bracket) {
    const std::size_t end = text.find('>', bracket);
    if (end != std::string::npos) add_header(text.substr(bracket + 1, end - bracket - 1));
  }

  std::set<std::string> seen_;
  std::set<std::string, std::less<>> words_;
  std::set<std::string, std::less<>> macros_;  // the ones that it defines
};

struct LegacyNames : HeaderWords {
  LegacyNames() : HeaderWords(legacy_header) {}
};

struct LegacyStdNames : HeaderWords {
  LegacyStdNames() : HeaderWords(legacy_std_header) {}
};

struct CuComplexNames : HeaderWords {
  CuComplexNames() : HeaderWords(cucomplex_header) {}
};

}  // namespace

const std::map<std::string, std::string>& stand_in_headers() { return fork_safe_instance<StandIns>().headers; }

bool nvcc_has(std::string_view stand_in) {
  const bool of_old_cuda = stand_in == "surface_functions.h" || stand_in == "texture_fetch_functions.h";
  const bool of_python = stand_in.starts_with("pycuda-") || stand_in.starts_with("cupy/");
  return !of_python && !stand_in.starts_with("kiln_") && !of_old_cuda;
}

bool is_legacy_name(std::string_view name) { return fork_safe_instance<LegacyNames>().has(name); }

bool is_legacy_std_name(std::string_view name) { return fork_safe_instance<LegacyStdNames>().has(name); }

bool is_legacy_macro(std::string_view name) { return fork_safe_instance<LegacyNames>().has_macro(name); }

std::string host_macros(const std::set<std::string>& left_out) {
#ifdef __aarch64__
  const char* const of_architecture = "kiln_host_aarch64.h";
#else
  const char* const of_architecture = "kiln_host_x86_64.h";
#endif
  const auto& texts = stand_in_headers();
  const std::string all = texts.at(host_macros_header) + texts.at(of_architecture);
  std::string lines;
  for (std::string_view rest = all; !rest.empty();) {
    const std::string_view line = next_line(rest);
    constexpr std::string_view directive = "#define ";
    const bool defines = line.starts_with(directive);
    const std::string_view name = defines ? line.substr(directive.size()) : std::string_view();
    if (!defines || left_out.count(std::string(name.substr(0, name.find_first_of(" (")))) == 0)
      lines.append(line).append("\n");
  }
  return lines;
}

bool is_cucomplex_name(std::string_view name) {
  // The header has other words, too: float2, hypot, ...
  return (name.starts_with("cu") || name.starts_with("make_cu")) && fork_safe_instance<CuComplexNames>().has(name);
}

}  // namespace kiln
