#include "run_argument.hpp"

#include "base/argument_error.hpp"
#include "base/text_parts.hpp"

#include <charconv>

namespace kiln::tool {

namespace {

constexpr const char* how_arguments_are_written =
    "give a number (1000, 1.5f, half:1.5), a vector (float[1000]=arange, =random, =zeros, =ones, =7, =@file.npy, or "
    "out:float[1000], or @file.npy), hex:00112233 for a struct, or null";

const ElementType& named_type(const RunArgument& argument, std::string_view name) {
  const ElementType* const type = element_type(name);
  if (type == nullptr)
    refuse_run_argument(argument, "\"" + std::string(name) + "\" is no type that is known; there are " +
                                      element_type_names() + "; a float4[100] is written float[100x4]");
  return *type;
}

/// "2x3".
std::vector<std::size_t> read_shape(const RunArgument& argument, std::string_view text) {
  std::vector<std::size_t> shape;
  for (std::string_view rest = text; shape.size() < most_dimensions;) {
    std::size_t size = 0;
    const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), size);
    if (error != std::errc()) break;
    shape.push_back(size);
    rest.remove_prefix(static_cast<std::size_t>(end - rest.data()));
    if (rest.empty()) return shape;
    if (rest.front() != 'x') break;
    rest.remove_prefix(1);
  }
  refuse_run_argument(argument, "[" + std::string(text) + "] is no size: write [1000], or [2x3] for two dimensions");
}

Literal number_for(const RunArgument& argument, const ElementType& type, std::string_view text) {
  const std::optional<Literal> literal = read_literal(text);
  if (!literal) refuse_run_argument(argument, "\"" + std::string(text) + "\" is no number");
  std::uint64_t bits = 0;
  if (type.kind != ElementType::Kind::complex && !convert_literal(*literal, type, &bits))
    refuse_run_argument(argument, "expected " + literal_range(type));
  return *literal;
}

void read_values(const RunArgument& argument, std::string_view text, VectorArgument& vector) {
  using Values = VectorArgument::Values;
  const auto number = [&](std::string_view digits) {
    vector.values = Values::number;
    vector.number = number_for(argument, *vector.type, digits);
  };
  if (text == "arange")
    vector.values = Values::arange;
  else if (text == "random")
    vector.values = Values::random;
  else if (text == "zeros")
    number("0");
  else if (text == "ones")
    number("1");
  else if (text.starts_with('@')) {
    vector.values = Values::file;
    vector.file = text.substr(1);
  } else {
    if (!read_literal(text))
      refuse_run_argument(argument, "\"" + std::string(text) +
                                        "\" is no number, nor arange, random, zeros or ones; values of a list are in a "
                                        "file of NumPy's: =@file.npy");
    number(text);
  }
}

VectorArgument read_vector(const RunArgument& argument, std::string_view text) {
  VectorArgument vector;
  vector.is_out = text.starts_with("out:");
  if (vector.is_out) text.remove_prefix(4);
  if (text.starts_with('@')) {
    vector.values = VectorArgument::Values::file;
    vector.file = text.substr(1);
    return vector;
  }
  const std::size_t open = text.find('['), close = text.find(']');
  if (open == std::string_view::npos || close == std::string_view::npos || close < open)
    refuse_run_argument(argument, "a vector has its size in brackets, such as float[1000]");
  vector.type = &named_type(argument, text.substr(0, open));
  vector.shape = read_shape(argument, text.substr(open + 1, close - open - 1));
  std::size_t bytes = 0;
  if (!array_bytes(*vector.type, vector.shape, bytes)) refuse_run_argument(argument, "no memory has so many elements");
  const std::string_view rest = text.substr(close + 1);
  if (rest.starts_with('='))
    read_values(argument, rest.substr(1), vector);
  else if (!rest.empty())
    refuse_run_argument(argument, "\"" + std::string(rest) + "\" stands where = and the values belong");
  else if (!vector.is_out)
    refuse_run_argument(argument,
                        "it has no values: add =zeros, =arange, =random, a number or =@file.npy, or write out: before "
                        "what the kernel only writes");
  return vector;
}

BytesArgument read_hex(const RunArgument& argument, std::string_view digits) {
  BytesArgument result;
  for (; digits.size() >= 2; digits.remove_prefix(2)) {
    unsigned byte = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + 2, byte, 16);
    if (error != std::errc() || end != digits.data() + 2) break;
    result.bytes += static_cast<char>(byte);
  }
  if (!digits.empty() || result.bytes.empty())
    refuse_run_argument(argument, "expected two hexadecimal digits for each byte, such as hex:00112233");
  return result;
}

/// half:1.5.
ScalarArgument read_stated(const RunArgument& argument, std::string_view type_name, std::string_view number) {
  const ElementType& type = named_type(argument, type_name);
  if (type.kind == ElementType::Kind::complex)
    refuse_run_argument(argument, "a complex number is passed as its bytes: hex:");
  return {number_for(argument, type, number), &type};
}

}  // namespace

void refuse_run_argument(const RunArgument& argument, const std::string& fault) {
  throw_argument_error(
      "argument " + std::to_string(argument.index) + " (counted from 0), \"" + argument.text + "\": " + fault,
      how_arguments_are_written, argument.text);
}

RunArgument read_run_argument(std::size_t index, const std::string& text) {
  RunArgument argument{index, text, NullArgument{}};
  const std::string_view view = text;
  const std::size_t colon = view.find(':');
  if (text == "null" || text == "nullptr") return argument;
  if (view.starts_with("hex:"))
    argument.value = read_hex(argument, view.substr(4));
  else if (view.starts_with("out:") || view.starts_with('@') || view.find('[') != std::string_view::npos)
    argument.value = read_vector(argument, view);
  else if (colon != std::string_view::npos)
    argument.value = read_stated(argument, view.substr(0, colon), view.substr(colon + 1));
  else if (const std::optional<Literal> literal = read_literal(view))
    argument.value = ScalarArgument{*literal, nullptr};
  else
    refuse_run_argument(argument, how_arguments_are_written);
  return argument;
}

}  // namespace kiln::tool
