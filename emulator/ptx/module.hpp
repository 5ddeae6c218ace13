// What a PTX text says, with every name resolved: the parser's product and the lowering's input. Plain values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace kiln::emulator::ptx {

/// A fundamental type: what a register may be declared as. The types that only instructions have (bf16, tf32, u16x2,
/// e4m3
/// ...) are their bits here: b16, b32.
enum class Type : std::uint8_t {
  none,
  pred,
  b8,
  u8,
  s8,
  b16,
  u16,
  s16,
  f16,
  b32,
  u32,
  s32,
  f32,
  f16x2,
  b64,
  u64,
  s64,
  f64,
  b128,
  texref,
  samplerref,
  surfref
};
/// Size in bytes: 0 for none, 4 for pred (one mask for the whole warp), 8 for references.
std::size_t size_of(Type type);
/// Signed or unsigned: u8 to s64.
bool is_integer(Type type);
/// The type spelled so, without the dot ("u32", "bf16x2" -> b32, "bf16" -> b16); none for any other word.
Type type_named(std::string_view spelling);

enum class Space : std::uint8_t { none, reg, generic, global, constant, shared, local, param, tex };

enum class Linkage : std::uint8_t { internal, visible, external, weak, common };

/// A place in a CUDA source, from .loc.
struct Location {
  std::uint32_t file = 0;  // number of a .file
  std::uint32_t line = 0;
  std::uint32_t column = 0;
  /// Index in the same table of the place this one was inlined at, or -1.
  std::int32_t inlined_at = -1;
  std::string_view function;  // of the inlined function (may be empty)
};

/// An address within initialised data: `width` bytes at `offset` become the address of symbol + addend (all of it, or
/// by mask() the byte `byte` alone).
struct Relocation {
  std::uint64_t offset = 0;
  std::uint32_t width = 8;
  std::string_view symbol;  // a variable or a function of the module
  std::int64_t addend = 0;
  bool generic = false;    // generic(symbol)
  std::int32_t byte = -1;  // of 0xFF..(symbol): which byte of the address
};

struct Variable {
  std::string_view name;
  Space space = Space::none;
  Type type = Type::none;
  std::uint32_t vector = 1;     // .v2, .v4
  std::uint32_t alignment = 0;  // bytes; the type's own where the text gives none
  std::uint64_t size = 0;       // bytes in all; 0 for an unsized extern array
  bool is_array = false;
  bool managed = false;
  Linkage linkage = Linkage::internal;
  /// The beginning of the initial value; the rest is zero.
  std::vector<std::uint8_t> data;
  std::vector<Relocation> relocations;
  std::size_t line = 0;
  /// Of a parameter: .ptr attributes as written, for its kind.
  bool is_pointer = false;
  /// Of a parameter in a register (space reg, hand-written .func only): which of Function::registers.
  std::int32_t reg = -1;
};

struct Register {
  std::string_view name;  // as its first use spells it
  Type type = Type::none;
};

struct Operand {
  enum class Kind : std::uint8_t {
    sink,       // _
    reg,        // index: in Function::registers; negated: !%p, -%r; name: "b0", "h1" where the text selects a part
    immediate,  // bits, with what the text said it is: type s64, u64 (integers), f32 or f64 (bits as written)
    special,    // name: "%tid.x", "%clock64" ... (WARP_SZ is an immediate)
    variable,   // variable: its declaration, with offset
    function,   // name
    label,      // index: of the instruction it stands before (Function::labels); name
    vector,     // {a, b, ...}: elements
    pair,       // a|b: elements
    address,    // [x], [x+4], [-1]: elements[0] is a reg, variable or immediate, and has the offset
    texture,    // [t, {c...}], [t, s, {c...}], and other lists in brackets: elements
    list,       // (a, b) of a call
  };
  Kind kind = Kind::sink;
  bool negated = false;
  Type type = Type::none;
  std::uint32_t index = 0;
  std::int64_t offset = 0;
  std::uint64_t bits = 0;
  std::string_view name;
  const Variable* variable = nullptr;
  std::vector<Operand> elements;
};

