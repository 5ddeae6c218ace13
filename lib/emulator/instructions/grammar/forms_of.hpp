// The grammar of instructions: which modifiers, types and operands an instruction may have together.
#pragma once

#include <span>
#include <string_view>

namespace kiln::emulator {

/// One form of an instruction.
///
/// `name`: the opcode, and words that must follow it at once ("mad.lo").
/// `modifiers`: one word for each further modifier: alternatives with "|" between, "$rnd" for a set of form_sets(),
/// "m64n*" for all with that prefix, and "?" after a word that may be missing. Types stand in the order of the text, so
/// do layouts of matrices and state spaces; all others in any order, as ptxas accepts them. `operands`: one word for
/// each operand: ">" a destination; a digit, which type of the instruction it has, or a type; after the digit "d" for
/// double its size, "w" for registers that may be wider, "v" for a vector of as many as .v2, .v4 or .v8 says, "s" for a
/// special register, too; "p" a predicate, "P" one in a register; "|p" after it if a second destination may follow;
/// "{b32*4}" a vector of four; "{}" any vector; "A" an address, "Aw" one in a register of 64 bits, "F" one of a
/// variable; "T" a texture with .s32 coordinates, "T1" with such of that type, "R" its handle, "Q" that in brackets,
/// "O" an offset; "#" a number, "#4|8" one of these, "u32#0-15" a value whose number is one of these (see
/// OperandRule::numbers); "S" a source of mov: also a special register and a variable; "N" also a variable; "V" one of
/// a video instruction, "M" one that may be negated, "W" a register of one; "H" the cache policy, which is there where
/// .L2::cache_hint is; "*" what the lowering checks; "_" after a destination that may be "_"; "~" where ptxas takes
/// more than any manual describes; "!" in front if it takes the form though none does; "?" after an operand that may be
/// missing.
struct InstructionForm {
  std::string_view name, modifiers, operands;
};

/// Removes and returns the first word.
inline std::string_view next_word(std::string_view& words, char between) {
  const std::size_t end = words.find(between);
  const std::string_view word = words.substr(0, end);
  words.remove_prefix(end == words.npos ? words.size() : end + 1);
  return word;
}

inline bool take_end(std::string_view& word, std::string_view end) {
  if (!word.ends_with(end)) return false;
  word.remove_suffix(end.size());
  return true;
}

std::span<const InstructionForm> arithmetic_forms();
std::span<const InstructionForm> memory_forms();
std::span<const InstructionForm> copy_forms();
std::span<const InstructionForm> thread_forms();
std::span<const InstructionForm> matrix_forms();
std::span<const InstructionForm> texture_forms();

struct FormSet {
  std::string_view name, alternatives;
};
std::span<const FormSet> form_sets();

}  // namespace kiln::emulator
