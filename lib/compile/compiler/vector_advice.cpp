#include "compile/compiler/advice.hpp"

#include "base/text_parts.hpp"
#include "base/word_list.hpp"
#include "compile/compiler/line_words.hpp"

#include <algorithm>
#include <vector>

namespace kiln {

namespace {

constexpr std::string_view components[] = {"x", "y", "z", "w"};

std::string_view without_const(std::string_view type) {
  if (type.starts_with("const ")) type.remove_prefix(6);
  return type;
}

bool has_vector_type(std::string_view types) {
  const auto words = words_of_line(types);
  return std::any_of(words.begin(), words.end(), [](std::string_view word) { return vector_size(word) > 0; });
}

/// "make_float3(x, y, z)", of the components of `from` as far as it is a vector, too.
std::string made_of(std::string_view type, std::string_view from) {
  std::string text = "make_" + std::string(type) + "(";
  const std::size_t known = vector_size(from);
  for (std::size_t i = 0; i < vector_size(type); ++i) {
    text += i == 0 ? "" : ", ";
    if (known > 0) text += i < known ? "v." : "0";
    if (known == 0 || i < known) text += components[i];
  }
  return text + ")";
}

/// The arguments of "float3(1, 2, 3)", "(float3)(1, 2, 3)" and "float3 v(1, 2, 3)" in a line, with the brackets, where
/// there are as many as the type has numbers; else empty.
std::string given_numbers(std::string_view line, std::string_view type) {
  const auto tokens = code_tokens(line);
  for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
    if (tokens[i] != type) continue;
    std::size_t open = i + 1;
    if (tokens[open] != "(") ++open;  // behind a name, or the ")" of a cast
    const std::size_t close =
        open < tokens.size() && tokens[open] == "(" ? closing_bracket(tokens, open) : tokens.size();
    if (close >= tokens.size()) continue;
    std::size_t commas = 0;
    for (std::size_t k = open + 1; k < close; ++k) {
      commas += tokens[k] == ",";
      if (has_word("( [ {", tokens[k])) k = std::min(closing_bracket(tokens, k), close);
    }
    if (commas + 1 == vector_size(type)) return text_between(tokens[open], tokens[close]);
  }
  return {};
}

std::string advice_for_constructor(std::string_view type, std::string_view from, std::string_view line) {
  const std::string numbers = given_numbers(line, type);
  return "CUDA's vector types have no constructors: write " +
         (numbers.empty() ? made_of(type, from) : "make_" + std::string(type) + numbers) + ".";
}

/// The types that an error names: of one with another name behind it, "half2" (aka "__half2"), that one.
std::vector<std::string_view> named_types(std::string_view text) {
  constexpr std::string_view before = "(aka ";
  std::vector<std::string_view> types;
  for (const std::string_view word : quoted_words(text)) {
    const auto at = static_cast<std::size_t>(word.data() - text.data()) - 1;
    const bool is_other = at >= before.size() && text.substr(at - before.size(), before.size()) == before;
    if (is_other && !types.empty()) types.pop_back();
    types.push_back(without_const(word));
  }
  return types;
}

/// How pairs of small numbers are made of others, and others of them.
struct PairConversion {
  std::string_view from, to, text;
};
constexpr PairConversion pair_conversions[] = {
    {"__half", "__half2", "__half2half2(h), which has it twice, or __halves2half2(a, b)"},
    {"float double int", "__half2", "__float2half2_rn(x), which has it twice, or __floats2half2_rn(a, b)"},
    {"float2", "__half2", "__float22half2_rn(v)"},
    {"__nv_bfloat16", "__nv_bfloat162", "__bfloat162bfloat162(h), which has it twice, or __halves2bfloat162(a, b)"},
    {"float double int", "__nv_bfloat162",
     "__float2bfloat162_rn(x), which has it twice, or __floats2bfloat162_rn(a, b)"},
    {"float2", "__nv_bfloat162", "__float22bfloat162_rn(v)"},
    {"__half2", "float2", "__half22float2(h)"},
    {"__nv_bfloat162", "float2", "__bfloat1622float2(h)"},
    {"__half2 __nv_bfloat162", "float double int", "__low2float(h) or __high2float(h), of one of its two numbers"},
    {"__half2 __nv_bfloat162", "__half __nv_bfloat16", "h.x or h.y, one of its two numbers"},
};

std::string advice_for_pair(std::string_view text) {
  const bool is_conversion = contains(text, "no suitable ") && contains(text, " exist");
  const auto types = named_types(text);
  if (!is_conversion || types.size() != 2) return {};
  for (const PairConversion& each : pair_conversions)
    if (has_word(each.from, types[0]) && has_word(each.to, types[1])) return "Write " + std::string(each.text) + ".";
  return {};
}

/// Of operators of cuComplex.h's numbers, by the types on both sides.
std::string advice_for_complex(std::string_view sign, std::string_view types) {
  const auto words = words_of_line(types);
  const auto is_complex = [](std::string_view word) {
    return has_word("cuFloatComplex cuDoubleComplex cuComplex", word);
  };
  const auto complex = std::find_if(words.begin(), words.end(), is_complex);
  if (complex == words.end()) return {};
  const std::string type(*complex);
  const bool is_double = type == "cuDoubleComplex";
  const std::string end = is_double ? "" : "f";
  const bool is_binary = std::count_if(words.begin(), words.end(), is_complex) > 1;
  constexpr std::string_view signs = "+-*/";
  constexpr std::string_view names[] = {"cuCadd", "cuCsub", "cuCmul", "cuCdiv"};
  const std::size_t at = sign.empty() ? std::string_view::npos : signs.find(sign.front());
  const bool is_number =
      std::any_of(words.begin(), words.end(), [](std::string_view word) { return has_word("float double int", word); });
  std::string instead = "cuCreal" + end + "(z) and cuCimag" + end + "(z) on its two numbers";
  if (sign == "=")
    instead =
        is_binary ? (is_double ? "cuComplexFloatToDouble(z)" : "cuComplexDoubleToFloat(z)") : "make_" + type + "(x, 0)";
  else if (at != std::string_view::npos && (is_binary || is_number))
    instead = std::string(names[at]) + end + (is_number ? "(make_" + type + "(x, 0), z)" : "(a, b)");
  return "The numbers of <cuComplex.h> have no operators: write " + instead + ", or use pycuda::complex<" +
         (is_double ? "double" : "float") + "> of <pycuda-complex.hpp>, which has them and the same bytes.";
}

/// Where a vector stands for a number, or the other way round.
std::string advice_for_conversion(std::string_view text, std::string_view line) {
  if (std::string of_pair = advice_for_pair(text); !of_pair.empty()) return of_pair;
  const auto quoted = quoted_words(text);
  if (contains(text, "too many initializer values")) {
    for (const std::string_view word : words_of_line(line))
      if (vector_size(word) > 0 && !given_numbers(line, word).empty()) return advice_for_constructor(word, {}, line);
    return {};
  }
  if (quoted.size() != 2) return {};
  const std::string_view from = without_const(quoted[0]);
  const std::string_view to = without_const(quoted[1]);
  const bool is_made = contains(text, "no suitable constructor exists to convert from") ||
                       (contains(text, "no suitable user-defined conversion from") && contains(text, " exists"));
  if (is_made && vector_size(to) > 0) return advice_for_constructor(to, from, line);
  const bool is_number = contains(text, "no suitable conversion function from") && vector_size(from) > 0;
  if (!is_number || to.ends_with('*')) return {};
  return "A " + std::string(from) + " is no number: name its component, such as v.x.";
}

}  // namespace

