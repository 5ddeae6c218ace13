#include "compile/compiler/compiler_log.hpp"

#include "base/bounded_text.hpp"
#include "base/text_parts.hpp"

#include <algorithm>
#include <charconv>
#include <cstddef>

namespace kiln {

namespace {

constexpr std::size_t most_errors = 1000;
constexpr std::size_t most_shown_lines = 20;  // of a log; the error that exceeds them is shown whole
constexpr std::size_t most_shown_notes = 3;   // of an error, on functions that do not match a call
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

/// What an ambiguous call or operator fits: `function "abs(float)" (declared implicitly)`.
bool is_of_fitting_function(std::string_view row) {
  for (const std::string_view word : {"function \"", "function template \"", "built-in operator \""})
    if (trimmed(row).starts_with(word)) return true;
  return false;
}

/// Of an error with a place, from the two lines behind it, which are indented by two. Lines that go on with the error
/// are indented further.
void read_mark(std::string_view log, Diagnostic& error) {
  constexpr std::string_view of_error = "            ";
  for (std::string_view behind = log; behind.starts_with(of_error); log = behind) {
    const std::string_view row = next_line(behind);
    if (error.text.ends_with(':') && is_of_fitting_function(row)) continue;
    if (!contains(row, " types are: ") && !contains(row, " type is: ")) break;
    error.types += (error.types.empty() ? "" : "; ") + std::string(trimmed(row));
  }
  if (!error.types.empty() && error.text.ends_with(':')) error.text.pop_back();
  constexpr std::size_t indentation = 2;
  constexpr std::size_t marked_size = 24;
  const std::string_view row = next_line(log);
  const auto mark = mark_in(next_line(log));
  if (!mark || *mark < indentation) return;
  for (const std::size_t place : marked_places(row, *mark, error.text)) {
    const int column = static_cast<int>(place - indentation + 1);
    if (error.column == 0)
      error.column = column;
    else
      error.more_columns.push_back(column);
  }
  if (error.more_columns.empty() && *mark < row.size())
    error.marked = row.substr(static_cast<std::size_t>(error.column) - 1 + indentation, marked_size);
}

/// The place of what has no end, where a note behind says it: `file(line): note #3196-D: to match this "{"`.
void read_matching(std::string_view log, Diagnostic& error) {
  constexpr std::string_view at_end = "At end of source ";
  const std::string_view row = next_line(log);
  const std::size_t open = row.find('(');
  const std::size_t close = row.find("): note", open);
  const std::size_t match = row.find("to match this ", close);
  int line = 0;
  if (!error.text.starts_with(at_end) || match == std::string_view::npos ||
      !is_number(row.substr(open + 1, close - open - 1), line))
    return;
  error.file = row.substr(0, open);
  error.line = line;
  error.text = error.text.substr(at_end.size()) + " at the end of the source, " + std::string(row.substr(match));
  read_mark(log, error);
}

/// Whether a compiler's error may only say what follows from a type that it does not know.
bool may_follow(std::string_view text) {
  return contains(text, "does not apply here") || contains(text, "variable without memory space annotations") ||
         contains(text, "incomplete type \"void\" is not allowed") ||
         contains(text, "ptxas error: Arguments mismatch for instruction");
}

/// What NVRTC says of functions and variables of the host.
bool is_of_host(std::string_view text) { return contains(text, "not allowed in JIT mode"); }

bool is_unknown_name(std::string_view text) {
  return contains(text, "\" is undefined") || contains(text, "name followed by \"::\" must be a class or namespace") ||
         (contains(text, "namespace \"") && contains(text, "\" has no member ")) ||
         text.ends_with(" is not a template") || contains(text, "ptxas error: Unknown symbol");
}

bool is_warning(std::string_view row) {
  return contains(row, ": warning #") || contains(row, ": warning: ") || row.starts_with("Remark: ");
}

bool is_note(std::string_view row) { return contains(row, "): note #") || row.starts_with("Note #"); }

/// Of a candidate for a call or an operator.
bool is_of_candidate(std::string_view row) {
  if (!is_note(row)) return false;
  for (const std::string_view words : {"does not match because ", "does not match the call", " failed deduction"})
    if (contains(row, words)) return true;
  return false;
}

bool is_built_in(std::string_view note) { return contains(note, ": built-in operator"); }

/// Error by error: lines up to the next one are of it.
class ShownLog {
 public:
  ShownLog(std::string_view log, std::string_view whole) : log_(log), whole_(whole) {
    for (const Diagnostic& error : errors_of(log)) has_others_ |= !is_of_host(error.text);
  }

  std::string run() {
    bool is_shown = true;
    std::string error;
    while (!log_.empty() && shown_.size() < longest_log) {
      const std::string_view row = next_line(log_);
      const auto found = read_diagnostic(row);
      if (found) error = found->text;
      if (found || is_warning(row)) {
        is_shown = lines_ < most_shown_lines && !(found && is_left_out(*found));
        notes_ = 0;
      }
      read_note(row, found || is_warning(row));
      if (is_shown && is_note_left_out_)
        left_out_notes_ += is_of_candidate(row);
      else if (is_shown)
        add(row, error);
      else
        left_out_errors_ += found.has_value();
    }
    return shown_ + end();
  }

