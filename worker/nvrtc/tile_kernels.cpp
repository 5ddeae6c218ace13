#include "worker/nvrtc/tile_kernels.hpp"

#include "base/source_token.hpp"
#include "base/text_parts.hpp"

#include <kiln/error.hpp>

#include <functional>
#include <set>

namespace kiln {

namespace {

/// Messages of NVRTC and nvcc from 13.1 on, and the name in kiln_host_macros.h.
bool is_about_tile(std::string_view line) {
  return contains(line, "parsing for Tile constructs is not enabled") ||
         contains(line, "unknown attribute \"tile_global\"") || contains(line, "kiln_has_no_tile_kernels");
}

bool is_attribute_name(std::string_view word) { return word == "tile_global" || word == "__tile_global__"; }

/// Looks for the attribute itself, of which some compilers say nothing: in texts that are read one after the other,
/// with the macros that stand for its name. An #if counts for nothing.
class AttributeSearch {
 public:
  /// NAME=value of an option.
  void read_definition(std::string_view option) {
    const std::size_t equals = option.rfind('=');
    if (equals == std::string_view::npos) return;
    std::size_t begin = equals;
    while (begin > 0 && is_of_word(option[begin - 1])) --begin;
    std::string_view name = option.substr(begin, equals - begin);
    if (begin > 0 && option[begin - 1] == '-' && name.starts_with('D')) name.remove_prefix(1);
    if (names_attribute(option.substr(equals + 1))) aliases_.emplace(name);
  }

  bool is_in(std::string_view text) {
    if (aliases_.empty() && !contains(text, "tile_global")) return false;
    int depth = -1;        // of parentheses after __attribute__, or after a macro of CUDA's headers that expands to it
    int attribute_at = 1;  // how deep an attribute stands there
    for (std::size_t at = 0; at < text.size();) {
      const SourceToken token = source_token(text, at);
      const std::string_view spelled = text.substr(at, token.size);
      at += token.size;
      if (spelled == "#") {
        read_directive(text.substr(at));
      } else if (spelled == "__attribute__" || spelled == "__attribute") {
        depth = 0;
        attribute_at = 2;
      } else if (spelled == "__location__" || spelled == "__annotate__") {
        depth = 0;
        attribute_at = 1;
      } else if (depth >= 0 && spelled == "(") {
        ++depth;
      } else if (depth >= 0 && spelled == ")") {
        depth = depth > 1 ? depth - 1 : -1;
      } else if (depth >= attribute_at && is_name(spelled)) {
        return true;
      }
    }
    return false;
  }

 private:
  bool is_name(std::string_view word) const { return is_attribute_name(word) || aliases_.contains(word); }

  bool names_attribute(std::string_view text) const {
    for (std::size_t at = 0; at < text.size();) {
      const SourceToken token = source_token(text, at);
      if (token.kind == SourceTokenKind::newline) return false;
      if (token.kind == SourceTokenKind::word && is_name(text.substr(at, token.size))) return true;
      at += token.size;
    }
    return false;
  }

  /// Of two definitions the last one counts.
  void read_directive(std::string_view text) {
    std::string_view words[2];
    std::size_t found = 0, at = 0;
    while (found < 2 && at < text.size()) {
      const SourceToken token = source_token(text, at);
      if (token.kind == SourceTokenKind::word)
        words[found++] = text.substr(at, token.size);
      else if (token.kind != SourceTokenKind::blank)
        return;
      at += token.size;
    }
    if (found < 2 || words[0] != "define" || is_attribute_name(words[1])) return;
    if (names_attribute(text.substr(at)))
      aliases_.emplace(words[1]);
    else if (const auto known = aliases_.find(words[1]); known != aliases_.end())
      aliases_.erase(known);
  }

  std::set<std::string, std::less<>> aliases_;
};

[[noreturn]] void refuse(const CompilerJob& job, const std::string& place, std::string_view log) {
  throw CompileError("could not compile \"" + job.name + "\": " + place +
                         " has a tile kernel or function (__tile_global__, __tile__), and Kiln does not support CUDA "
                         "Tile C++ yet: write it as a __global__ kernel",
                     std::string(log), job.users_arguments);
}

}  // namespace

void refuse_tile_attributes(const CompilerJob& job) {
  AttributeSearch search;
  for (const std::string& argument : job.arguments) {
    if (search.is_in(argument)) refuse(job, "the option " + argument, {});
    search.read_definition(argument);
  }
  for (const auto& [name, text] : job.headers)
    if (search.is_in(text)) refuse(job, "the in-memory header \"" + name + "\"", {});
  if (search.is_in(job.source)) refuse(job, "\"" + job.name + "\"", {});
}

void refuse_tile_kernels(const CompilerJob& job, std::string_view log) {
  for (std::string_view rest = log; !rest.empty();) {
    const std::string_view line = next_line(rest);
    if (!is_about_tile(line)) continue;
    const std::size_t end = line.find("):");
    refuse(job, end == std::string_view::npos ? "\"" + job.name + "\"" : std::string(line.substr(0, end + 1)), log);
  }
}

std::string tile_refusal_lines() {
  return "#ifdef __tile_global__\n#undef __tile_global__\n"
         "#define __tile_global__ __attribute__((aligned(kiln_has_no_tile_kernels)))\n#endif\n";
}

}  // namespace kiln