struct Instruction {
  std::string_view opcode;  // "ld"; empty for one of Function::unread
  std::vector<std::string_view>
      modifiers;                  // "param", "u64": what follows, without dots, in order; "shared::cta" is one
  std::vector<Operand> operands;  // in the order of the text; of brx.idx without the list, which is `targets`
  std::int32_t guard = -1;        // index of the predicate register, or -1
  bool guard_negated = false;
  std::uint32_t line = 0;      // of the PTX text, from 1
  std::int32_t location = -1;  // in Module::locations
  // call only: operands are the list of results (may be empty), the callee (function or reg), the list of arguments.
  std::int32_t prototype = -1;  // of an indirect call, in Function::prototypes; -1 also for .calltargets
  std::int32_t targets = -1;    // brx.idx, indirect call by .calltargets: in Function::target_lists

  bool has(std::string_view modifier) const;
};

struct Prototype {
  std::string_view label;
  std::vector<Variable> returns, params;
  bool noreturn = false;
};

/// Limits of a kernel; 0 if not given.
struct Directives {
  std::uint32_t maxntid[3] = {0, 0, 0};
  std::uint32_t reqntid[3] = {0, 0, 0};
  std::uint32_t minnctapersm = 0, maxnreg = 0;
  std::uint32_t reqnctapercluster[3] = {0, 0, 0};
  bool explicitcluster = false, noreturn = false, blocksareclusters = false;
  std::uint8_t maxclusterrank = 0;  // no cluster is as large as what does not fit
};

struct Function {
  std::string_view name;
  bool is_entry = false;
  bool has_body = false;
  Linkage linkage = Linkage::internal;
  std::size_t line = 0;
  std::deque<Variable> returns, params;
  Directives directives;
  /// Registers of all scopes, in the order of their first use. Unused ones are not listed. A vector register is listed
  /// as its elements, one after the other.
  std::vector<Register> registers;
  std::deque<Variable> variables;  // .local, .shared, .param (of calls), .const, .global in the body, of all scopes
  std::vector<Instruction> instructions;
  /// Label -> index of the next instruction (may be the number of instructions). If several blocks have the same label,
  /// the first; branch targets are in the operands.
  std::map<std::string_view, std::uint32_t> labels;
  std::vector<Prototype> prototypes;
  std::vector<std::vector<Operand>> target_lists;  // labels of .branchtargets, functions of .calltargets
  /// Index -> message of each instruction that could not be read (texts of newer PTX versions only). A kernel that
  /// reaches one stops.
  std::map<std::uint32_t, std::string> unread;
};

struct Module {
  /// All names are views into the text. It must not move.
  std::shared_ptr<const std::string> text;
  std::uint32_t version_major = 0, version_minor = 0;
  bool is_newer = false;    // than what the parser knows, or for a newer architecture: see `unread`
  std::string_view target;  // "sm_90a"
  std::uint32_t sm = 0;     // 90
  bool debug = false;       // .target ..., debug
  std::uint32_t address_size = 64;
  std::map<std::uint32_t, std::string> files;  // .file
  std::vector<Location> locations;
  std::deque<std::string> inlined_names;  // what Location::function is a view into
  std::deque<Variable> variables;         // of module scope
  std::deque<Function> functions;         // declared or defined; a definition takes its declaration's place
  std::map<std::string_view, std::string_view> aliases;  // .alias name, aliasee
  /// ptxas' messages for statements that could not be read, and were skipped.
  std::vector<std::string> unread;

  const Function* function(std::string_view name) const;
  const Variable* variable(std::string_view name) const;
};

}  // namespace kiln::emulator::ptx

namespace kiln::emulator {

/// The text of the line, without leading and trailing blanks.
std::string_view line_text(std::string_view text, std::size_t line);

/// Throws ptx::ParseError, worded as ptxas words it, with the places in the CUDA source below.
[[noreturn]] void throw_line_error(const ptx::Module& module, std::size_t line, const std::string& message,
                                   const std::vector<std::string>& source_places = {});

}  // namespace kiln::emulator
