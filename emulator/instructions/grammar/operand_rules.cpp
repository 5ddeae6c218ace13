// Makes the rules of operands from the words of a form.
#include "emulator/instructions/grammar/operand_rules.hpp"

#include "emulator/instructions/grammar/forms_of.hpp"
#include "emulator/lowering/form_fault.hpp"
#include "emulator/ptx/cursor.hpp"
#include "emulator/ptx/variables.hpp"

#include <array>
#include <string>
#include <utility>

namespace kiln::emulator {
namespace {

using ptx::Instruction;

/// Makes rules of a form's words.
class RuleMaker {
 public:
  explicit RuleMaker(const Instruction& instruction) {
    if (instruction.opcode == "mbarrier") spaces_.push_back(ptx::Space::shared);
    if (instruction.opcode == "prefetchu") spaces_.push_back(ptx::Space::global);
    for (const std::string_view modifier : instruction.modifiers) {
      if (is_type_word(modifier) && type_count_ < types_.size()) types_[type_count_++] = modifier;
      has_hint_ = has_hint_ || modifier == "L2::cache_hint";
      const ptx::Space space = ptx::space_named(modifier.substr(0, modifier.find(':')));
      if (space != ptx::Space::none) spaces_.push_back(space);
      has_layer_ = has_layer_ || modifier == "a1d" || modifier == "a2d" || modifier == "acube" || modifier == "a2dms";
      if (modifier == "v2" || modifier == "v4" || modifier == "v8")
        vector_ = static_cast<std::uint8_t>(modifier[1] - '0');
    }
  }

  OperandRules rules(std::string_view form) const {
    OperandRules made;
    bool is_odd_form = false;
    std::size_t addresses = 0;
    while (!form.empty()) {
      const std::string_view word = next_word(form, ' ');
      if (word == "!")
        is_odd_form = true;
      else if (word != "H")
        made.push_back(rule(word));
      else if (has_hint_)
        made.push_back(rule("u64"));
      if (word.front() == 'A' || word == "*") made.back().space = space_of_address(addresses++);
    }
    if (!made.empty()) made.front().is_odd_form = is_odd_form;
    return made;
  }

 private:
  // Copies name the spaces of both addresses; a third one is that of a barrier.
  ptx::Space space_of_address(std::size_t n) const {
    if (spaces_.empty()) return ptx::Space::generic;
    if (spaces_.size() == 1) return spaces_[0];
    return n < spaces_.size() ? spaces_[n] : ptx::Space::shared;
  }

  OperandRule rule(std::string_view word) const {
    using Kind = OperandRule::Kind;
    OperandRule made;
    made.may_be_missing = take_end(word, "?");
    made.may_be_odd = take_end(word, "~");
    made.may_be_pair = take_end(word, "|p");
    if (const std::size_t hash = word.find('#'); hash != word.npos) {
      made.numbers = word.substr(hash + 1);
      word = word.substr(0, hash);
      if (word.empty()) made.kind = Kind::number;
    }
    if (made.kind == Kind::number) return made;
    made.is_destination = word.front() == '>';
    if (made.is_destination) word.remove_prefix(1);
    constexpr std::pair<std::string_view, Kind> letters[] = {
        {"*", Kind::anything},       {"_", Kind::sink},
        {"A", Kind::address},        {"Aw", Kind::wide_address},
        {"F", Kind::named_address},  {"R", Kind::handle},
        {"Q", Kind::handle_address}, {"O", Kind::offset},
        {"{}", Kind::vector},        {"W", Kind::video_register},
        {"V", Kind::video_value},    {"M", Kind::video_value},
        {"S", Kind::mov_source},     {"N", Kind::variable_or_value}};
    if (word.front() == 'T') {
      made.kind = Kind::texture;
      made.has_layer = has_layer_;
      set_type(word == "T" ? "s32" : named_type(word.substr(1)), made);
    }
    if (word == "Aw") made.may_be_odd = true;
    if (word == "Sv") made.count = vector_;
    if (word == "Sv") word = "S";
    for (const auto& [letter, kind] : letters)
      if (word == letter) made.kind = kind;
    made.may_be_negated = word == "M";
    if (made.kind == Kind::video_value && made.is_destination) made.kind = Kind::video_register;
    if (word == "N") made.space = spaces_.empty() ? ptx::Space::shared : spaces_[0];  // that of mapa
    if (made.kind == Kind::value || made.kind == Kind::mov_source || made.kind == Kind::variable_or_value)
      value(made.kind == Kind::value ? word : "0", made);
    return made;
  }

