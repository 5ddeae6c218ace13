#include "emulator/ptx/body.hpp"

#include "emulator/ptx/constants.hpp"
#include "emulator/ptx/function_head.hpp"
#include "emulator/ptx/parse.hpp"
#include "emulator/ptx/unread.hpp"
#include "emulator/ptx/variables.hpp"

namespace kiln::emulator::ptx {

namespace {

// "100" of "%r<100>".
std::uint64_t range_of(Cursor& at) {
  const Constant value = summand(at);
  if (value.is_float()) at.fail("Integer constant expression expected");
  return value.bits;
}

}  // namespace

void BodyParser::parse(Function& function, bool is_newer) {
  function_ = &function;
  is_newer_ = is_newer;
  function.has_body = true;
  scopes_.enter_function(function);
  for (Variable& each : function.returns) parameter(each);
  for (Variable& each : function.params) parameter(each);
  for (std::size_t depth = 1; depth != 0;) {
    const char c = at_.peek();
    if (c == '{') {
      at_.advance(1);
      scopes_.open();
      ++depth;
    } else if (c == '}') {
      at_.advance(1);
      scopes_.close();
      --depth;
    } else {
      statement();
    }
  }
  debug_.leave_function();
}

void BodyParser::parameter(Variable& variable) {
  if (variable.space != Space::reg) return scopes_.add_variable(variable);
  scopes_.add_register(variable.name, variable.type, variable.vector);
  variable.reg = static_cast<std::int32_t>(scopes_.index_of(*scopes_.find(variable.name), variable.name));
}

void BodyParser::statement() {
  const char c = at_.peek();
  if (c == '#') return at_.to_line_end();
  if (c == '.') return directive();
  return is_newer_ ? newer_instruction() : labelled_or_instruction();
}

void BodyParser::labelled_or_instruction() {
  if (at_.peek() == '@') {
    Instruction guarded;
    guard(guarded);
    return instruction(at_.name(), std::move(guarded));
  }
  const std::string_view word = at_.name();
  if (at_.take(':')) return label(word);
  instruction(word, {});
}

void BodyParser::newer_instruction() {
  const Cursor begin = at_;
  const std::size_t uses = scopes_.uses();
  try {
    labelled_or_instruction();
  } catch (const ParseError& error) {
    at_ = begin;
    if (!skip_instruction(at_)) throw;
    scopes_.forget_uses(uses);
    Instruction unread;
    unread.line = static_cast<std::uint32_t>(error.line());
    unread.location = debug_.current();
    function_->unread[size_of_list(function_->instructions.size())] = error.message();
    function_->instructions.push_back(std::move(unread));
  }
}

void BodyParser::directive() {
  std::string_view word = at_.dotted();
  if (word == "loc") return debug_.location(at_);
  if (word == "reg") return registers();
  if (word == "pragma") {
    at_.quoted();
    while (at_.take(',')) at_.quoted();
    return at_.expect(';');
  }
  if (word == "file") return debug_.file(at_);
  if (word == "branchtargets") return target_list(false);
  const Linkage linkage = linkage_named(word);
  if (linkage != Linkage::internal) word = at_.dotted();
  const Space space = space_named(word);
  if (space == Space::none) at_.syntax_error(word);
  variables(space, linkage);
}

void BodyParser::registers() {
  const Variable kind = declared_kind(at_, Space::reg, Linkage::internal);
  do {
    const std::string_view name = at_.word();
    if (name.empty() || name == "_") at_.syntax_error();
    if (at_.take('<')) {
      scopes_.add_registers(name, range_of(at_), kind.type, kind.vector);
      at_.expect('>');
    } else {
      scopes_.add_register(name, kind.type, kind.vector);
    }
  } while (at_.take(','));
  at_.expect(';');
}

void BodyParser::variables(Space space, Linkage linkage) {
  const Variable kind = declared_kind(at_, space, linkage);
  do {
    Variable variable = declared_variable(at_, kind, scopes_);
    if (variable.size == 0 && linkage != Linkage::external && space != Space::param)
      at_.fail("Non-external variable " + in_quotes(variable.name) + " has incomplete type");
    function_->variables.push_back(std::move(variable));
    scopes_.add_variable(function_->variables.back());
  } while (at_.take(','));
  at_.expect(';');
}

void BodyParser::label(std::string_view name) {
  if (at_.peek() == '.') {
    const std::string_view ahead = at_.token();
    if (ahead == ".callprototype") {
      at_.dotted();
      scopes_.add_label(name, {Label::Kind::prototype, size_of_list(function_->prototypes.size())});
      function_->prototypes.push_back(prototype(at_, name, scopes_));
      return;
    }
    if (ahead == ".branchtargets" || ahead == ".calltargets") {
      at_.dotted();
      scopes_.add_label(name, {Label::Kind::targets, size_of_list(function_->target_lists.size())});
      return target_list(ahead == ".calltargets");
    }
  }
  const std::uint32_t place = size_of_list(function_->instructions.size());
  scopes_.add_label(name, {Label::Kind::place, place});
  function_->labels.emplace(name, place);
}

void BodyParser::target_list(bool of_functions) {
  const std::uint32_t list = size_of_list(function_->target_lists.size());
  function_->target_lists.emplace_back();
  do {
    Operand target;
    target.kind = of_functions ? Operand::Kind::function : Operand::Kind::label;
    target.name = at_.name();
    if (of_functions) {
      const Symbol* const found = scopes_.find_in_module(target.name);
      if (found == nullptr || found->kind != Symbol::Kind::function)
        at_.fail("Unknown symbol " + in_quotes(target.name));
    } else {
      const std::uint32_t entry = size_of_list(function_->target_lists[list].size());
      scopes_.use_label({LabelUse::Kind::target, list, entry, target.name, at_.line()});
    }
    function_->target_lists[list].push_back(std::move(target));
  } while (at_.take(','));
  at_.expect(';');
}

}  // namespace kiln::emulator::ptx
