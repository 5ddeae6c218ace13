// The grammar of instructions: which modifiers, types and operands an instruction may have together.
#pragma once

#include <span>
#include <string_view>

namespace kiln::emulator {

/// One form of an instruction.
///
/// `name`: the opcode, and words that must follow it at once ("mad.lo").
///
/// `modifiers`: one word for each further modifier: alternatives with "|" between, "$rnd" for a set of form_sets(),
/// "m64n*" for all with that prefix, and "?" after a word that may be missing. Types stand in the order of the text, so
/// do layouts of matrices and state spaces; all others in any order, as ptxas accepts them.
///
/// `operands`: one word for each operand.
///   ">" before it: a destination; "_" after it: or "_"
///   "0", "u32"     of the instruction's first type; of a type
///     "0d"         of double its size
///     "0w"         in a register that may be wider
///     "0v"         a vector of as many as .v2, .v4 or .v8 says
///     "0s"         or a special register
///   "{b32*4}"      a vector of four; "{}": of any
///   "p", "P"       a predicate; one in a register
///   "|p" after it: a predicate may follow as second destination
///   "A"            an address; "Aw": in a register of 64 bits; "F": of a variable
///   "T", "T1"      a texture with coordinates of .s32; of the instruction's second type
///   "R", "Q", "O"  the handle of a texture; that in brackets; an offset of its coordinates
///   "#", "#4|8"    a number; one of these. "u32#0-15": a value whose number is one of these (see OperandRule::numbers)
///   "S", "N"       a source of mov: also a special register and a variable; also a variable
///   "V", "M", "W"  a value of a video instruction; that may be negated; in a register
///   "H"            the cache policy, which is there where .L2::cache_hint is
///   "*"            what the lowering checks
///   "~" after it:  ptxas takes more there than any manual describes. "!" as first word: no manual describes the form
///   "?" after it:  may be missing
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
