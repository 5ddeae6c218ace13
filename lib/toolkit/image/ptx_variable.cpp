#include "toolkit/image/ptx_variable.hpp"

#include <kiln/error.hpp>

#include <charconv>
#include <cstdint>
#include <string>

namespace kiln {
namespace {

constexpr std::size_t max_variable_size = std::size_t{1} << 38;  // no device has as much memory

bool is_name(std::string_view word) {
  const char c = word.front();
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' || c == '%';
}

// Bytes of one value of a fundamental PTX type (".u64", ".f16x2"); 0 for another directive.
std::size_t type_size(std::string_view type) {
  if (type == ".texref" || type == ".samplerref" || type == ".surfref") return 8;
  if (type == ".f16x2" || type == ".bf16x2") return 4;
  if (type == ".bf16") return 2;
  if (type.size() < 3 || std::string_view("bsuf").find(type[1]) == std::string_view::npos) return 0;
  const std::string_view bits = type.substr(2);
  for (const std::string_view known : {"8", "16", "32", "64", "128"})
    if (bits == known) return ptx_number(bits) / 8;
  return 0;
}

void multiply(std::size_t& size, std::size_t count) {
  if (size != 0 && count > max_variable_size / size)
    throw Error("the PTX has a variable of more than 256 GiB, which no device has");
  size *= count;
}

}  // namespace

std::size_t ptx_number(std::string_view word) {
  std::size_t value = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error != std::errc() || end != word.data() + word.size())
    throw_damaged_ptx("'" + std::string(word) + "' is not a number");
  return value;
}

PtxVariable read_ptx_variable(const PtxStatement& words, std::size_t begin, std::size_t end) {
  PtxVariable variable;
  std::size_t alignment = 0;
  std::size_t element = 0;
  std::size_t vector = 1;
  variable.size = 1;
  for (std::size_t i = begin; i < end && words[i] != "="; ++i) {
    const std::string_view next = i + 1 < end ? words[i + 1] : std::string_view();
    // What follows .ptr is about the memory that it points to.
    if (words[i] == ".align" && element == 0) alignment = ptx_number(next);
    if (words[i] == ".v2" || words[i] == ".v4") vector = words[i] == ".v2" ? 2 : 4;
    if (element == 0 && (element = type_size(words[i])) != 0) variable.type = words[i];
    variable.is_pointer |= words[i] == ".ptr";
    variable.is_array |= words[i] == "[";
    if (words[i] == "[") multiply(variable.size, next == "]" ? 0 : ptx_number(next));
    if (element != 0 && is_name(words[i])) variable.name = words[i];
  }
  if (element == 0) throw_damaged_ptx("a variable or parameter has an unknown type");
  variable.is_vector = vector != 1;
  multiply(variable.size, element * vector);
  variable.alignment = alignment != 0 ? alignment : element * vector;
  if (variable.alignment > 65536 || (variable.alignment & (variable.alignment - 1)) != 0)
    throw_damaged_ptx("a variable or parameter has a wrong alignment");
  return variable;
}

std::size_t place(const PtxVariable& variable, std::size_t& end) {
  const std::size_t begin = (end + variable.alignment - 1) / variable.alignment * variable.alignment;
  end = begin + variable.size;
  return begin;
}

}  // namespace kiln
