#include "emulator/ptx/function_head.hpp"

#include "emulator/ptx/constants.hpp"
#include "emulator/ptx/variables.hpp"

#include <algorithm>

namespace kiln::emulator::ptx {

namespace {

std::deque<Variable> in_places(std::vector<Variable> list) {
  return {std::make_move_iterator(list.begin()), std::make_move_iterator(list.end())};
}

void unified(Cursor& at) {
  at.expect('(');
  at.dotted();
  at.expect('(');
  do constant(at);
  while (at.take(','));
  at.expect(')');
  at.expect(')');
}

std::uint32_t read_limit(Cursor& at) {
  const std::uint64_t value = count(at);
  if (value > 0xFFFFFFFFu) at.fail("Constant overflow");
  return static_cast<std::uint32_t>(value);
}

std::uint32_t positive_limit(Cursor& at, std::string_view word) {
  const std::uint32_t value = read_limit(at);
  if (value == 0) at.fail("Positive non-zero value expected for " + std::string(word));
  return value;
}

// "128, 1, 1"; missing sizes are 1.
template <class Read>
void extents(Cursor& at, std::uint32_t (&values)[3], Read read) {
  values[0] = read();
  values[1] = at.take(',') ? read() : 1;
  values[2] = at.take(',') ? read() : 1;
}

// False, and nothing is read, if another statement begins.
bool directive(Cursor& at, Directives& directives) {
  const Cursor before = at;
  const std::string_view word = at.dotted();
  const auto positive = [&] { return positive_limit(at, word); };
  if (word == "maxntid") {
    extents(at, directives.maxntid, positive);
  } else if (word == "reqntid") {
    extents(at, directives.reqntid, positive);
  } else if (word == "reqnctapercluster") {
    extents(at, directives.reqnctapercluster, [&] { return read_limit(at); });
  } else if (word == "minnctapersm") {
    directives.minnctapersm = positive();
  } else if (word == "maxnreg") {
    directives.maxnreg = positive();
  } else if (word == "maxclusterrank") {
    directives.maxclusterrank = static_cast<std::uint8_t>(std::min(read_limit(at), 255u));
  } else if (word == "maxnctapersm" || word == "abi_preserve" || word == "abi_preserve_control") {
    read_limit(at);
  } else if (word == "explicitcluster") {
    directives.explicitcluster = true;
  } else if (word == "blocksareclusters") {
    directives.blocksareclusters = true;
  } else if (word == "noreturn") {
    directives.noreturn = true;
  } else if (word == "pragma") {
    at.quoted();
    while (at.take(',')) at.quoted();
    at.expect(';');
  } else if (word == "attribute") {
    unified(at);
  } else {
    at = before;
    return false;
  }
  return true;
}

void directives_of(Cursor& at, Directives& directives) {
  while (at.peek() == '.' && directive(at, directives)) continue;
}

}  // namespace

Function function_head(Cursor& at, bool is_entry, Linkage linkage, Scopes& scopes) {
  Function function;
  function.is_entry = is_entry;
  function.linkage = linkage;
  directives_of(at, function.directives);
  if (!is_entry) function.returns = in_places(parameters(at, scopes));
  directives_of(at, function.directives);
  function.name = at.name();
  function.line = at.line();
  function.params = in_places(parameters(at, scopes));
  directives_of(at, function.directives);
  return function;
}

Prototype prototype(Cursor& at, std::string_view label, Scopes& scopes) {
  Prototype prototype;
  prototype.label = label;
  prototype.returns = parameters(at, scopes);
  at.word();  // "_", or a name that says nothing
  prototype.params = parameters(at, scopes);
  Directives directives;
  directives_of(at, directives);
  prototype.noreturn = directives.noreturn;
  at.expect(';');
  return prototype;
}

}  // namespace kiln::emulator::ptx
