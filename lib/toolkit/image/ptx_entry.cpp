#include "toolkit/image/ptx_entry.hpp"

#include "toolkit/image/ptx_variable.hpp"

#include <kiln/error.hpp>

#include <algorithm>

namespace kiln {

namespace {

/// Types of bits say nothing: ".b8 p[8]" is a class, ".b16" half with some compilers.
ParameterKind kind_of(const PtxVariable& variable) {
  const std::string_view type = variable.type;
  if (variable.is_array || variable.is_vector) return ParameterKind::other;
  if (type == ".f32" || type == ".f64") return ParameterKind::floating;
  // Not ".surfref" or ".samplerref".
  const bool is_integer = type.size() > 2 && (type[1] == 'u' || type[1] == 's') && type[2] >= '0' && type[2] <= '9';
  if (!is_integer) return ParameterKind::other;
  if (variable.size != 8) return ParameterKind::integer;
  return variable.is_pointer ? ParameterKind::pointer : ParameterKind::integer_or_pointer;
}

}  // namespace

// After .entry or .func, attributes and the return value in parentheses.
std::string_view ptx_function_name(const PtxStatement& statement) {
  int depth = 0;
  bool begun = false;
  for (const std::string_view word : statement) {
    depth += word == "(" ? 1 : word == ")" ? -1 : 0;
    if (begun && depth == 0 && word.front() != '.' && word != ")") return word;
    begun = begun || word == ".entry" || word == ".func";
  }
  return {};
}

bool is_ptx_entry(const PtxStatement& words) { return std::find(words.begin(), words.end(), ".entry") != words.end(); }

PtxEntry read_ptx_entry(const PtxStatement& words) {
  PtxEntry entry;
  const std::size_t at_entry = word_position(words, ".entry", 0);
  if (at_entry + 1 >= words.size()) throw_damaged_ptx("an .entry has no name");
  entry.name = words[at_entry + 1];
  const std::size_t open = word_position(words, "(", at_entry);
  const std::size_t close = word_position(words, ")", open);
  entry.end = std::min(close, at_entry);
  std::size_t end = 0;
  for (std::size_t at = open; at < close;) {
    const std::size_t comma = std::min(word_position(words, ",", at + 1), close);
    if (comma != at + 1) {
      const PtxVariable variable = read_ptx_variable(words, at + 1, comma);
      if (variable.size > 65536) throw_damaged_ptx("a parameter is too large");
      Parameter parameter;
      parameter.offset = place(variable, end);
      parameter.size = variable.size;
      parameter.kind = kind_of(variable);
      entry.parameters.push_back(std::move(parameter));
    }
    at = comma;
  }
  return entry;
}

}  // namespace kiln
