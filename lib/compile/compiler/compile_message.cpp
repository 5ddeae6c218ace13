#include "compile/compiler/compile_message.hpp"

#include "base/files.hpp"
#include "base/text_parts.hpp"
#include "compile/compiler/misspelt_name.hpp"

#include <algorithm>
#include <charconv>

namespace kiln {

namespace {

bool is_number(std::string_view text, int& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size();
}

bool is_error(std::string_view text) {
  for (const std::string_view word : {"error", "fatal error", "catastrophic error"})
    if (text.starts_with(word)) return true;
  return false;
}

/// `file(line): [catastrophic ]error[ #n-D]: text`
std::optional<Diagnostic> read_front_end(std::string_view row) {
  const std::size_t close = row.find("): ");
  if (close == std::string_view::npos) return std::nullopt;
  const std::size_t open = row.rfind('(', close);
  if (open == std::string_view::npos || !is_error(row.substr(close + 3))) return std::nullopt;
  Diagnostic found{std::string(row.substr(0, open)), 0, std::string(row.substr(close + 3))};
  if (!is_number(row.substr(open + 1, close - open - 1), found.line)) return std::nullopt;
  return found;
}

/// `file:line[:column]: [fatal ]error: text`, as host compilers say it.
std::optional<Diagnostic> read_preprocessor(std::string_view row) {
  for (std::size_t end = row.find(": "); end != std::string_view::npos; end = row.find(": ", end + 1)) {
    if (!is_error(row.substr(end + 2))) continue;
    std::string_view place = row.substr(0, end);
    int last = 0;
    int line = 0;
    std::size_t colon = place.rfind(':');
    if (colon == std::string_view::npos || !is_number(place.substr(colon + 1), last)) continue;
    place = place.substr(0, colon);
    colon = place.rfind(':');
    const bool has_column = colon != std::string_view::npos && is_number(place.substr(colon + 1), line);
    return Diagnostic{std::string(has_column ? place.substr(0, colon) : place), has_column ? line : last,
                      std::string(row.substr(end + 2))};
  }
  return std::nullopt;
}

/// `file (line, column): parse text`, as libnvvm says it.
std::optional<Diagnostic> read_ir_parser(std::string_view row) {
  const std::size_t close = row.find("): parse ");
  const std::size_t open = row.rfind(" (", close);
  if (close == std::string_view::npos || open == std::string_view::npos) return std::nullopt;
  const std::size_t comma = row.find(',', open);
  Diagnostic found{std::string(row.substr(0, open)), 0, std::string(row.substr(close + 3))};
  if (comma > close || !is_number(row.substr(open + 2, comma - open - 2), found.line)) return std::nullopt;
  return found;
}

std::optional<Diagnostic> read_diagnostic(std::string_view row) {
  for (const auto read : {read_front_end, read_preprocessor, read_ir_parser})
    if (auto found = read(row)) return found;
  return std::nullopt;
}

/// The lines that a diagnostic is about: of the source, which `#line` may divide into parts, of an in-memory header, of
/// a file.
std::string lines_of(const Diagnostic& error, const FailedCompile& failed) {
  std::string lines = numbered_lines(failed.source, failed.name, error);
  if (!lines.empty() || error.file == failed.name) return lines;
  if (failed.headers != nullptr)
    if (const auto header = failed.headers->find(error.file); header != failed.headers->end())
      return numbered_lines(header->second, error.file, error);
  std::string bytes;
  if (read_file(FileSystem::real(), error.file, bytes) != 0) bytes.clear();
  return numbered_lines(bytes, error.file, error);
}

/// NVRTC's words for a header that is not there, and those of nvcc's host compiler.
bool lacks_header(const std::string& log) {
  return contains(log, "cannot open source file") ||
         (contains(log, "fatal error: ") && contains(log, ": No such file or directory"));
}

/// NVRTC's and nvcc's words for a kernel that launches kernels.
bool launches_kernels(const std::string& log) {
  return log.find("device-side kernel launch could not be processed") != std::string::npos ||
         log.find("requires separate compilation mode") != std::string::npos;
}

/// ptxas' words for a source that uses what another source defines.
bool uses_another_source(const std::string& log) {
  return log.find("Unresolved extern function") != std::string::npos ||
         log.find("Unresolved extern variable") != std::string::npos;
}

std::string quoted_if_needed(const std::string& option) {
  return option.find_first_of(" \t\"'") == std::string::npos ? option : "\"" + option + "\"";
}

}  // namespace

std::optional<Diagnostic> first_error(std::string_view log) {
  while (!log.empty())
    if (auto found = read_diagnostic(next_line(log))) return found;
  return std::nullopt;
}

std::string with_name(std::string log, std::string_view from, std::string_view to) {
  if (from.empty()) return log;
  for (std::size_t at = log.find(from); at != std::string::npos; at = log.find(from, at + to.size()))
    log.replace(at, from.size(), to);
  return log;
}

std::string failure_headline(const FailedCompile& failed) {
  std::string message = failed.compiler + " could not compile \"" + failed.name + "\"";
  if (const auto error = first_error(failed.log)) {
    message += ": " + error->file + "(" + std::to_string(error->line) + "): " + error->text + "\n";
    message += lines_of(*error, failed);
  } else {
    message += "\n";
  }
  if (lacks_header(failed.log))
    message +=
        "Headers are found in the folders of include_dirs (-I) and the toolkit's, or as texts in "
        "CompileOptions::headers.\n";
  if (launches_kernels(failed.log))
    message +=
        "A kernel that launches kernels must be linked: make a DynamicSourceModule of the source, or add it to a "
        "DynamicModule.\n";
  if (uses_another_source(failed.log))
    message += "What another source defines must be linked: add both sources to a DynamicModule.\n";
  if (failed.name_expressions != nullptr)
    if (const std::string misspelt = misspelt_name(*failed.name_expressions, failed.source, failed.log);
        !misspelt.empty())
      message += misspelt + "\n";
  return message;
}

std::string late_defines_line(const FailedCompile& failed) {
  return failed.late_defines.empty() ? std::string() : "\nlate_defines:" + failed.late_defines;
}

std::string compile_message(const FailedCompile& failed) {
  std::string message = failure_headline(failed);
  if (!failed.advice.empty()) message += failed.advice + "\n";
  message += "log:\n" + failed.log;
  if (failed.log.empty() || failed.log.back() != '\n') message += "\n";
  message += "options:";
  for (const std::string& option : failed.options) message += " " + quoted_if_needed(option);
  return message + late_defines_line(failed);
}

}  // namespace kiln
