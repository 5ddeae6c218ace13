// Name look-up: the module, a function's parameters, its body and the blocks in it. A label may be used before its
// definition: such uses are kept until the block ends.
#pragma once

#include "emulator/ptx/cursor.hpp"
#include "emulator/ptx/module.hpp"
#include "emulator/ptx/name_table.hpp"

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

namespace kiln::emulator::ptx {

struct Symbol {
  enum class Kind : std::uint8_t { reg, variable, function };
  Kind kind = Kind::reg;
  Type type = Type::none;  // of a register
  std::uint32_t width = 1;
  /// Index in Function::registers, assigned at the first use: most registers of a %r<1000> are never used.
  std::int64_t index = -1;
  Variable* variable = nullptr;
  Function* function = nullptr;
};

struct Label {
  enum class Kind : std::uint8_t { place, prototype, targets };
  Kind kind = Kind::place;
  std::uint32_t index = 0;
};

/// Where a label's index has to be written.
struct LabelUse {
  enum class Kind : std::uint8_t { operand, target, list };
  Kind kind = Kind::operand;
  std::uint32_t first = 0;   // an instruction, or a list of targets
  std::uint32_t second = 0;  // an operand or an entry of that
  std::string_view name;
  std::size_t line = 0;
};

class Scopes {
 public:
  explicit Scopes(const Cursor& at) : at_(at) { scopes_.push_back(std::make_unique<Scope>()); }

  /// Opens a function's scope (for its parameters) or a block in it.
  void enter_function(Function& function);
  void open();
  /// Closes all but the module's scope, after an error inside a function.
  void leave_function() { depth_ = 0; }
  /// Closes the innermost scope and resolves its labels. False if it was the function's own.
  bool close();

  void add_register(std::string_view name, Type type, std::uint32_t width);
  /// prefix0 ... prefix<count - 1>
  void add_registers(std::string_view prefix, std::uint64_t count, Type type, std::uint32_t width);
  void add_variable(Variable& variable);
  void add_function(Function& function);
  void add_label(std::string_view name, Label label);
  void use_label(LabelUse use) { uses_.push_back(use); }
  /// Uses of labels that are not resolved yet; forget_uses() drops all but the first `count`.
  std::size_t uses() const { return uses_.size(); }
  void forget_uses(std::size_t count) { uses_.resize(count); }

  /// Null for an unknown name.
  Symbol* find(std::string_view name);
  /// Index of the first element of a register that find() returned.
  std::uint32_t index_of(Symbol& symbol, std::string_view name);
  /// Looks the name up in the module's scope only.
  Symbol* find_in_module(std::string_view name) { return scopes_.front()->names.find(name); }

 private:
  struct Registers {
    std::uint64_t count = 0;
    Type type = Type::none;
    std::uint32_t width = 1;
  };
  struct Scope {
    NameTable<Symbol> names;
    NameTable<Registers> ranges;
    NameTable<Label> labels;
    std::size_t first_use = 0;
  };

  Scope& current() { return *scopes_[depth_]; }
  void add(std::string_view name, const Symbol& symbol);
  Symbol* find_in_ranges(Scope& scope, const HashedName& name);
  bool settle(const LabelUse& use, const Label& label);

  const Cursor& at_;
  Function* function_ = nullptr;
  std::vector<std::unique_ptr<Scope>> scopes_;  // kept for the next block, which is opened soon
  std::size_t depth_ = 0;
  std::vector<LabelUse> uses_;
};

}  // namespace kiln::emulator::ptx
