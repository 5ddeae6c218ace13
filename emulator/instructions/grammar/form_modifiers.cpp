#include "emulator/instructions/grammar/form_modifiers.hpp"

#include "emulator/lowering/form_fault.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <unordered_map>

namespace kiln::emulator {
namespace {

using ptx::Instruction;
using Words = std::span<const std::string_view>;

constexpr std::size_t most_words = 16;

std::string_view alternatives_of(std::string_view set) {
  static const auto sets = [] {
    std::unordered_map<std::string_view, std::string_view> made;
    for (const FormSet& each : form_sets()) made.emplace(each.name, each.alternatives);
    return made;
  }();
  return sets.at(set);
}

bool is_among(std::string_view modifier, std::string_view alternatives) {
  while (!alternatives.empty()) {
    const std::string_view one = next_word(alternatives, '|');
    if (one.front() == '$' ? is_among(modifier, alternatives_of(one)) : one == modifier) return true;
    if (one.back() == '*' && modifier.starts_with(one.substr(0, one.size() - 1))) return true;
  }
  return false;
}

// Types, layouts of matrices and state spaces have an order each. All others may stand anywhere.
enum class Class { type, layout, space, other };

Class class_of(std::string_view modifier) {
  if (is_type_word(modifier)) return Class::type;
  if (modifier == "row" || modifier == "col") return Class::layout;
  const std::string_view name = modifier.substr(0, modifier.find(':'));
  const bool is_space = name == "global" || name == "shared" || name == "const" || name == "local" || name == "param";
  return is_space ? Class::space : Class::other;
}

Class class_of_word(std::string_view word) {
  take_end(word, "?");
  std::string_view first = next_word(word, '|');
  if (first.front() == '$') {
    word = alternatives_of(first);
    first = next_word(word, '|');
  }
  return class_of(first);
}

// The modifiers after the form's name; nothing if the instruction has another name.
std::optional<Words> behind_name(std::string_view name, Words modifiers) {
  next_word(name, '.');
  for (; !name.empty(); modifiers = modifiers.subspan(1))
    if (modifiers.empty() || modifiers.front() != next_word(name, '.')) return std::nullopt;
  return modifiers;
}

bool takes_class(Class each, std::string_view form, Words modifiers) {
  auto next = modifiers.begin();
  const auto find_next = [&] {
    next = std::find_if(next, modifiers.end(), [&](std::string_view modifier) { return class_of(modifier) == each; });
  };
  while (!form.empty()) {
    std::string_view word = next_word(form, ' ');
    if (class_of_word(word) != each) continue;
    const bool is_optional = take_end(word, "?");
    find_next();
    if (next != modifiers.end() && is_among(*next, word))
      ++next;
    else if (!is_optional)
      return false;
  }
  find_next();
  return next == modifiers.end();
}

// Each word of the form once, in any order. ptxas accepts some twice.
bool takes_others(std::string_view form, Words modifiers) {
  std::array<bool, most_words> used{};
  for (const std::string_view modifier : modifiers) {
    if (class_of(modifier) != Class::other) continue;
    bool is_taken = false;
    std::size_t i = 0;
    for (std::string_view rest = form; !rest.empty() && !is_taken; ++i) {
      std::string_view word = next_word(rest, ' ');
      take_end(word, "?");
      if (class_of_word(word) != Class::other || !is_among(modifier, word)) continue;
      if (used[i] && !is_among(modifier, "sat|satfinite|relu|sync|approx|NaN|cc|uni")) continue;
      is_taken = used[i] = true;
    }
    if (!is_taken) return false;
  }
  for (std::size_t i = 0; !form.empty(); ++i) {
    const std::string_view word = next_word(form, ' ');
    if (!used[i] && !word.ends_with('?') && class_of_word(word) == Class::other) return false;
  }
  return true;
}

bool takes(const InstructionForm& form, Words all) {
  const auto modifiers = behind_name(form.name, all);
  return modifiers && takes_class(Class::type, form.modifiers, *modifiers) &&
         takes_class(Class::space, form.modifiers, *modifiers) &&
         takes_class(Class::layout, form.modifiers, *modifiers) && takes_others(form.modifiers, *modifiers);
}

// ---- messages

using Forms = std::vector<const InstructionForm*>;

std::string spelled(const Instruction& instruction, bool (*is_listed)(std::string_view) = nullptr) {
  std::string text(instruction.opcode);
  for (const std::string_view modifier : instruction.modifiers)
    if (is_listed == nullptr || is_listed(modifier)) text.append(".").append(modifier);
  return "'" + text + "'";
}

bool has_word(const InstructionForm& form, std::string_view modifier) {
  std::string_view name = form.name, words = form.modifiers;
  for (next_word(name, '.'); !name.empty();)
    if (next_word(name, '.') == modifier) return true;
  while (!words.empty()) {
    std::string_view word = next_word(words, ' ');
    take_end(word, "?");
    if (is_among(modifier, word)) return true;
  }
  return false;
}

// The first modifier that none of the forms has; empty if there is none.
std::string_view foreign_modifier(const Instruction& instruction, const Forms& forms) {
  for (const std::string_view modifier : instruction.modifiers)
    if (!is_type_word(modifier) &&
        std::none_of(forms.begin(), forms.end(), [&](const auto* form) { return has_word(*form, modifier); }))
      return modifier;
  return {};
}

Forms with_types_of(const Instruction& instruction, const Forms& forms) {
  Forms found;
  for (const InstructionForm* const form : forms)
    if (takes_class(Class::type, form->modifiers, instruction.modifiers)) found.push_back(form);
  return found;
}

// A modifier without which a form would fit; empty if there is none.
std::string_view superfluous_modifier(const Instruction& instruction, const Forms& forms) {
  for (std::size_t i = 0; i < instruction.modifiers.size(); ++i) {
    std::vector<std::string_view> others(instruction.modifiers.begin(), instruction.modifiers.end());
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
    for (const InstructionForm* const form : forms)
      if (takes(*form, others)) return instruction.modifiers[i];
  }
  return {};
}

std::string listed(std::string_view alternatives) {
  std::string text;
  while (!alternatives.empty()) {
    const std::string_view one = next_word(alternatives, '|');
    text.append(text.empty() ? "" : ", ");
    if (one.front() == '$')
      text.append(listed(alternatives_of(one)));
    else
      text.append("'.").append(one).append("'");
  }
  return text;
}

// What a form needs further; empty if none fits with one more modifier.
std::string missing_modifier(const Instruction& instruction, const Forms& forms) {
  std::vector<std::string_view> more(instruction.modifiers.begin(), instruction.modifiers.end());
  more.emplace_back();
  for (const InstructionForm* const form : forms) {
    for (std::string_view words = form->modifiers; !words.empty();) {
      const std::string_view word = next_word(words, ' ');
      if (word.ends_with('?') || class_of_word(word) == Class::type) continue;
      std::string_view first = word.front() == '$' ? alternatives_of(word) : word;
      more.back() = next_word(first, '|');
      if (takes(*form, more)) return listed(word);
    }
  }
  return {};
}

}  // namespace

const Forms& forms_of_opcode(std::string_view opcode) {
  static const auto forms = [] {
    std::unordered_map<std::string_view, Forms> made;
    for (const auto part :
         {arithmetic_forms(), memory_forms(), copy_forms(), thread_forms(), matrix_forms(), texture_forms()})
      for (const InstructionForm& form : part) made[form.name.substr(0, form.name.find('.'))].push_back(&form);
    return made;
  }();
  static const Forms none;
  const auto found = forms.find(opcode);
  return found == forms.end() ? none : found->second;
}

bool takes_modifiers(const InstructionForm& form, const Instruction& instruction) {
  return takes(form, instruction.modifiers);
}

std::string modifier_fault(const Instruction& instruction) {
  const Forms& all = forms_of_opcode(instruction.opcode);
  const auto illegal = [](std::string_view modifier, const std::string& where) {
    return "Illegal modifier '." + std::string(modifier) + "' for instruction " + where;
  };
  std::string_view wrong = foreign_modifier(instruction, all);
  if (!wrong.empty()) return illegal(wrong, "'" + std::string(instruction.opcode) + "'");
  const Forms forms = with_types_of(instruction, all);
  if (forms.empty())
    return "Unexpected instruction types specified for '" + std::string(instruction.opcode) +
           "': " + spelled(instruction);
  wrong = foreign_modifier(instruction, forms);
  if (!wrong.empty()) return illegal(wrong, spelled(instruction, is_type_word));
  wrong = superfluous_modifier(instruction, forms);
  if (!wrong.empty()) return "Modifier '." + std::string(wrong) + "' is not allowed here: " + spelled(instruction);
  const std::string missing = missing_modifier(instruction, forms);
  if (!missing.empty()) return "Instruction " + spelled(instruction) + " needs a modifier: " + missing;
  return "Unexpected combination of modifiers: " + spelled(instruction);
}

}  // namespace kiln::emulator
