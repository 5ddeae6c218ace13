#include "compile/compiler/advice.hpp"

#include "base/bounded_text.hpp"
#include "base/identifier.hpp"
#include "base/text_parts.hpp"
#include "compile/compiler/error_cause.hpp"
#include "compile/compiler/line_words.hpp"

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <vector>

namespace kiln {

namespace {

constexpr std::size_t longest_indexed = 60;

/// Whether the place is within brackets that are open there.
bool is_array_size(std::string_view line, std::size_t place) {
  int depth = 0;
  for (std::size_t at = std::min(place, line.size()); at > 0; --at) {
    const char c = line[at - 1];
    if (c == ';' || c == '{' || c == '}') return false;
    depth += (c == ']' || c == ')') - (c == '[' || c == '(');
    if (depth < 0) return c == '[';
  }
  return false;
}

/// Whether a size behind the first one is left out: "[][]" and "[16][]".
bool lacks_later_size(std::string_view line) {
  const auto tokens = code_tokens(line);
  for (std::size_t i = 2; i < tokens.size(); ++i)
    if (tokens[i - 2] == "]" && tokens[i - 1] == "[" && tokens[i] == "]") return true;
  return false;
}

/// "o[y][x]" at the place: the name, and the text in each pair of brackets.
struct Indexed {
  std::string name;
  std::vector<std::string> indices = {};
};

Indexed indexed_at(const NumberedLines& lines) {
  const auto tokens = code_tokens(lines.marked);
  const char* const place = lines.marked.data() + std::min(lines.place, lines.marked.size());
  for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
    if (!begins_identifier(tokens[i].front()) || tokens[i + 1] != "[") continue;
    std::size_t begin = i;  // with "p." before it
    while (begin >= 2 && tokens[begin - 1] == "." && begins_identifier(tokens[begin - 2].front())) begin -= 2;
    Indexed found{text_between(tokens[begin], tokens[i])};
    std::size_t end = i + 1;
    while (end < tokens.size() && tokens[end] == "[") {
      const std::size_t close = closing_bracket(tokens, end);
      if (close >= tokens.size() || close == end + 1) break;
      found.indices.push_back(text_between(tokens[end + 1], tokens[close - 1]));
      end = close + 1;
    }
    if (tokens[begin].data() <= place && place <= tokens[end - 1].data()) return found;
  }
  return {};
}

std::string in_brackets(const std::string& index) {
  const bool is_plain = std::all_of(index.begin(), index.end(), [](char c) { return is_of_identifier(c) || c == '.'; });
  return is_plain ? index : "(" + index + ")";
}

std::string advice_for_index(const Indexed& indexed, const std::string& type) {
  if (indexed.indices.empty() || indexed.name.size() > longest_indexed) return {};
  const auto& all = indexed.indices;
  if (all.size() == 1)
    return "\"" + indexed.name + "\" is one " + type +
           " and has no elements: leave the index out, or declare it as a " + "pointer, " + type + "*, or an array.";
  const std::string first = in_brackets(all[0]);
  const std::string second = in_brackets(all[1]);
  const std::string place = all.size() == 2
                                ? first + " * width + " + second
                                : "(" + first + " * height + " + second + ") * width + " + in_brackets(all[2]);
  return "\"" + indexed.name + "\" has fewer dimensions than indices, as its element is one " + type +
         ": name an element of a buffer by one index, as in " +
         bounded(indexed.name + "[" + place + "]", 2 * longest_indexed) + ".";
}

}  // namespace

std::string array_advice(const Diagnostic& error, const NumberedLines& lines, const FailedCompile& failed) {
  const std::string_view text = error.text;
  if (contains(text, "an array may not have elements of this type") && lacks_later_size(lines.marked))
    return "Only the first size of an array may be left out, as in float a[][16]. Of a size that is known at the "
           "launch "
           "take a plain pointer, float* a, and name an element by a[y * width + x].";
  const auto quoted = quoted_words(text);
  if (contains(text, "must have pointer-to-object type but it has type ") && !quoted.empty())
    return advice_for_index(indexed_at(lines), std::string(quoted.front()));
  const bool lacks_constant =
      contains(text, "must have a constant value") && !is_arithmetic_reason(constant_reason(error, failed.log));
  if (lacks_constant && is_array_size(lines.marked, lines.place))
    return "The size of an array is a constant of the compile: a macro (-D), a template's parameter or constexpr. For "
           "a size of the launch there is dynamic shared memory: extern __shared__ float s[].";
  return {};
}

}  // namespace kiln
