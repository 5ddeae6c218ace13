#include "toolkit/code_info.hpp"
#include "toolkit/kernel_name.hpp"
#include "toolkit/ptx_scan.hpp"

#include <kiln/error.hpp>

#include <algorithm>
#include <charconv>

namespace kiln {
namespace {

[[noreturn]] void damaged(const std::string& what) { throw Error("the PTX text is damaged: " + what); }

std::size_t number(std::string_view word) {
  std::size_t value = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error != std::errc() || end != word.data() + word.size()) damaged("'" + std::string(word) + "' is not a number");
  return value;
}

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
    if (bits == known) return number(bits) / 8;
  return 0;
}

// One parameter's words: .param [.align n] type [.ptr [.space] [.align n]] name [ "[" count "]" ].
Parameter read_parameter(const PtxStatement& words, std::size_t begin, std::size_t end, std::size_t& offset) {
  std::size_t alignment = 0;
  std::size_t element = 0;
  std::size_t count = 1;
  for (std::size_t i = begin; i < end; ++i) {
    // What follows .ptr is about the memory that it points to.
    if (words[i] == ".align" && i + 1 < end && element == 0) alignment = number(words[i + 1]);
    if (element == 0) element = type_size(words[i]);
    if (words[i] == "[" && i + 1 < end) count = number(words[i + 1]);
  }
  if (element == 0) damaged("a parameter has an unknown type");
  if (count > 65536) damaged("a parameter is too large");
  if (alignment == 0) alignment = element;
  if (alignment > 65536 || (alignment & (alignment - 1)) != 0) damaged("a parameter has a wrong alignment");
  Parameter parameter;
  parameter.size = element * count;
  parameter.offset = (offset + alignment - 1) / alignment * alignment;
  offset = parameter.offset + parameter.size;
  return parameter;
}

KernelInfo read_entry(const PtxStatement& words, std::size_t entry) {
  KernelInfo kernel;
  if (entry + 1 >= words.size()) damaged("an .entry has no name");
  kernel.name = std::string(words[entry + 1]);
  const auto open = std::find(words.begin() + static_cast<std::ptrdiff_t>(entry), words.end(), "(");
  const auto close = std::find(open, words.end(), ")");
  std::size_t offset = 0;
  for (auto at = open; at != close;) {
    const auto comma = std::find(at + 1, close, ",");
    if (comma != at + 1)
      kernel.parameters.push_back(read_parameter(words, static_cast<std::size_t>(at + 1 - words.begin()),
                                                 static_cast<std::size_t>(comma - words.begin()), offset));
    at = comma;
  }
  add_readable_name(kernel);
  return kernel;
}

// The variable's name: the word before its size, its value or the end.
std::string_view variable_name(const PtxStatement& words) {
  std::string_view name;
  for (const std::string_view word : words) {
    if (word == "[" || word == "=") break;
    if (is_name(word)) name = word;
  }
  return name;
}

void read_statement(const PtxStatement& words, CodeInfo& info) {
  const auto has = [&](std::string_view word) { return std::find(words.begin(), words.end(), word) != words.end(); };
  if (words.front() == ".target" && words.size() > 1) {
    info.arch = std::string(words[1]);
    return;
  }
  const auto entry = std::find(words.begin(), words.end(), ".entry");
  if (entry != words.end()) {
    info.kernels.push_back(read_entry(words, static_cast<std::size_t>(entry - words.begin())));
    return;
  }
  if (has(".extern") || has(".func") || !(has(".global") || has(".const"))) return;
  const std::string_view name = variable_name(words);
  if (!name.empty() && !is_library_variable(name)) info.globals.emplace_back(name);
}

}  // namespace

CodeInfo read_ptx(std::string_view text) {
  // Compilers end PTX with a zero byte, which may have been kept.
  while (!text.empty() && text.back() == '\0') text.remove_suffix(1);
  CodeInfo info;
  for (const PtxStatement& statement : scan_ptx(text)) read_statement(statement, info);
  if (info.arch.empty()) damaged("it has no .target");
  return info;
}

}  // namespace kiln
