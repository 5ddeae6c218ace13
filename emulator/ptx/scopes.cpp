#include "emulator/ptx/scopes.hpp"

#include <algorithm>
#include <charconv>
#include <string>

namespace kiln::emulator::ptx {

namespace {

constexpr std::size_t deepest_scope = 256;
// Sixteen times the registers that one thread can have on a GPU. Unused registers take no memory.
constexpr std::uint64_t most_registers = std::uint64_t{1} << 24;

}  // namespace

void Scopes::enter_function(Function& function) {
  function_ = &function;
  uses_.clear();
  open();
}

void Scopes::open() {
  if (++depth_ > deepest_scope) at_.fail("Blocks are nested too deeply");
  if (depth_ == scopes_.size()) scopes_.push_back(std::make_unique<Scope>());
  Scope& scope = current();
  scope.names.clear();
  scope.ranges.clear();
  scope.labels.clear();
  scope.first_use = uses_.size();
}

bool Scopes::close() {
  Scope& scope = current();
  const auto first = uses_.begin() + static_cast<std::ptrdiff_t>(scope.first_use);
  uses_.erase(std::remove_if(first, uses_.end(),
                             [&](const LabelUse& use) {
                               const Label* const label = scope.labels.find(use.name);
                               return label != nullptr && settle(use, *label);
                             }),
              uses_.end());
  if (--depth_ > 0) return true;
  if (!uses_.empty()) at_.fail_at(uses_.front().line, "Unknown symbol " + in_quotes(uses_.front().name));
  return false;
}

bool Scopes::settle(const LabelUse& use, const Label& label) {
  if ((use.kind == LabelUse::Kind::list) != (label.kind != Label::Kind::place))
    at_.fail_at(use.line, "Label of another kind expected instead of " + in_quotes(use.name));
  switch (use.kind) {
    case LabelUse::Kind::operand:
      function_->instructions[use.first].operands[use.second].index = label.index;
      break;
    case LabelUse::Kind::target:
      function_->target_lists[use.first][use.second].index = label.index;
      break;
    case LabelUse::Kind::list: {
      Instruction& instruction = function_->instructions[use.first];
      (label.kind == Label::Kind::prototype ? instruction.prototype : instruction.targets) =
          static_cast<std::int32_t>(label.index);
    }
  }
  return true;
}

void Scopes::add(std::string_view name, const Symbol& symbol) {
  const HashedName hashed = name;
  if (current().names.find(hashed) != nullptr) at_.fail("Duplicate definition of variable " + in_quotes(name));
  current().names.add(hashed, symbol);
}

void Scopes::add_register(std::string_view name, Type type, std::uint32_t width) {
  Symbol symbol;
  symbol.type = type;
  symbol.width = width;
  if (find_in_ranges(current(), name) != nullptr) at_.fail("Duplicate definition of variable " + in_quotes(name));
  add(name, symbol);
}

void Scopes::add_registers(std::string_view prefix, std::uint64_t count, Type type, std::uint32_t width) {
  if (count > most_registers) at_.fail("Too many registers " + in_quotes(prefix));
  const HashedName hashed = prefix;
  if (current().ranges.find(hashed) != nullptr) at_.fail("Duplicate definition of variable " + in_quotes(prefix));
  current().ranges.add(hashed, {count, type, width});
}

void Scopes::add_variable(Variable& variable) {
  Symbol symbol;
  symbol.kind = Symbol::Kind::variable;
  symbol.variable = &variable;
  add(variable.name, symbol);
}

void Scopes::add_function(Function& function) {
  Symbol symbol;
  symbol.kind = Symbol::Kind::function;
  symbol.function = &function;
  if (find_in_module(function.name) != nullptr)
    at_.fail("Duplicate definition of function " + in_quotes(function.name));
  scopes_.front()->names.add(function.name, symbol);
}

void Scopes::add_label(std::string_view name, Label label) {
  const HashedName hashed = name;
  if (current().labels.find(hashed) != nullptr) at_.fail("Duplicate definition of label " + in_quotes(name));
  current().labels.add(hashed, label);
}

Symbol* Scopes::find(std::string_view name) {
  const HashedName hashed = name;
  for (std::size_t depth = depth_ + 1; depth-- > 0;) {
    Scope& scope = *scopes_[depth];
    if (Symbol* const found = scope.names.find(hashed)) return found;
    if (scope.ranges.empty()) continue;
    if (Symbol* const found = find_in_ranges(scope, hashed)) return found;
  }
  return nullptr;
}

// "%r12" may belong to %r<100> or to %r1<10>.
Symbol* Scopes::find_in_ranges(Scope& scope, const HashedName& name) {
  const std::string_view text = name.text;
  std::uint64_t number = 0, digit = 1;
  for (std::size_t size = text.size(); size > 1 && is_digit(text[size - 1]) && digit < most_registers; digit *= 10) {
    --size;
    number += digit * static_cast<std::uint64_t>(text[size] - '0');
    if (text[size] == '0' && size + 1 < text.size()) continue;
    const Registers* const range = scope.ranges.find(text.substr(0, size));
    if (range == nullptr || number >= range->count) continue;
    Symbol symbol;
    symbol.type = range->type;
    symbol.width = range->width;
    return scope.names.add(name, symbol);
  }
  return nullptr;
}

std::uint32_t Scopes::index_of(Symbol& symbol, std::string_view name) {
  if (symbol.index < 0) {
    symbol.index = static_cast<std::int64_t>(function_->registers.size());
    for (std::uint32_t i = 0; i < symbol.width; ++i) function_->registers.push_back({name, symbol.type});
  }
  return static_cast<std::uint32_t>(symbol.index);
}

}  // namespace kiln::emulator::ptx
