#include "emulator/ptx/operands.hpp"

#include "emulator/ptx/constants.hpp"
#include "emulator/ptx/cursor.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace kiln::emulator::ptx {

namespace {

constexpr std::array<std::string_view, 37> special_names = {
    "tid",
    "ntid",
    "ctaid",
    "nctaid",
    "laneid",
    "warpid",
    "nwarpid",
    "smid",
    "nsmid",
    "gridid",
    "is_explicit_cluster",
    "clusterid",
    "nclusterid",
    "cluster_ctaid",
    "cluster_nctaid",
    "cluster_ctarank",
    "cluster_nctarank",
    "lanemask_eq",
    "lanemask_le",
    "lanemask_lt",
    "lanemask_ge",
    "lanemask_gt",
    "clock",
    "clock_hi",
    "clock64",
    "globaltimer",
    "globaltimer_lo",
    "globaltimer_hi",
    "total_smem_size",
    "aggr_smem_size",
    "dynamic_smem_size",
    "reserved_smem_offset_begin",
    "reserved_smem_offset_end",
    "reserved_smem_offset_cap",
    "reserved_smem_offset_0",
    "reserved_smem_offset_1",
    "current_graph_exec",
};

// %envreg0 to %envreg31, %pm0 to %pm7 and %pm0_64 to %pm7_64.
bool is_numbered(std::string_view name, std::string_view prefix) {
  if (name.substr(0, prefix.size()) != prefix) return false;
  name.remove_prefix(prefix.size());
  if (name.size() == 4 && prefix == "pm" && name.substr(1) == "_64") name.remove_suffix(3);
  return !name.empty() && name.size() <= 2 && is_digit(name[0]) && is_digit(name.back());
}

/// "%tid", without its component.
bool is_special_name(std::string_view name) {
  if (name.empty() || name[0] != '%') return false;
  name.remove_prefix(1);
  for (const std::string_view each : special_names)
    if (each == name) return true;
  return is_numbered(name, "envreg") || is_numbered(name, "pm");
}

constexpr int deepest_operand = 8;

using OperandKind = Operand::Kind;

Operand any(Cursor& at, Scopes& scopes, int depth, bool in_group = false);

[[noreturn]] void unknown(const Cursor& at, std::string_view name) { at.fail("Unknown symbol " + in_quotes(name)); }

// An operand where a label is not allowed.
Operand known(Cursor& at, Scopes& scopes, int depth, bool in_group = false) {
  Operand found = any(at, scopes, depth, in_group);
  if (found.kind == OperandKind::label) unknown(at, found.name);
  return found;
}

Operand register_at(std::uint32_t index, Type type) {
  Operand result;
  result.kind = OperandKind::reg;
  result.index = index;
  result.type = type;
  return result;
}

// The index of a component "x" to "w" or "r" to "a"; 4 for any other name.
std::uint32_t component(std::string_view word) {
  constexpr std::string_view names = "xyzwrgba";
  const std::size_t found = word.size() == 1 ? names.find(word[0]) : names.npos;
  return found == names.npos ? 4 : static_cast<std::uint32_t>(found % 4);
}

// "b0", "h1", "b3210".
bool selects_part(std::string_view word) {
  if (word.size() < 2 || word.size() > 5 || (word[0] != 'b' && word[0] != 'h')) return false;
  return word.substr(1).find_first_not_of("01234567") == word.npos;
}

// "%v.x", and "%r1.b0" of the video instructions.
Operand selected(Cursor& at, std::uint32_t first, const Symbol& symbol) {
  const std::string_view word = at.dotted();
  const std::uint32_t number = component(word);
  if (number < symbol.width && symbol.width > 1) return register_at(first + number, symbol.type);
  if (symbol.width > 1 || !selects_part(word)) at.syntax_error(word);
  Operand result = register_at(first, symbol.type);
  result.name = word;
  return result;
}

Operand of_register(Cursor& at, std::string_view name, Symbol& symbol, Scopes& scopes) {
  const std::uint32_t first = scopes.index_of(symbol, name);
  if (*at.place() == '.') return selected(at, first, symbol);
  if (symbol.width == 1) return register_at(first, symbol.type);
  Operand all;
  all.kind = OperandKind::vector;
  for (std::uint32_t i = 0; i < symbol.width; ++i) all.elements.push_back(register_at(first + i, symbol.type));
  return all;
}

Operand special_operand(Cursor& at, std::string_view name) {
  Operand result;
  result.kind = OperandKind::special;
  result.name = name;
  if (*at.place() != '.') return result;
  if (component(at.dotted()) == 4) at.syntax_error();
  result.name = {name.data(), static_cast<std::size_t>(at.place() - name.data())};
  return result;
}

Operand immediate(Cursor& at) {
  const Constant value = constant(at);
  Operand result;
  result.kind = OperandKind::immediate;
  result.type = value.type;
  result.bits = value.bits;
  return result;
}

// Reads the elements up to the closing mark. The opening one has been read.
void elements_until(Cursor& at, char closing, Operand& into, Scopes& scopes, int depth) {
  if (at.take(closing)) return;
  do into.elements.push_back(known(at, scopes, depth + 1, closing != ']'));
  while (at.take(','));
  at.expect(closing);
}

// "[x]" is an address; with more in it, a texture or a surface with coordinates.
Operand bracketed(Cursor& at, Scopes& scopes, int depth) {
  Operand result;
  elements_until(at, ']', result, scopes, depth);
  if (result.elements.empty()) at.syntax_error();
  const OperandKind first = result.elements[0].kind;
  const bool is_address = result.elements.size() == 1;
  result.kind = is_address ? OperandKind::address : OperandKind::texture;
  if (is_address && first != OperandKind::reg && first != OperandKind::variable && first != OperandKind::immediate)
    at.fail("Address expression expected");
  return result;
}

Operand grouped(Cursor& at, OperandKind kind, char closing, Scopes& scopes, int depth) {
  Operand result;
  result.kind = kind;
  elements_until(at, closing, result, scopes, depth);
  return result;
}

// "!%p" and "-%r". A sign in front of a number is part of the number.
bool negates_name(Cursor& at) {
  const char* next = at.place() + 1;
  while (*next == ' ' || *next == '\t') ++next;
  return starts_name(*next) && std::string_view(next).substr(0, 7) != "WARP_SZ";
}

Operand negated(Cursor& at, Scopes& scopes, int depth) {
  at.advance(1);
  Operand result = known(at, scopes, depth + 1);
  if (result.kind != OperandKind::reg) at.syntax_error();
  result.negated = true;
  return result;
}

Operand single(Cursor& at, Scopes& scopes, int depth) {
  if (depth > deepest_operand) at.fail("Operand is nested too deeply");
  switch (const char c = at.peek()) {
    case '[':
      at.advance(1);
      return bracketed(at, scopes, depth);
    case '{':
      at.advance(1);
      return grouped(at, OperandKind::vector, '}', scopes, depth);
    case '!':
    case '-':
      if (negates_name(at)) return negated(at, scopes, depth);
      return immediate(at);
    default:
      if (!starts_name(c) || at.token() == "WARP_SZ") return immediate(at);
  }
  const std::string_view name = at.word();
  if (name == "_") return {};
  return named_operand(at, name, scopes);
}

// In a group, "{a+1, b}", a register may have no offset.
Operand any(Cursor& at, Scopes& scopes, int depth, bool in_group) {
  Operand first = single(at, scopes, depth);
  if (at.peek() == '+' || at.peek() == '-') {
    const bool has_offset = first.kind == OperandKind::variable || (first.kind == OperandKind::reg && !in_group);
    if (has_offset) first.offset = offset(at);
    return first;
  }
  // "{...}|%p": the predicate says whether the texel is resident.
  const bool may_be_pair =
      first.kind == OperandKind::reg || first.kind == OperandKind::sink || first.kind == OperandKind::vector;
  if (!may_be_pair || !at.take('|')) return first;
  Operand pair;
  pair.kind = OperandKind::pair;
  pair.elements.push_back(std::move(first));
  pair.elements.push_back(single(at, scopes, depth + 1));
  const OperandKind second = pair.elements[1].kind;
  if (second != OperandKind::reg && second != OperandKind::sink) at.syntax_error();
  return pair;
}

}  // namespace

Operand operand(Cursor& at, Scopes& scopes) { return any(at, scopes, 0); }

Operand named_operand(Cursor& at, std::string_view name, Scopes& scopes) {
  Symbol* const symbol = scopes.find(name);
  Operand result;
  if (symbol == nullptr) {
    if (is_special_name(name)) return special_operand(at, name);
    if (name.empty() || name[0] == '%') unknown(at, name);
    result.kind = OperandKind::label;
    result.name = name;
    return result;
  }
  switch (symbol->kind) {
    case Symbol::Kind::reg:
      return of_register(at, name, *symbol, scopes);
    case Symbol::Kind::variable:
      result.kind = OperandKind::variable;
      result.variable = symbol->variable;
      break;
    case Symbol::Kind::function:
      result.kind = OperandKind::function;
      break;
  }
  result.name = name;
  return result;
}

Operand operand_list(Cursor& at, Scopes& scopes) {
  at.expect('(');
  return grouped(at, OperandKind::list, ')', scopes, 0);
}

}  // namespace kiln::emulator::ptx
