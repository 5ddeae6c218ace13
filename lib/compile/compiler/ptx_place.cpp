#include "compile/compiler/ptx_place.hpp"

#include "base/escaped_text.hpp"
#include "base/path_text.hpp"
#include "base/text_parts.hpp"

#include <charconv>
#include <system_error>

namespace kiln {

namespace {

/// `.loc 1 10 5`: the number of the file, and the line.
struct Location {
  int file = 0;
  int line = 0;
};

bool take_number(std::string_view& text, int& number) {
  text = trimmed(text);
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc()) return false;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return true;
}

std::optional<Location> location_in(std::string_view row) {
  if (!row.starts_with(".loc")) return std::nullopt;
  row.remove_prefix(4);
  Location found;
  if (!take_number(row, found.file) || !take_number(row, found.line)) return std::nullopt;
  return found;
}

/// `.file 1 "name"`.
std::string file_of(std::string_view ptx, int wanted) {
  while (!ptx.empty()) {
    std::string_view row = trimmed(next_line(ptx));
    if (!row.starts_with(".file")) continue;
    row.remove_prefix(5);
    int number = 0;
    if (!take_number(row, number) || number != wanted) continue;
    const std::size_t open = row.find('"');
    const std::size_t close = row.rfind('"');
    if (open != close) return unescaped(row.substr(open + 1, close - open - 1));
  }
  return {};
}

}  // namespace

std::optional<PtxPlace> place_of_ptx_line(std::string_view ptx, int line) {
  Location last;
  Location of_asm;
  std::string_view statement;
  std::string_view in_asm;  // the last statement there
  bool is_inside = false;
  bool follows = false;  // an asm statement, with nothing between
  std::string_view rest = ptx;
  for (int number = 1; number <= line && !rest.empty(); ++number) {
    const std::string_view row = trimmed(next_line(rest));
    if (const auto location = location_in(row)) {
      last = *location;
    } else if (row == "// begin inline asm") {
      is_inside = true;
      of_asm = last;
    } else if (row == "// end inline asm") {
      is_inside = false;
      follows = true;
    } else if (is_inside) {
      in_asm = row;
    } else if (!row.empty() && number < line) {
      follows = false;
    }
    statement = row;
  }
  const bool is_of_asm = is_inside || follows;
  const Location place = is_of_asm ? of_asm : last;
  const std::string file = place.line == 0 ? std::string() : file_of(ptx, place.file);
  if (file.empty()) return std::nullopt;
  return PtxPlace{file, place.line, std::string(is_of_asm ? in_asm : statement)};
}

std::string requested_name(const std::string& file, const std::string& name, const std::string& folder) {
  if (file == name) return file;
  return rest_below(file, folder).value_or(file);
}

}  // namespace kiln
