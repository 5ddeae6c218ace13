#include "launch/argument_code.hpp"

#include "base/type_name.hpp"

#include <kiln/error.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

namespace kiln {

namespace {

using Value = ArgumentCode::Value;

struct Row {
  std::string_view text;
  const char* type;
  Value value;
  bool is_signed;
  std::size_t size;
  std::size_t alignment;
};

constexpr Row letters[] = {
    {"b", "signed char", Value::integer, true, 1, 1},
    {"B", "unsigned char", Value::integer, false, 1, 1},
    {"c", "char", Value::character, true, 1, 1},
    {"s", "byte", Value::bytes, false, 1, 0},
    {"p", "byte", Value::bytes, false, 1, 0},
    {"h", "short", Value::integer, true, 2, 2},
    {"H", "unsigned short", Value::integer, false, 2, 2},
    {"i", "int", Value::integer, true, 4, 4},
    {"I", "unsigned int", Value::integer, false, 4, 4},
    {"l", "long", Value::integer, true, 8, 8},
    {"L", "unsigned long", Value::integer, false, 8, 8},
    {"n", "ssize_t", Value::integer, true, 8, 8},
    {"N", "size_t", Value::integer, false, 8, 8},
    {"q", "long long", Value::integer, true, 8, 8},
    {"Q", "unsigned long long", Value::integer, false, 8, 8},
    {"?", "bool", Value::boolean, false, 1, 1},
    {"e", "half", Value::half, true, 2, 2},
    {"f", "float", Value::floating, true, 4, 4},
    {"d", "double", Value::floating, true, 8, 8},
    {"F", "complex of float", Value::object, false, 8, 8},
    {"D", "complex of double", Value::object, false, 16, 16},
    {"P", "pointer", Value::pointer, false, 8, 8},
};

constexpr Row names[] = {
    {"dim3", "dim3", Value::object, false, 12, 4},          {"half", "half", Value::half, true, 2, 2},
    {"half2", "half2", Value::object, false, 4, 4},         {"bfloat16", "bfloat16", Value::bfloat16, true, 2, 2},
    {"bfloat162", "bfloat162", Value::object, false, 4, 4},
};

// Of vector types, with a number from 1 to 4 at the end.
struct Element {
  std::string_view name;
  std::size_t size;
};
constexpr Element elements[] = {{"char", 1},     {"uchar", 1},     {"short", 2}, {"ushort", 2},
                                {"int", 4},      {"uint", 4},      {"long", 8},  {"ulong", 8},
                                {"longlong", 8}, {"ulonglong", 8}, {"float", 4}, {"double", 8}};

ArgumentCode from_row(const Row& row) {
  return {std::string(row.text), row.type, row.value, row.is_signed, row.size, row.alignment, 0};
}

/// CUDA aligns vectors of 2 and 4 elements at their size, but never beyond 16 bytes; CUDA 13's double4_32a at 32.
std::optional<ArgumentCode> vector_code(std::string_view text) {
  std::string_view name = text;
  std::size_t largest_alignment = 16;
  const bool says_alignment = name.ends_with("4_16a") || name.ends_with("4_32a");
  if (says_alignment) {
    largest_alignment = name.ends_with("4_32a") ? 32 : 16;
    name.remove_suffix(4);
  }
  if (name.empty() || name.back() < '1' || name.back() > '4') return std::nullopt;
  const auto count = static_cast<std::size_t>(name.back() - '0');
  name.remove_suffix(1);
  for (const Element& element : elements) {
    if (element.name != name || (says_alignment && element.size != 8)) continue;
    const std::size_t size = count * element.size;
    const std::size_t alignment = count == 2 || count == 4 ? std::min(size, largest_alignment) : element.size;
    return ArgumentCode{std::string(text), std::string(text), Value::object, false, size, alignment, 0};
  }
  return std::nullopt;
}

std::optional<ArgumentCode> named_code(std::string_view text) {
  for (const Row& row : names)
    if (row.text == text) return from_row(row);
  return vector_code(text);
}

[[noreturn]] void throw_unknown(const std::string& kernel, std::string_view unknown, std::string_view codes) {
  const std::string expected =
      "x b B c s p h H i I l L n N q Q ? e f d F D P, a number before one of them, or in a list of codes a name: char1 "
      "to double4 (such as float4, uchar4), dim3, half, half2, bfloat16, bfloat162";
  const std::string given = "'" + std::string(unknown) + "'";
  std::string hint;
  if (named_code(codes)) hint = "; a name stands in a list: prepare({\"" + std::string(codes) + "\"})";
  throw ArgumentError("kernel " + kernel + ": prepare() does not know the code " + given + " in \"" +
                          std::string(codes) + "\"; known codes are " + expected + hint,
                      kernel, ArgumentError::no_index, expected, given);
}

/// Reads the codes of one text, one after another.
class Reader {
 public:
  Reader(const std::string& kernel, std::vector<ArgumentCode>& result) : kernel_(kernel), result_(result) {}