 private:
  bool is_left_out(const Diagnostic& error) const { return has_others_ && is_of_host(error.text); }

  /// A note is left out with the lines behind it, up to an empty one.
  void read_note(std::string_view row, bool begins_another) {
    if (begins_another || is_note(row) || trimmed(row).empty()) is_note_left_out_ = false;
    if (is_of_candidate(row)) is_note_left_out_ = is_built_in(row) || ++notes_ > most_shown_notes;
  }

  void add(std::string_view row, std::string_view error) {
    ++lines_;
    std::string_view behind = log_;
    const auto mark = row.size() > longest_line ? mark_in(next_line(behind)) : std::nullopt;
    if (!mark) {
      shown_ += bounded(row, longest_line) + "\n";
      return;
    }
    for (const std::size_t place : marked_places(row, *mark, error)) {
      const Excerpt part = excerpt(row, place, shown_around_mark);
      shown_ += part.text + "\n" + std::string(part.middle, ' ') + "^\n";
    }
    log_ = behind;
  }

  std::string end() const {
    if (!log_.empty()) return left_out_text(log_.size(), whole_) + "\n";
    return left_out(left_out_notes_, " note", " on what does not match") +
           left_out(left_out_errors_, " more error", "");
  }

  std::string left_out(std::size_t count, const std::string& what, const char* which) const {
    if (count == 0) return {};
    return "... (" + std::to_string(count) + what + (count == 1 ? "" : "s") + which + ": " + std::string(whole_) +
           ")\n";
  }

  std::string_view log_;  // what is to be shown yet
  const std::string_view whole_;
  bool has_others_ = false;
  std::string shown_;
  std::size_t lines_ = 0;
  std::size_t notes_ = 0;  // of the error, on candidates
  bool is_note_left_out_ = false;
  std::size_t left_out_errors_ = 0;
  std::size_t left_out_notes_ = 0;
};

}  // namespace

std::vector<Diagnostic> errors_of(std::string_view log) {
  std::vector<Diagnostic> errors;
  while (!log.empty() && errors.size() < most_errors) {
    auto found = read_diagnostic(next_line(log));
    if (!found) continue;
    if (found->file.empty())
      read_matching(log, *found);
    else if (found->column == 0)
      read_mark(log, *found);
    errors.push_back(*std::move(found));
  }
  return errors;
}

std::string_view rows_behind(const Diagnostic& error, std::string_view log) {
  if (error.text.empty()) return {};
  std::size_t at = log.find(error.file + "(" + std::to_string(error.line) + "): " + error.text);
  if (at == std::string_view::npos) at = log.find(error.text);
  if (at == std::string_view::npos) return {};
  log.remove_prefix(at);
  next_line(log);
  for (std::string_view rest = log; !rest.empty();) {
    const std::size_t size = log.size() - rest.size();
    const std::string_view row = next_line(rest);
    if (is_warning(row) || read_diagnostic(row)) return log.substr(0, size);
  }
  return log;
}

std::optional<Diagnostic> first_error(std::string_view log) {
  for (Diagnostic& error : errors_of(log))
    if (!error.file.empty()) return std::move(error);
  return std::nullopt;
}

std::optional<Diagnostic> main_error(const std::vector<Diagnostic>& errors, std::string_view own) {
  if (errors.empty()) return std::nullopt;
  const auto rank = [own](const Diagnostic& error) { return 2 * is_of_host(error.text) + (error.file != own); };
  const bool begins_with_host = is_of_host(errors.front().text);
  const Diagnostic& first =
      begins_with_host
          ? *std::min_element(errors.begin(), errors.end(),
                              [&rank](const Diagnostic& a, const Diagnostic& b) { return rank(a) < rank(b); })
          : errors.front();
  if (!may_follow(first.text)) return first;
  const auto of_line = [&first](const auto& is_cause) {
    return [&first, is_cause](const Diagnostic& error) {
      return error.file == first.file && error.line == first.line && error.ptx_line == first.ptx_line &&
             is_cause(error.text);
    };
  };
  auto cause = std::find_if(errors.begin(), errors.end(), of_line(is_unknown_name));
  const auto is_another = [](std::string_view text) { return !may_follow(text) && !is_of_host(text); };
  if (cause == errors.end()) cause = std::find_if(errors.begin(), errors.end(), of_line(is_another));
  return cause == errors.end() ? first : *cause;
}

std::vector<std::size_t> marked_places(std::string_view row, std::size_t mark, std::string_view error) {
  constexpr std::size_t columns_of_compilers = std::size_t{1} << 16;
  constexpr std::size_t most_places = 4;
  const auto words = quoted_words(error);
  std::vector<std::size_t> places;
  for (std::size_t place = mark; place == mark || place < row.size(); place += columns_of_compilers) {
    const std::string_view behind = row.substr(std::min(place, row.size()));
    const auto begins = [behind](std::string_view word) { return !word.empty() && behind.starts_with(word); };
    if (std::any_of(words.begin(), words.end(), begins)) return {place};
    if (places.size() < most_places) places.push_back(place);
  }
  return places;
}

std::string bounded_log(std::string_view log, std::string_view whole) { return ShownLog(log, whole).run(); }

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