std::size_t vector_size(std::string_view type) {
  constexpr std::string_view of_numbers = "char uchar short ushort int uint long ulong longlong ulonglong float double";
  const std::string_view name = without_const(type).substr(0, without_const(type).find('_'));  // double4_16a
  if (name.empty() || name.back() < '1' || name.back() > '4') return 0;
  return has_word(of_numbers, name.substr(0, name.size() - 1)) ? static_cast<std::size_t>(name.back() - '0') : 0;
}

std::string vector_advice(const Diagnostic& error, std::string_view line) {
  const bool is_operator = contains(error.text, "no operator \"");
  const std::string_view types = is_operator ? error.types : error.text;
  const bool is_conversion = contains(error.text, "no suitable conversion function from");
  if ((is_operator || is_conversion) && (contains(types, "uint3") || contains(types, "dim3")))
    for (const std::string_view word : words_of_line(line))
      if (has_word("threadIdx blockIdx blockDim gridDim", word) && character_behind(line, word) != '.')
        return std::string(word) + " has the components x, y and z: name the component that is meant, such as " +
               std::string(word) + ".x.";
  if (!is_operator) return advice_for_conversion(error.text, line);
  const auto quoted = quoted_words(error.text);
  const std::string_view sign = quoted.empty() ? std::string_view() : quoted.front();
  if (std::string of_complex = advice_for_complex(sign, types); !of_complex.empty()) return of_complex;
  if (!has_vector_type(types)) return {};
  constexpr std::string_view before = "operand types are: ";
  const std::string_view both = types.substr(std::min(types.find(before) + before.size(), types.size()));
  const std::size_t equals = both.find(" = ");
  if (sign == "=" && equals != std::string_view::npos && vector_size(both.substr(0, equals)) > 0)
    return advice_for_constructor(both.substr(0, equals), without_const(both.substr(equals + 3)), line);
  if (has_word("== != < > <= >=", sign))
    return "CUDA's vector types have no operators: compare their components, as in a.x == b.x && a.y == b.y.";
  return "CUDA's vector types have no operators: write it component by component, as in make_float3(v.x * t, v.y * t, "
         "v.z * t), or define the operator as a __device__ function.";
}

}  // namespace kiln
