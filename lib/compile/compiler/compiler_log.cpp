#include "compile/compiler/compiler_log.hpp"

#include "base/bounded_text.hpp"
#include "base/text_parts.hpp"

#include <algorithm>
#include <charconv>
#include <cstddef>

namespace kiln {

namespace {

constexpr std::size_t most_errors = 100;
constexpr std::size_t longest_line = 2000;
constexpr std::size_t longest_log = std::size_t{48} << 10;
constexpr std::size_t shown_around_mark = 160;

bool is_number(std::string_view text, int& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size();
}

bool is_error(std::string_view text) {
  for (const std::string_view word : {"error", "Error", "fatal error", "catastrophic error", "internal error"})
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
    Diagnostic found{std::string(has_column ? place.substr(0, colon) : place), has_column ? line : last,
                     std::string(row.substr(end + 2))};
    if (has_column) found.column = last;
    return found;
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

int ptx_line_in(std::string_view program) {
  constexpr std::string_view before = ", line ";
  const std::size_t at = program.rfind(before);
  int line = 0;
  if (!program.starts_with("ptxas") || at == std::string_view::npos) return 0;
  return is_number(program.substr(at + before.size()), line) ? line : 0;
}

/// What stands before a severity is a program, and perhaps its input: no warning, no quotation, no line of a source.
bool may_be_program(std::string_view text) {
  constexpr std::size_t longest = 400;
  if (text.empty() || text.size() > longest || text[0] == ' ' || text[0] == '\t') return false;
  for (const std::string_view word : {"warning", "note", "info", "Remark", "\"", "'"})
    if (contains(text, word)) return false;
  return true;
}

/// `ptxas [input, line n; ]error   : text`, `nvcc fatal   : text`, `Command-line error: text`, `gcc: fatal error:
/// text`.
std::optional<Diagnostic> read_program(std::string_view row) {
  for (const std::string_view word : {"fatal error", "internal error", "error", "fatal"}) {
    const std::size_t at = row.find(word);
    if (at == std::string_view::npos || at == 0) continue;
    const std::string_view rest = row.substr(at + word.size());
    const std::size_t colon = rest.find_first_not_of(' ');
    if (colon == std::string_view::npos || rest[colon] != ':') continue;
    const std::string program(trimmed(row.substr(0, at), " :;"));
    if (!may_be_program(row.substr(0, 1)) || !may_be_program(program)) continue;
    const int ptx_line = ptx_line_in(program);
    const std::string who = ptx_line > 0 ? "ptxas" : program;
    return Diagnostic{
        {}, 0, who + " " + std::string(word) + ": " + std::string(trimmed(rest.substr(colon + 1))), 0, ptx_line};
  }
  return std::nullopt;
}

/// `gcc: No such file or directory`, `sh: 1: cicc: not found`: of a program that does not start.
std::optional<Diagnostic> read_start(std::string_view row) {
  for (const std::string_view end : {": No such file or directory", ": not found", ": Permission denied"})
    if (row.ends_with(end) && may_be_program(row.substr(0, row.size() - end.size())))
      return Diagnostic{{}, 0, std::string(row)};
  return std::nullopt;
}

std::optional<Diagnostic> read_diagnostic(std::string_view row) {
  for (const auto read : {read_front_end, read_preprocessor, read_ir_parser, read_program, read_start})
    if (auto found = read(row)) return found;
  return std::nullopt;
}

/// The mark below a line of a source: its column from 0.
std::optional<std::size_t> mark_in(std::string_view row) {
  const std::size_t at = row.find_first_not_of(' ');
  if (at == std::string_view::npos || row[at] != '^') return std::nullopt;
  return at;
}

/// Of an error, from the two lines behind it, which are indented by two.
int column_of(std::string_view log) {
  next_line(log);
  const auto mark = mark_in(next_line(log));
  return mark && *mark >= 2 ? static_cast<int>(*mark - 1) : 0;
}

/// Whether a compiler's error may only say what follows from a type that it does not know.
bool may_follow(std::string_view text) {
  return contains(text, "does not apply here") || contains(text, "variable without memory space annotations") ||
         contains(text, "incomplete type \"void\" is not allowed");
}

bool is_unknown_name(std::string_view text) {
  return contains(text, "\" is undefined") || contains(text, "name followed by \"::\" must be a class or namespace");
}

}  // namespace

std::vector<Diagnostic> errors_of(std::string_view log) {
  std::vector<Diagnostic> errors;
  while (!log.empty() && errors.size() < most_errors) {
    auto found = read_diagnostic(next_line(log));
    if (!found) continue;
    if (found->column == 0 && !found->file.empty()) found->column = column_of(log);
    errors.push_back(*std::move(found));
  }
  return errors;
}

std::optional<Diagnostic> first_error(std::string_view log) {
  for (Diagnostic& error : errors_of(log))
    if (!error.file.empty()) return std::move(error);
  return std::nullopt;
}

std::optional<Diagnostic> main_error(const std::vector<Diagnostic>& errors) {
  if (errors.empty()) return std::nullopt;
  const Diagnostic& first = errors.front();
  if (!may_follow(first.text)) return first;
  const auto cause = std::find_if(errors.begin(), errors.end(), [&](const Diagnostic& error) {
    return error.file == first.file && error.line == first.line && is_unknown_name(error.text);
  });
  return cause == errors.end() ? first : *cause;
}

std::string bounded_log(std::string_view log, std::string_view whole) {
  std::string shown;
  while (!log.empty() && shown.size() < longest_log) {
    const std::string_view row = next_line(log);
    std::string_view behind = log;
    const auto mark = row.size() > longest_line ? mark_in(next_line(behind)) : std::nullopt;
    if (mark) {
      const Excerpt part = excerpt(row, *mark, shown_around_mark);
      shown += part.text + "\n" + std::string(part.middle, ' ') + "^\n";
      log = behind;
    } else {
      shown += bounded(row, longest_line) + "\n";
    }
  }
  return log.empty() ? shown : shown + left_out_text(log.size(), whole) + "\n";
}

std::string with_name(std::string log, std::string_view from, std::string_view to) {
  if (from.empty()) return log;
  for (std::size_t at = log.find(from); at != std::string::npos; at = log.find(from, at + to.size()))
    log.replace(at, from.size(), to);
  return log;
}

std::vector<std::string_view> quoted_words(std::string_view text) {
  std::vector<std::string_view> words;
  for (std::size_t open = text.find_first_of("'\""); open != std::string_view::npos;) {
    const std::size_t close = text.find(text[open], open + 1);
    if (close == std::string_view::npos) break;
    words.push_back(text.substr(open + 1, close - open - 1));
    open = text.find_first_of("'\"", close + 1);
  }
  return words;
}

}  // namespace kiln
