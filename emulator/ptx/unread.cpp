#include "emulator/ptx/unread.hpp"

#include "emulator/ptx/function_head.hpp"
#include "emulator/ptx/variables.hpp"

#include <algorithm>
#include <utility>

namespace kiln::emulator::ptx {

namespace {

// One word, string or mark.
void skip_token(Cursor& at) {
  if (at.peek() == '"')
    at.quoted();
  else
    at.advance(std::max<std::size_t>(at.token().size(), 1));
}

// Skips to the first of these marks outside brackets and returns it. NUL if the text ends, or a bracket is closed that
// was not opened here.
char skip_to(Cursor& at, std::string_view marks) {
  for (std::size_t depth = 0;;) {
    const char c = at.peek();
    if (c == '\0' || (depth == 0 && marks.find(c) != marks.npos)) return c;
    if (c == '(' || c == '[' || c == '{') ++depth;
    if ((c == ')' || c == ']' || c == '}') && depth-- == 0) return '\0';
    skip_token(at);
  }
}

bool skip_body(Cursor& at) {
  at.advance(1);
  if (skip_to(at, "}") == '\0') return false;
  at.advance(1);
  return true;
}

// Finds the name after ".func" or ".entry": the first word that is not part of something else.
void skip_function(Cursor& at, Skipped& skipped) {
  for (char c = at.peek(); c != '{' && c != ';'; c = at.peek()) {
    if (c == '\0') return;
    if (c == '(') {
      at.advance(1);
      if (skip_to(at, ")") == '\0') return;
    }
    const std::string_view word = starts_name(c) ? at.token() : std::string_view();
    if (skipped.name.empty()) skipped.name = word;
    skip_token(at);
  }
  skipped.is_function = at.peek() == '{';
  if (!skipped.is_function) at.advance(1);
  skipped.is_whole = !skipped.is_function || skip_body(at);
}

// Guesses where it ends: at a semicolon, with a block, or before the next directive that starts a line.
void skip_unknown(Cursor& at, Skipped& skipped) {
  skipped.is_whole = true;
  for (std::size_t line = at.line();;) {
    const char c = at.peek();
    if (c == '\0' || (at.line() != line && (c == '.' || c == '#' || c == '@'))) return;
    line = at.line();
    if (c == ';') return at.advance(1);
    if (c == '{') {
      skipped.is_whole = skip_body(at);
      return;
    }
    skip_token(at);
  }
}

}  // namespace

bool skip_instruction(Cursor& at) {
  if (skip_to(at, ";") == '\0') return false;
  at.advance(1);
  return true;
}

Skipped skip_statement(Cursor& at) {
  Skipped skipped;
  std::string_view word = at.dotted();
  while (linkage_named(word) != Linkage::internal && at.peek() == '.') word = at.dotted();
  skipped.is_entry = word == "entry";
  if (word == "func" || word == "entry") {
    skip_function(at, skipped);
  } else if (space_named(word) != Space::none) {
    skipped.is_whole = skip_instruction(at);  // a declaration ends as one does
  } else {
    skip_unknown(at, skipped);
  }
  return skipped;
}

void make_unread(Function& function, const Unread& unread) {
  function.has_body = true;
  function.registers.clear();
  function.variables.clear();
  function.instructions.clear();
  function.labels.clear();
  function.prototypes.clear();
  function.target_lists.clear();
  function.unread = {{0, unread.why}};
  Instruction& all = function.instructions.emplace_back();
  all.line = static_cast<std::uint32_t>(unread.line);
}

}  // namespace kiln::emulator::ptx
