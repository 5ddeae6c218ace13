#include "compile/compiler/compile_message.hpp"

#include "base/bounded_text.hpp"
#include "base/files.hpp"
#include "base/identifier.hpp"
#include "base/library_version.hpp"
#include "base/text_parts.hpp"
#include "compile/compiler/error_advice.hpp"
#include "compile/compiler/error_cause.hpp"
#include "compile/compiler/misspelt_name.hpp"
#include "toolkit/names/kernel_name.hpp"

#include <algorithm>
#include <cstddef>

namespace kiln {

namespace {

constexpr std::size_t longest_name = 1000;
constexpr std::size_t longest_error = 4000;
constexpr std::size_t longest_option = 1000;
constexpr std::size_t longest_options = std::size_t{16} << 10;

/// The lines that a diagnostic is about: of the source, which `#line` may divide into parts, of an in-memory header, of
/// a file, whose text is kept in `file`.
NumberedLines lines_of(const Diagnostic& error, const FailedCompile& failed, std::string& file) {
  NumberedLines lines = numbered_lines(failed.source, failed.name, error);
  if (!lines.shown.empty() || error.file == failed.name) return lines;
  if (failed.headers != nullptr)
    if (const auto header = failed.headers->find(error.file); header != failed.headers->end())
      return numbered_lines(header->second, error.file, error);
  if (read_file(FileSystem::real(), error.file, file) != 0) file.clear();
  return numbered_lines(file, error.file, error);
}

std::string leading_lines(const Diagnostic& place, const FailedCompile& failed) {
  std::string file;
  return place.line == 0 ? std::string() : lines_of(place, failed, file).shown;
}

std::string quoted_if_needed(const std::string& option) {
  return option.find_first_of(" \t\"'") == std::string::npos ? option : "\"" + option + "\"";
}

bool is_of_symbol(char c) { return is_of_identifier(c) || c == '$' || c == '.'; }

/// Symbols as a person writes the names.
std::string with_readable_names(std::string_view text) {
  std::string readable;
  while (!text.empty()) {
    const std::size_t begin = std::min(text.find("_Z"), text.size());
    const bool is_inside = begin > 0 && is_of_symbol(text[begin - 1]);
    readable.append(text.substr(0, begin));
    text.remove_prefix(begin);
    std::size_t end = 0;
    while (end < text.size() && is_of_symbol(text[end])) ++end;
    readable += is_inside ? std::string(text.substr(0, end)) : demangle(std::string(text.substr(0, end)));
    text.remove_prefix(end);
  }
  return readable;
}

/// As the source has it, where ptxas says where in its own input.
Diagnostic in_source(Diagnostic error, const FailedCompile& failed) {
  if (!failed.ptx_place || error.ptx_line == 0) return error;
  error.file = failed.ptx_place->file;
  error.line = failed.ptx_place->line;
  return error;
}

std::string ptx_statement_line(const FailedCompile& failed) {
  if (!failed.ptx_place || failed.ptx_place->statement.empty()) return {};
  return "In PTX it reads: " + bounded(failed.ptx_place->statement, longest_option) + "\n";
}

std::string first_line(std::string_view log) {
  while (!log.empty())
    if (const std::string_view row = trimmed(next_line(log)); !row.empty()) return std::string(row);
  return {};
}

}  // namespace

std::string failure_headline(const FailedCompile& failed) {
  std::string message = failed.compiler + " could not compile \"" + bounded(failed.name, longest_name) + "\": ";
  const auto said = main_error(errors_of(failed.log), failed.name);
  if (!said) {
    std::string end = failed.end.empty() ? first_line(failed.log) : failed.end;
    return message + (end.empty() ? "it said nothing" : bounded(end, longest_error)) + "\n";
  }
  Diagnostic error = in_source(*said, failed);
  std::string file;
  NumberedLines lines;
  if (const std::string expression = refused_expression(error); !expression.empty()) {
    message += "name expression \"" + bounded(expression, longest_name) + "\": ";
  } else if (!error.file.empty()) {
    message += bounded(error.file, longest_name) + "(" + std::to_string(error.line) + "): ";
    lines = lines_of(error, failed, file);
    if (error.column > 0 && !lines.marked.empty()) error.column = static_cast<int>(lines.place + 1);
  }
  message += bounded(without_library_versions(with_readable_names(error.text)), longest_error);
  if (!error.types.empty()) message += ": " + bounded(without_library_versions(error.types), longest_error);
  if (const std::string reason = constant_reason(*said, failed.log); !reason.empty())
    message += ": " + bounded(reason, longest_error);
  if (error.file.empty() && error.ptx_line > 0) message += " (line " + std::to_string(error.ptx_line) + " of the PTX)";
  const Diagnostic place = leading_place(error, failed);
  if (place.line > 0)
    message += ", used by line " + std::to_string(place.line) + " of " + bounded(place.file, longest_name);
  message += "\n";
  const std::string led = leading_lines(place, failed);
  return message + (led.empty() ? lines.shown : led) + ptx_statement_line(failed) + error_advice(error, lines, failed);
}

std::string log_part(const char* title, std::string_view log) {
  if (log.empty()) return {};
  return std::string(title) + ":\n" + bounded_log(log, "the error's log() has all");
}

std::string option_text(const std::vector<std::string>& options) {
  std::string text;
  for (const std::string& option : options) text += " " + quoted_if_needed(bounded(option, longest_option));
  return bounded(text, longest_options);
}

std::string late_defines_line(const FailedCompile& failed) {
  return failed.late_defines.empty() ? std::string()
                                     : "\nlate_defines:" + bounded(failed.late_defines, longest_options);
}

std::string compile_message(const FailedCompile& failed) {
  std::string message = failure_headline(failed);
  if (!failed.advice.empty()) message += failed.advice + "\n";
  return message + log_part("log", failed.log) + "options:" + option_text(failed.options) + late_defines_line(failed);
}

}  // namespace kiln
