#include "compile/compiler/error_cause.hpp"

#include "base/text_parts.hpp"

#include <charconv>
#include <cstddef>

namespace kiln {

namespace {

/// The number behind the last `before` of a text, and what stands behind it; 0 where there is none.
int number_behind(std::string_view text, std::string_view before, std::string_view* behind = nullptr) {
  const std::size_t at = text.rfind(before);
  if (at == std::string_view::npos) return 0;
  text.remove_prefix(at + before.size());
  int number = 0;
  const auto end = std::from_chars(text.data(), text.data() + text.size(), number).ptr;
  if (behind != nullptr) *behind = text.substr(static_cast<std::size_t>(end - text.data()));
  return number;
}

/// What stands behind "k.cu(3): note #61-D: ", and the line there.
std::string_view words_of_note(std::string_view row, int& line) {
  const std::size_t at = row.find("): note #");
  const std::size_t end = row.find(": ", at == std::string_view::npos ? at : at + 2);
  if (at == std::string_view::npos || end == std::string_view::npos) return {};
  line = number_behind(row.substr(0, at), "(");
  return row.substr(end + 2);
}

/// What a warning about that line says of failed arithmetic.
std::string_view warning_at(const std::string& file, int line, std::string_view log) {
  const std::string place = file + "(" + std::to_string(line) + "): warning #";
  while (!log.empty()) {
    const std::string_view row = next_line(log);
    if (!row.starts_with(place)) continue;
    const std::string_view words = row.substr(row.find(": ", place.size()) + 2);
    if (is_arithmetic_reason(words)) return words;
  }
  return {};
}

/// Whether the line that a log shows next has its mark at a division, of which older compilers say no more than that
/// the result is out of range.
bool marks_division(std::string_view log) {
  const std::string_view row = next_line(log);
  const std::size_t mark = next_line(log).find('^');
  return mark < row.size() && (row[mark] == '/' || row[mark] == '%');
}

}  // namespace

bool is_arithmetic_reason(std::string_view reason) {
  for (const std::string_view words : {"division by zero", "operand of \"%\" is zero", "out of range", "shift count",
                                       "cannot access position", "overflow", "call complexity"})
    if (contains(reason, words)) return true;
  return false;
}

std::string constant_reason(const Diagnostic& error, std::string_view log) {
  if (!contains(error.text, "must have a constant value")) return {};
  std::string_view note;
  int line = error.line;
  std::string_view rows = rows_behind(error, log);
  while (!rows.empty() && note.empty()) note = words_of_note(next_line(rows), line);
  if (note.empty()) return {};
  if (contains(note, "result is out of range") && marks_division(rows))
    note = "division by zero, or of the least integer by -1";
  const int declared = number_behind(note, "(declared at line ");
  const std::string_view warning = warning_at(error.file, declared == 0 ? line : declared, log);
  if (!warning.empty() && declared == 0) note = {};
  std::string reason(note);
  if (!warning.empty()) reason += (reason.empty() ? "" : ": ") + std::string(warning);
  const bool says_line = declared != 0 || line == error.line;
  return says_line ? reason : reason + " (line " + std::to_string(line) + ")";
}

Diagnostic leading_place(const Diagnostic& error, const FailedCompile& failed) {
  Diagnostic place;
  const bool is_in_memory = failed.headers != nullptr && failed.headers->count(error.file) != 0;
  if (error.file.empty() || error.file == failed.name || is_in_memory) return place;
  bool is_chain = false;
  for (std::string_view rows = rows_behind(error, failed.log); !rows.empty();) {
    const std::string_view row = next_line(rows);
    is_chain |= trimmed(row).starts_with("detected during");
    constexpr std::string_view before = " of ";
    std::string_view file;
    const int line = is_chain ? number_behind(row, " at line ", &file) : 0;
    if (line == 0 || !file.starts_with(before)) continue;
    place.file = trimmed(file.substr(before.size()));
    place.line = line;
    const bool is_own =
        place.file == failed.name || (failed.headers != nullptr && failed.headers->count(place.file) != 0);
    if (is_own) break;
  }
  return place;
}

}  // namespace kiln