  void value(std::string_view word, OperandRule& made) const {
    if (word.front() == '{') {
      made.count = static_cast<std::uint8_t>(word[word.size() - 2] - '0');
      word = word.substr(1, word.find('*') - 1);
    }
    made.may_be_sink = take_end(word, "_");
    if (take_end(word, "v") && vector_ != 1) made.count = vector_;
    if (take_end(word, "s")) made.kind = OperandRule::Kind::converted;
    made.may_be_wider = take_end(word, "w");
    const bool is_double = word.size() == 2 && take_end(word, "d");
    const std::string_view type = is_double ? double_of(named_type(word)) : named_type(word);
    set_type(type, made);
    // The elements of a vector in memory are bits.
    if (made.may_be_wider && made.count != 0 && (type == "f32" || type == "f64"))
      made.registers |= registers_of(type == "f32" ? "b32" : "b64", false) & ~bit_of(ptx::Type::f16x2);
    if (made.may_be_odd) made.registers &= ~bit_of(ptx::Type::b128);
    // ptxas takes .f16x2 where the instruction's own type is an integer or a predicate, not for its further operands.
    const bool has_own_type = word.size() == 1 && ptx::is_digit(word.front());
    if (word == "c" || word == "u32" || word == "s32") made.registers &= ~bit_of(ptx::Type::f16x2);
    if (has_own_type && made.type == ptx::Type::pred) made.registers |= bit_of(ptx::Type::f16x2);
    if (made.numbers == "none") made.has_constants = false;
    if (word == "P" || (word == "b32" && made.may_be_odd)) made.has_constants = false;
  }

  static constexpr std::uint32_t bit_of(ptx::Type type) { return 1u << static_cast<unsigned>(type); }

  static void set_type(std::string_view type, OperandRule& made) {
    made.type = ptx::type_named(type);
    made.may_be_negated = type == "pred" && !made.is_destination;
    made.has_constants = has_constants(type);
    made.registers = registers_of(type, made.may_be_wider);
  }

  static std::uint32_t registers_of(std::string_view type, bool may_be_wider) {
    std::uint32_t registers = 0;
    for (unsigned each = 0; each <= static_cast<unsigned>(ptx::Type::surfref); ++each)
      if (register_has(static_cast<ptx::Type>(each), type, may_be_wider))
        registers |= bit_of(static_cast<ptx::Type>(each));
    return registers;
  }

  // Of the floating-point types only f32 and f64 have constants.
  static bool has_constants(std::string_view type) {
    return type == "f32" || type == "f64" ||
           (type.front() != 'f' && !type.starts_with("bf") && type.front() != 't' && !type.ends_with("x2"));
  }

  std::string_view named_type(std::string_view word) const {
    if (word == "p" || word == "P") return "pred";
    if (word == "c") return types_[0] == "u32" && types_[1] == "u32" ? "u32" : "s32";
    if (word.size() == 1) return types_[static_cast<std::size_t>(word[0] - '0')];
    return word;
  }

  static std::string_view double_of(std::string_view type) {
    if (type == "u16") return "u32";
    if (type == "s16") return "s32";
    return type == "u32" ? "u64" : "s64";
  }

  std::array<std::string_view, 8> types_{};
  std::size_t type_count_ = 0;
  bool has_layer_ = false;
  std::uint8_t vector_ = 1;
  std::vector<ptx::Space> spaces_;
  bool has_hint_ = false;
};

}  // namespace

OperandRules operand_rules(std::string_view operands, const Instruction& instruction) {
  return RuleMaker(instruction).rules(operands);
}

}  // namespace kiln::emulator
