#include "toolkit/names/type_name.hpp"

#include "toolkit/names/bracket_depth.hpp"
#include "toolkit/names/kernel_name.hpp"

#include <algorithm>
#include <vector>

namespace kiln {
namespace {

constexpr std::string_view declarator_marks = "*&([";

// Text that is nested deeper than deepest_name keeps its spelling: these call each other for each level.
std::string type_within(std::string_view type, int depth);
std::string name_within(std::string_view name, int depth);

std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> words;
  for (const std::string_view word : split_outside_brackets(text, " "))
    if (!word.empty()) words.push_back(word);
  return words;
}

bool is_one_of(std::string_view word, std::initializer_list<std::string_view> list) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

// "long unsigned int" and its like as the demangler spells them.
std::string fundamental_type(const std::vector<std::string_view>& words) {
  const auto count = [&](std::string_view word) { return std::count(words.begin(), words.end(), word); };
  std::string name;
  if (count("double") != 0) return count("long") != 0 ? "long double" : "double";
  if (count("char") != 0) {
    if (count("signed") != 0) return "signed char";
    return count("unsigned") != 0 ? "unsigned char" : "char";
  }
  if (count("unsigned") != 0) name = "unsigned ";
  if (count("__int128") != 0) return name + "__int128";
  if (count("short") != 0) return name + "short";
  if (count("long") != 0) return name + (count("long") > 1 ? "long long" : "long");
  return name + "int";
}

// The type before its pointers, references and arrays.
std::string canonical_base(std::string_view base, int depth) {
  std::vector<std::string_view> rest;
  bool fundamental = false;
  std::string qualifiers;
  bool is_const = false;
  bool is_volatile = false;
  for (const std::string_view word : words_of(base)) {
    if (is_one_of(word, {"struct", "class", "enum", "union", "typename"})) continue;
    is_const |= word == "const";
    is_volatile |= word == "volatile";
    if (is_one_of(word, {"const", "volatile"})) continue;
    fundamental |= is_one_of(word, {"signed", "unsigned", "short", "long", "int", "char", "double", "__int128"});
    rest.push_back(word);
  }
  if (is_const) qualifiers += " const";
  if (is_volatile) qualifiers += " volatile";
  if (fundamental) return fundamental_type(rest) + qualifiers;
  std::string name;
  for (const std::string_view word : rest) name += (name.empty() ? "" : " ") + name_within(word, depth);
  return name + qualifiers;
}

// Where pointers, references, arrays or a function's parameters begin.
std::size_t declarator_begin(std::string_view type) {
  const std::vector<int> depths = bracket_depths(type);
  for (std::size_t at = 0; at < type.size(); ++at) {
    if (depths[at] != 0 || declarator_marks.find(type[at]) == std::string_view::npos) continue;
    if (type.substr(at, 11) != "(anonymous ") return at;
  }
  return type.size();
}

std::string strip_words(std::string text, std::string_view word) {
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word)) text.erase(at, word.size());
  return text;
}

// The value of an integer literal, empty where the text is none.
std::string integer_value(std::string_view text) {
  std::string digits;
  for (const char c : text)
    if (c != '\'') digits += c;
  const bool negative = !digits.empty() && digits[0] == '-';
  if (negative) digits.erase(0, 1);
  if (digits.empty() || digits[0] < '0' || digits[0] > '9') return {};
  const bool hexadecimal = digits.size() > 2 && digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'X');
  const bool binary = digits.size() > 2 && digits[0] == '0' && (digits[1] == 'b' || digits[1] == 'B');
  const std::size_t suffix = digits.find_last_not_of("uUlLzZ");
  digits.resize(suffix == std::string::npos ? 0 : suffix + 1);
  const int base = hexadecimal ? 16 : binary ? 2 : digits.size() > 1 && digits[0] == '0' ? 8 : 10;
  unsigned long long value = 0;
  for (std::size_t at = hexadecimal || binary ? 2 : 0; at < digits.size(); ++at) {
    const char c = static_cast<char>(digits[at] | 0x20);
    const int digit = c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : 99;
    if (digit >= base) return {};
    value = value * static_cast<unsigned>(base) + static_cast<unsigned>(digit);
  }
  return (negative && value != 0 ? "-" : "") + std::to_string(value);
}

// A plain character literal's value; escapes but the commonest are left as they are.
std::string character_value(std::string_view text) {
  if (text.size() == 3 && text.front() == '\'' && text.back() == '\'')
    return std::to_string(static_cast<int>(static_cast<signed char>(text[1])));
  if (text == "'\\0'") return "0";
  if (text == "'\\n'") return "10";
  if (text == "'\\t'") return "9";
  return {};
}

std::string type_within(std::string_view type, int depth) {
  const std::string spaced = canonical_spacing(type);
  if (depth > deepest_name) return spaced;
  const std::size_t declarator = declarator_begin(spaced);
  const std::string tail = strip_words(strip_words(spaced.substr(declarator), "__restrict__"), "__restrict");
  const std::string base = canonical_base(std::string_view(spaced).substr(0, declarator), depth);
  return base + canonical_spacing(tail);
}

std::string argument_within(std::string_view argument, int depth) {
  const std::string spaced = canonical_spacing(argument);
  std::string_view text = spaced;
  if (text == "true") return "1";
  if (text == "false") return "0";
  if (text.substr(0, 6) == "(char)") text.remove_prefix(6);
  for (std::string value : {integer_value(text), character_value(text)})
    if (!value.empty()) return value;
  return type_within(spaced, depth);
}

std::string name_within(std::string_view name, int depth) {
  const std::string spaced = canonical_spacing(name);
  std::string_view text = spaced;
  if (text.substr(0, 2) == "::") text.remove_prefix(2);
  const std::vector<int> depths = bracket_depths(text);
  std::string result;
  for (std::size_t at = 0; at < text.size(); ++at) {
    result += text[at];
    if (depths[at] != 0 || text[at] != '<') continue;
    std::size_t end = at + 1;
    while (end < text.size() && depths[end] != 0) ++end;
    std::string arguments;
    for (const std::string_view argument : split_outside_brackets(text.substr(at + 1, end - at - 1), ","))
      arguments += (arguments.empty() ? "" : ",") + argument_within(argument, depth + 1);
    result += arguments;
    at = end - 1;
  }
  return result;
}

}  // namespace

std::string canonical_type(std::string_view type) { return type_within(type, 0); }

std::string canonical_template_argument(std::string_view argument) { return argument_within(argument, 0); }

std::string canonical_name(std::string_view name) { return name_within(name, 0); }

}  // namespace kiln
