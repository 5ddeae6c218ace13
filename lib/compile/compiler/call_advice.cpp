#include "compile/compiler/advice.hpp"

#include "base/text_parts.hpp"
#include "base/word_list.hpp"
#include "compile/compiler/argument_count.hpp"
#include "compile/compiler/line_words.hpp"
#include "compile/compiler/undeclared_name.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace kiln {

namespace {

std::string advice_for_mask(std::string_view name) {
  const bool is_shuffle = name.starts_with("__shfl_");
  const char* const second = name.starts_with("__match_") || name.starts_with("__reduce_") ? "value" : "predicate";
  return std::string(name) + (is_shuffle ? "(mask, value, lane)" : "(mask, " + std::string(second) + ")") +
         ": its first argument is the mask of the lanes that take part, such as 0xffffffff.";
}

bool takes_mask(std::string_view name) {
  return name.ends_with("_sync") && begins_with_any(name, "__shfl_ __any_ __all_ __ballot_ __match_ __reduce_");
}

/// The texts between the first '(' and the last ')', which commas divide.
std::vector<std::string> listed_types(std::string_view text) {
  const std::size_t open = text.find('(');
  const std::size_t close = text.rfind(')');
  if (open == std::string_view::npos || close == std::string_view::npos || close < open) return {};
  std::vector<std::string> types;
  for (std::string_view rest = text.substr(open + 1, close - open - 1); !rest.empty();)
    types.emplace_back(trimmed(next_part(rest, ',')));
  return types;
}

/// The same; of values it does not matter whether they are const.
std::vector<std::string> number_types(std::string_view text) {
  std::vector<std::string> types = listed_types(text);
  for (std::string& type : types)
    if (type.starts_with("const ") && !type.ends_with('*')) type.erase(0, 6);
  return types;
}

/// Where every function of the name that takes as many arguments has a pointer for one that is none, as the notes say.
std::string advice_for_pointer(const Diagnostic& error, const std::string& name, std::string_view log) {
  const std::vector<std::string> given = listed_types(error.types);
  std::size_t wanted = 0;  // from 1
  for (std::string_view rows = rows_behind(error, log); !rows.empty();) {
    const std::string_view row = next_line(rows);
    constexpr std::string_view before = "does not match because argument #";
    const std::size_t at = row.find(before);
    const auto quoted = quoted_words(row);
    if (at == std::string_view::npos || quoted.empty() || !quoted.front().starts_with(name + "(")) continue;
    const char digit = row.substr(at + before.size(), 1).empty() ? '0' : row[at + before.size()];
    const std::size_t number = static_cast<std::size_t>(digit - '0');
    const std::vector<std::string> types = listed_types(quoted.front());
    const bool is_known = number >= 1 && number <= std::min(types.size(), given.size());
    if (!is_known || !types[number - 1].ends_with('*') || given[number - 1].ends_with('*')) return {};
    if (wanted != 0 && wanted != number) return {};
    wanted = number;
  }
  return wanted == 0 ? std::string()
                     : "Argument " + std::to_string(wanted) + " is to be a pointer: pass an address, such as &x.";
}

bool is_pointer(std::string_view type) { return type.ends_with('*'); }

bool is_unsigned(std::string_view type) {
  return contains(type, "unsigned") || contains(type, "size_t") || contains(type, "uint");
}

bool is_floating(std::string_view type) { return type == "float" || type == "double"; }

/// "float(x)" and "(long long)x".
std::string cast(std::string_view type, const std::string& value) {
  const bool is_word = !contains(type, " ");
  return is_word ? std::string(type) + "(" + value + ")" : "(" + std::string(type) + ")" + value;
}

bool is_integer(std::string_view type) {
  for (const std::string_view word : words_of_line(type))
    if (!has_word("const unsigned signed char short int long bool __nv_bool size_t ptrdiff_t ssize_t", word) &&
        !(begins_with_any(word, "int uint") && word.ends_with("_t")))
      return false;
  return !type.empty() && !is_pointer(type);
}

/// Of 64 bits, as CUDA counts: long is such a type here.
bool is_long(std::string_view type) {
  return is_integer(type) &&
         (contains(type, "long") || contains(type, "64") || contains(type, "size_t") || contains(type, "ptrdiff_t"));
}

bool is_small(std::string_view type) {
  return is_integer(type) && (contains(type, "char") || contains(type, "short") || contains(type, "bool") ||
                              contains(type, "int8_t") || contains(type, "int16_t"));
}

/// What an address is of: "long" of "long *".
std::string_view pointee_of(std::string_view type) {
  const std::string_view pointee = trimmed(type.substr(0, type.size() - 1));
  return pointee == "__nv_bool" ? "bool" : pointee;
}

/// Of an atomic function and the type in memory that it does not have.
std::string advice_for_atomic(const std::string& name, std::string_view type) {
  const std::string of_type = name + " has no " + std::string(type) + ": ";
  if (type.starts_with("const "))
    return "An atomic function writes: its first argument cannot be a pointer to " + std::string(type) + ".";
  if (is_small(type))
    return of_type +
           "of 8 and 16 bits there is atomicCAS alone, of unsigned short. Use int or unsigned int, or "
           "cuda::atomic_ref of <cuda/atomic>, which has small types, too.";
  if (name == "atomicSub" && (is_long(type) || is_floating(type)))
    return of_type + "add the negative number, as in " +
           (is_long(type) ? "atomicAdd((unsigned long long*)p, (unsigned long long)-x)." : "atomicAdd(p, -x).");
  if (is_long(type) && begins_with_any(name, "atomicMin atomicMax atomicAnd atomicOr atomicXor"))
    return of_type + "cast the pointer, as in " + name +
           (is_unsigned(type) ? "((unsigned long long*)p, x)." : "((long long*)p, x).");
  if (is_long(type))
    return of_type + "cast the pointer and the value, as in " + name +
           "((unsigned long long*)p, (unsigned long long)x), which gives the same bits.";
  if (is_floating(type))
    return of_type + "write a loop over atomicCAS on its bits, by " +
           (type == "float" ? "__float_as_int and (int*)p" : "__double_as_longlong and (unsigned long long*)p") +
           ", or use cuda::atomic_ref of <cuda/atomic>.";
  return of_type + "atomic functions are for numbers of 32 and 64 bits; use one for each member, or a lock.";
}

/// Of two or three values of one type T, in a template.
bool is_of_one_type(std::string_view name) {
  const std::size_t colons = name.rfind("::");
  return has_word("max min clamp minmax", name.substr(colons == std::string_view::npos ? 0 : colons + 2));
}

/// The type to which numbers of the types are converted without much loss.
std::string_view common_type(const std::vector<std::string>& types) {
  for (const std::string_view type : {"double", "float"})
    if (std::find(types.begin(), types.end(), type) != types.end()) return type;
  const auto found = std::find_if(types.begin(), types.end(), is_long);
  return found == types.end() ? types.front() : *found;
}

bool are_numbers(const std::vector<std::string>& types) {
  const auto is_number = [](const std::string& type) { return is_floating(type) || is_integer(type); };
  return !types.empty() && std::all_of(types.begin(), types.end(), is_number);
}

/// Of types that no function of the name takes; `rows` are the notes on those that there are.
std::string advice_for_types(const std::string& name, const std::vector<std::string>& types, std::string_view rows) {
  if (types.empty()) return {};
  const std::string& first = types.front();
  const bool is_known = contains(rows, "\"" + name + "(" + first + ",");
  if (name.starts_with("atomic") && is_pointer(first) && !is_known) return advice_for_atomic(name, pointee_of(first));
  if (begins_with_any(name, "__ldg __ldc __ldl __st") && is_pointer(first)) {
    const bool stores = name.starts_with("__st");
    if (types.size() != (stores ? 2U : 1U))
      return name + (stores ? " takes the address and the value." : " takes one argument, the address of the element.");
    return name + " is for CUDA's numbers and vectors of numbers, and not for " + std::string(pointee_of(first)) +
           ": give it the address of a member, or cast the pointer to a type of the same size, such as " +
           (contains(first, "bool") ? "const unsigned char*." : "const int4*.");
  }
  if (!is_of_one_type(name) || !are_numbers(types)) return {};
  if (types.size() == 1) return name + " takes more than one value: it is given one.";
  if (types.size() == 3 && !name.ends_with("clamp"))
    return name + " takes two values, and is given 3: call it twice, as in " + name + "(" + name + "(a, b), c).";
  const std::string common(common_type(types));
  return name + " takes values of one type: cast them, or name the type, as in " + name + "<" + common + ">(" +
         (types.size() == 3 ? "a, b, c" : "a, b") + ").";
}

/// "__half" or another small number with conversions to and from all others, where the text has one.
std::string small_float_in(std::string text) {
  std::replace(text.begin(), text.end(), '"', ' ');  // What is in quotes is a literal in a line.
  for (const std::string_view word : words_of_line(text))
    if (has_word("__half half __nv_bfloat16 nv_bfloat16", word) ||
        begins_with_any(word, "__nv_fp8_ __nv_fp6_ __nv_fp4_"))
      return std::string(word);
  return {};
}

/// Where half, which converts from and to all numbers, or two of them are with others.
std::string advice_for_half(const Diagnostic& error) {
  const std::string_view text = error.text;
  const bool is_operator = contains(text, "no operator \"");
  const bool is_ambiguous = contains(text, "more than one ") || contains(text, "ambiguous \"?\" operation");
  if (!is_operator && !is_ambiguous) return {};
  const std::string_view types = error.types.empty() ? text : std::string_view(error.types);
  const std::string type = small_float_in(std::string(types));
  if (is_ambiguous && !type.empty())
    return type + " converts from and to every number, so that several fit: convert one side, as in " + type +
           "(x), or compute in float, as in float(h) + x.";
  if (!type.empty() && type.starts_with("__nv_fp"))
    return type + " has no operators: compute in float, as in " + type + "(float(a) + float(b)).";
  if (is_operator && contains(types, "half2"))
    return "The operators of __half2 take two of it: convert the other side by __float2half2_rn(x) or "
           "__float22half2_rn(v).";
  if (is_operator && contains(types, "nv_bfloat162"))
    return "The operators of __nv_bfloat162 take two of it: convert the other side by __float2bfloat162_rn(x) or "
           "__float22bfloat162_rn(v).";
  return {};
}

/// Where an operand is an address, and its element was meant.
std::string advice_for_address(const Diagnostic& error) {
  const auto quoted = quoted_words(error.text);
  if (!contains(error.text, "no operator \"") || quoted.empty()) return {};
  const bool is_address =
      error.types.ends_with(" *") || contains(error.types, " * " + std::string(quoted.front()) + " ");
  return is_address ? "One side is a pointer: name an element, as in p[i] or *p." : "";
}

/// Where several functions fit equally well.
std::string advice_for_ambiguous(const Diagnostic& error) {
  const auto quoted = quoted_words(error.text);
  const std::vector<std::string> types = number_types(error.types);
  const bool is_call = contains(error.text, "more than one instance of overloaded function \"");
  if (!is_call || quoted.empty() || !are_numbers(types)) return {};
  const std::string name(quoted.front());
  if (has_word("abs labs llabs", name) && is_unsigned(types.front()))
    return "An unsigned number is never negative: leave " + name +
           " out. For a distance subtract signed numbers, as in abs(int(a) - int(b)).";
  const std::string type(types.size() > 1 && is_of_one_type(name) ? common_type(types) : std::string_view("float"));
  if (types.size() == 1) return "Cast the integer, as in " + name + "(float(x)), or double(x).";
  return "Cast the arguments to one type, as in " + name + "(" + cast(type, "a") + ", " + cast(type, "b") + ").";
}

/// Of an address of another type than the parameter's.
std::string advice_for_pointers(std::string_view text) {
  const auto quoted = quoted_words(text);
  if (!contains(text, " is incompatible with parameter of type ") || quoted.size() != 2) return {};
  if (is_pointer(quoted[0]) && contains(quoted[1], " (*)["))
    return "The parameter is a pointer to rows: cast the address, as in (" + std::string(quoted[1]) + ")p.";
  if (!is_pointer(quoted[0]) || !is_pointer(quoted[1])) return {};
  if (quoted[0] == "const " + std::string(quoted[1]))
    return "The function may write there, and what it is given is const: leave const out where the memory is declared.";
  return "Pass memory of the parameter's type, or cast the address where the bits are meant, as in (" +
         std::string(pointee_of(quoted[1])) + "*)p.";
}

/// What printf has for a type.
std::string_view conversion_of(std::string_view type) {
  if (is_pointer(type)) return "%p";
  if (contains(type, "float") || contains(type, "double") || contains(type, "half") || contains(type, "bfloat16"))
    return "%f";
  if (is_unsigned(type)) return is_long(type) ? "%llu" : "%u";
  return is_long(type) ? "%lld" : "%d";
}

/// Where printf has another first argument than its format, or none.
std::string advice_for_format(const Diagnostic& error, const NumberedLines& lines) {
  if (contains(error.text, "too many characters in character constant"))
    return "Text has double quotes, as in \"text\": single ones are for one character.";
  const auto quoted = quoted_words(error.text);
  const bool is_other = contains(error.text, " is incompatible with parameter of type \"const char *\"");
  const bool is_character = lines.place < lines.marked.size() && lines.marked[lines.place] == '\'';
  if (is_other && is_character) return "Text has double quotes, as in \"text\": single ones are for one character.";
  const bool is_none = contains(error.text, "too few arguments in function call");
  if ((!is_other && !is_none) || called_name(lines) != "printf") return {};
  return "printf's first argument is the format, a text: printf(\"" +
         std::string(is_other ? conversion_of(quoted.front()) : "%d") + "\\n\", x).";
}

/// Of a call with other arguments than the function, mostly one of CUDA, takes.
std::string advice_for_arguments(const Diagnostic& error, const NumberedLines& lines, std::string_view log) {
  const std::string_view text = error.text;
  const std::string_view line = lines.marked;
  if (contains(text, "Instruction '") && contains(text, "' without '.sync' is not supported")) {
    for (const std::string_view word : words_of_line(line))
      if (has_word(removed_names, word)) return undeclared_name_advice(word, {}, {});
    return "Use the _sync functions, such as __all_sync, whose first argument is the mask of the lanes that take part.";
  }
  if (contains(text, "too few arguments in function call"))
    if (const std::string_view called = called_name(lines); takes_mask(called)) return advice_for_mask(called);
  const auto quoted = quoted_words(text);
  const bool is_refused = text.find("no instance of ") != text.npos && contains(text, " matches the argument list");
  if (!is_refused || quoted.empty()) return {};
  const std::string name(quoted.front());
  if (takes_mask(name)) return advice_for_mask(name);
  const bool is_of_object =
      contains(error.types, "(cudaTextureObject_t") || contains(error.types, "(cudaSurfaceObject_t");
  if (!is_of_object || !begins_with_any(name, "tex surf")) {
    std::string of_types = advice_for_types(name, number_types(error.types), rows_behind(error, log));
    return of_types.empty() ? advice_for_pointer(error, name, log) : of_types;
  }
  for (const std::string_view word : words_of_line(line))
    if (word == name && character_behind(line, word) == '(' && !name.ends_with("write"))
      return "Name the type of what it reads: " + name + "<float>(...), for example.";
  return {};
}

}  // namespace

std::string call_advice(const Diagnostic& error, const NumberedLines& lines, const FailedCompile& failed) {
  for (std::string advice :
       {advice_for_half(error), advice_for_address(error), advice_for_ambiguous(error), advice_for_format(error, lines),
        advice_for_pointers(error.text), advice_for_arguments(error, lines, failed.log),
        argument_count_advice(error, lines, failed), deduction_advice(error, lines, failed)})
    if (!advice.empty()) return advice;
  return {};
}

}  // namespace kiln
