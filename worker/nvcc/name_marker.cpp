#include "worker/nvcc/name_marker.hpp"

#include "base/escaped_text.hpp"
#include "base/identifier.hpp"
#include "base/text_parts.hpp"
#include "toolkit/names/bracket_depth.hpp"

#include <kiln/error.hpp>

#include <algorithm>

namespace kiln {

namespace {

// library_variable.cpp keeps it from users' eyes where it stays in the code.
constexpr std::string_view prefix = "__kiln_name_";

[[noreturn]] void refuse(const std::string& expression) {
  throw CompileError("the name expression " + expression +
                         " names neither a kernel nor a variable: write it as for NVRTC, such as ns::scale<float, 4>, "
                         "&ns::table<int> or (void (*)(int*))overloaded",
                     {}, {});
}

/// ".global .align 8 .u64 __kiln_name_0 = generic(symbol);" Relocatable code has the file's name before the marker's.
bool is_marker(std::string_view row) {
  return row.find(".global") != std::string_view::npos && row.find(prefix) != std::string_view::npos;
}

bool is_symbol(std::string_view text) {
  const auto belongs = [](char c) { return is_of_identifier(c) || c == '$' || c == '%'; };
  return !text.empty() && !(text[0] >= '0' && text[0] <= '9') && std::all_of(text.begin(), text.end(), belongs);
}

/// The symbol of marker number `index`; empty where there is none.
std::string_view symbol_of(std::size_t index, std::string_view ptx) {
  const std::string marker = std::string(prefix) + std::to_string(index) + " = ";
  std::size_t at = ptx.find(marker);
  if (at == std::string_view::npos) return {};
  at += marker.size();
  std::string_view value = ptx.substr(at, std::min(ptx.find(';', at), ptx.size()) - at);
  constexpr std::string_view generic = "generic(";
  if (value.substr(0, generic.size()) == generic && value.back() == ')')
    value = value.substr(generic.size(), value.size() - generic.size() - 1);
  return is_symbol(value) ? value : std::string_view();
}

}  // namespace

std::string name_markers(const std::vector<std::string>& expressions) {
  std::string text = "\n\n";  // the source's last line may end in a backslash
  for (std::size_t i = 0; i < expressions.size(); ++i) {
    // A comma outside brackets would be an operator, and take the second of two names.
    if (split_outside_brackets(expressions[i], ",").size() > 1) refuse(expressions[i]);
    text += "#line 1 " + line_name("name expression " + expressions[i]) + "\nextern \"C\" { __device__ " +
            "__attribute__((__unused__)) const void* const " + std::string(prefix) + std::to_string(i) +
            " = (const void*)(" + expressions[i] + "\n); }\n";
  }
  return text;
}

std::vector<std::pair<std::string, std::string>> read_name_markers(const std::vector<std::string>& expressions,
                                                                   std::string_view ptx) {
  std::vector<std::pair<std::string, std::string>> names;
  for (std::size_t i = 0; i < expressions.size(); ++i) {
    const std::string_view symbol = symbol_of(i, ptx);
    if (symbol.empty()) refuse(expressions[i]);
    names.emplace_back(expressions[i], symbol);
  }
  return names;
}

std::string without_name_markers(const std::string& ptx) {
  std::string rest;
  rest.reserve(ptx.size());
  for (std::string_view text = ptx; !text.empty();) {
    const bool ends = text.find('\n') != std::string_view::npos;
    const std::string_view row = next_line(text);
    if (!is_marker(row)) rest.append(row).append(ends ? "\n" : "");
  }
  if (rest.find(prefix) != std::string::npos) return ptx;
  return rest;
}

}  // namespace kiln