  void read_letters(std::string_view codes) {
    for (std::string_view rest = codes; !rest.empty();) {
      const std::size_t count = take_count(rest, codes);
      const char letter = rest.front();
      rest.remove_prefix(1);
      if (letter == 'x')
        padding_ += count;
      else
        add_letter(letter, count, codes);
    }
  }

  void read_name_or_letters(std::string_view code) {
    if (code.empty()) throw_unknown(kernel_, code, code);
    if (std::optional<ArgumentCode> named = named_code(code))
      add(std::move(*named));
    else
      read_letters(code);
  }

 private:
  std::size_t take_count(std::string_view& rest, std::string_view codes) {
    std::size_t count = 1;
    const char* const begin = rest.data();
    const auto [end, error] = std::from_chars(begin, begin + rest.size(), count);
    const auto length = static_cast<std::size_t>(end - begin);
    // More than a kernel takes would be a slip, and could ask for any amount of memory here.
    if (length == rest.size() || error == std::errc::result_out_of_range || (length != 0 && count - 1 >= 32764))
      throw_unknown(kernel_, rest, codes);
    rest.remove_prefix(length);
    return count;
  }

  void add_letter(char letter, std::size_t count, std::string_view codes) {
    const auto* const row =
        std::find_if(std::begin(letters), std::end(letters), [&](const Row& each) { return each.text[0] == letter; });
    if (row == std::end(letters)) throw_unknown(kernel_, std::string_view(&letter, 1), codes);
    if (row->value != Value::bytes) {
      for (std::size_t i = 0; i < count; ++i) add(from_row(*row));
      return;
    }
    ArgumentCode bytes = from_row(*row);
    bytes.size = count;
    if (count != 1) bytes.text = std::to_string(count) + bytes.text;
    add(std::move(bytes));
  }

  void add(ArgumentCode code) {
    code.padding = std::exchange(padding_, 0);
    result_.push_back(std::move(code));
  }

  const std::string& kernel_;
  std::vector<ArgumentCode>& result_;
  std::size_t padding_ = 0;
};

ArgumentCode code_of(const detail::ArgumentInfo& argument) {
  ArgumentCode code{type_name(*argument.type), {}, Value::object, argument.is_signed, argument.size, 0, 0};
  if (argument.kind == ParameterKind::pointer)
    code.value = Value::pointer;
  else if (*argument.type == typeid(bool))
    code.value = Value::boolean;
  else if (argument.kind == ParameterKind::integer && argument.size <= 8)
    code.value = Value::integer;
  else if (argument.kind == ParameterKind::floating && argument.size <= 8)
    code.value = Value::floating;
  if (code.value != Value::object) code.alignment = code.size;
  return code;
}

}  // namespace

ParameterKind ArgumentCode::kind() const noexcept {
  switch (value) {
    case Value::pointer:
      return ParameterKind::pointer;
    case Value::integer:
    case Value::boolean:
    case Value::character:
      return ParameterKind::integer;
    case Value::floating:
      return ParameterKind::floating;
    default:
      return ParameterKind::other;
  }
}

std::string ArgumentCode::describe() const {
  const std::string bytes = std::to_string(size) + (size == 1 ? " byte" : " bytes");
  if (type.empty()) return text + " (" + bytes + ")";
  if (value == Value::bytes) return "code " + text + " (" + bytes + ")";
  return "code " + text + " (" + type + ", " + bytes + ")";
}

std::vector<ArgumentCode> read_codes(const std::string& kernel, std::string_view codes) {
  std::vector<ArgumentCode> result;
  Reader(kernel, result).read_letters(codes);
  return result;
}

std::vector<ArgumentCode> read_codes(const std::string& kernel, const std::vector<std::string>& codes) {
  std::vector<ArgumentCode> result;
  Reader reader(kernel, result);
  for (const std::string& code : codes) reader.read_name_or_letters(code);
  return result;
}

std::vector<ArgumentCode> codes_of(const detail::Signature& signature) {
  std::vector<ArgumentCode> result;
  for (std::size_t i = 0; i < signature.count; ++i) result.push_back(code_of(signature.arguments[i]));
  return result;
}

}  // namespace kiln
