#include "worker/nvrtc/nvrtc_text.hpp"

#include "base/escaped_text.hpp"
#include "base/source_token.hpp"
#include "compile/headers/late_defines.hpp"
#include "compile/headers/memory_headers.hpp"

#include <algorithm>

namespace kiln {

namespace {

constexpr char end_byte = '\xff';
constexpr char other_byte = '\xfe';  // no part of a letter either

bool has_end_byte(std::string_view text) { return text.find(end_byte) != std::string_view::npos; }

/// The text with that byte replaced in comments.
std::string with_readable_comments(std::string text) {
  if (!has_end_byte(text)) return text;
  for (std::size_t at = 0; at < text.size();) {
    const SourceToken token = source_token(text, at);
    const auto begin = text.begin() + static_cast<std::ptrdiff_t>(at);
    if (token.kind == SourceTokenKind::comment)
      std::replace(begin, begin + static_cast<std::ptrdiff_t>(token.size), end_byte, other_byte);
    at += token.size;
  }
  return text;
}

std::string unreadable_in(const std::string& title, const std::string& text) {
  const std::size_t at = with_readable_comments(text).find(end_byte);
  if (at == std::string::npos) return {};
  const auto line = 1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n');
  return title + " holds a byte 0xFF in line " + std::to_string(line) +
         ", where NVRTC would stop reading without a word: write \\377 for it, or save the text as UTF-8";
}

}  // namespace

NvrtcText::NvrtcText(const CompilerJob& job) : name(job.name), headers(job.headers) {
  std::string prologue = job.prologue;
  if (name.starts_with("-")) {  // NVRTC takes it for an option
    name.insert(0, "./");
    if (prologue.empty()) prologue = "#line 1 " + line_name(job.name) + "\n";
  }
  const std::string own = job.header_folder.empty() ? job.source : source_with_header_files(job);
  source = prologue + with_readable_comments(with_own_lines(job, own)) + job.epilogue;
  if (!job.header_folder.empty())
    std::erase_if(headers, [](const auto& header) { return is_file_header(header.first, header.second); });
  for (auto& header : headers) header.second = with_readable_comments(std::move(header.second));
}

std::string unreadable_text(const CompilerJob& job) {
  std::string found = unreadable_in("\"" + job.name + "\"", job.source);
  if (found.empty() && has_end_byte(job.prologue)) found = unreadable_in("the name \"" + job.name + "\"", job.prologue);
  if (found.empty()) found = unreadable_in("late_defines", late_define_lines(job));
  for (const auto& [name, text] : job.headers)
    if (found.empty() && !is_file_header(name, text)) found = unreadable_in("the header \"" + name + "\"", text);
  return found;
}

}  // namespace kiln
