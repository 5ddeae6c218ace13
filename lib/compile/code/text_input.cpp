#include "compile/code/text_input.hpp"

#include "base/text_parts.hpp"

#include <algorithm>
#include <initializer_list>

namespace kiln {

namespace {

/// Text ends at a zero byte at most, and has no control characters but those that move.
bool is_text(std::string_view bytes) {
  while (!bytes.empty() && bytes.back() == '\0') bytes.remove_suffix(1);
  return !bytes.empty() && std::all_of(bytes.begin(), bytes.end(), [](char c) {
    const auto value = static_cast<unsigned char>(c);
    return value >= 0x20 || (value >= '\t' && value <= '\r') || value == 0x1b;
  });
}

void skip_blanks(std::string_view& text) {
  const std::size_t begin = text.find_first_not_of(" \t\r\n\v\f");
  text.remove_prefix(begin == std::string_view::npos ? text.size() : begin);
}

/// Behind blanks and the comments of C++ and PTX.
std::string_view first_words(std::string_view text) {
  for (;;) {
    skip_blanks(text);
    if (text.starts_with("//")) {
      next_line(text);
    } else if (text.starts_with("/*")) {
      const std::size_t end = text.find("*/", 2);
      text.remove_prefix(end == std::string_view::npos ? text.size() : end + 2);
    } else {
      return text;
    }
  }
}

bool has_any(std::string_view text, std::initializer_list<std::string_view> words) {
  return std::any_of(words.begin(), words.end(),
                     [&](std::string_view word) { return text.find(word) != std::string_view::npos; });
}

/// A line of LLVM's assembly that no module is without.
bool is_llvm_ir(std::string_view text) {
  while (!text.empty()) {
    std::string_view line = next_line(text);
    skip_blanks(line);
    for (const std::string_view word : {"target triple", "target datalayout", "source_filename", "define ", "declare ",
                                        "!nvvmir.version", "!nvvm.annotations", "; ModuleID"})
      if (line.starts_with(word)) return true;
  }
  return false;
}

}  // namespace

TextKind kind_of_text(std::string_view bytes) noexcept {
  if (!is_text(bytes)) return TextKind::none;
  if (first_words(bytes).substr(0, 8) == ".version") return TextKind::ptx;
  if (has_any(bytes, {"__global__", "__device__", "#include", "__constant__", "#define"})) return TextKind::cuda;
  return is_llvm_ir(bytes) ? TextKind::llvm_ir : TextKind::other;
}

}  // namespace kiln
