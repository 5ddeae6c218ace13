#include "emulator/profile/instruction_kind.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <string_view>

namespace kiln::emulator {
namespace {

using namespace std::string_view_literals;

struct KindRow {
  std::string_view opcode;
  InstructionKind kind;
};

// By opcode alone; others are arithmetic, whose kind the type says. Sorted.
constexpr std::array kind_rows = std::to_array<KindRow>({
    {"activemask", InstructionKind::communication},
    {"alloca", InstructionKind::misc},
    {"and", InstructionKind::bit},
    {"applypriority", InstructionKind::memory},
    {"atom", InstructionKind::memory},
    {"bar", InstructionKind::control},
    {"barrier", InstructionKind::control},
    {"bfe", InstructionKind::bit},
    {"bfi", InstructionKind::bit},
    {"bfind", InstructionKind::bit},
    {"bmsk", InstructionKind::bit},
    {"bra", InstructionKind::control},
    {"brev", InstructionKind::bit},
    {"brx", InstructionKind::control},
    {"call", InstructionKind::control},
    {"clz", InstructionKind::bit},
    {"cnot", InstructionKind::bit},
    {"cp", InstructionKind::memory},
    {"createpolicy", InstructionKind::memory},
    {"cvt", InstructionKind::conversion},
    {"cvta", InstructionKind::conversion},
    {"discard", InstructionKind::memory},
    {"elect", InstructionKind::communication},
    {"exit", InstructionKind::control},
    {"fence", InstructionKind::memory},
    {"fns", InstructionKind::bit},
    {"isspacep", InstructionKind::conversion},
    {"ld", InstructionKind::memory},
    {"ldmatrix", InstructionKind::memory},
    {"ldu", InstructionKind::memory},
    {"lop3", InstructionKind::bit},
    {"mapa", InstructionKind::misc},
    {"match", InstructionKind::communication},
    {"mbarrier", InstructionKind::memory},
    {"membar", InstructionKind::memory},
    {"mma", InstructionKind::tensor},
    {"mov", InstructionKind::misc},
    {"movmatrix", InstructionKind::communication},
    {"nanosleep", InstructionKind::control},
    {"not", InstructionKind::bit},
    {"or", InstructionKind::bit},
    {"popc", InstructionKind::bit},
    {"prefetch", InstructionKind::memory},
    {"prefetchu", InstructionKind::memory},
    {"prmt", InstructionKind::bit},
    {"red", InstructionKind::memory},
    {"redux", InstructionKind::communication},
    {"ret", InstructionKind::control},
    {"selp", InstructionKind::misc},
    {"shf", InstructionKind::bit},
    {"shfl", InstructionKind::communication},
    {"shl", InstructionKind::bit},
    {"shr", InstructionKind::bit},
    {"slct", InstructionKind::misc},
    {"st", InstructionKind::memory},
    {"stackrestore", InstructionKind::misc},
    {"stacksave", InstructionKind::misc},
    {"stmatrix", InstructionKind::memory},
    {"suld", InstructionKind::memory},
    {"suq", InstructionKind::memory},
    {"sured", InstructionKind::memory},
    {"sust", InstructionKind::memory},
    {"tex", InstructionKind::memory},
    {"tld4", InstructionKind::memory},
    {"trap", InstructionKind::control},
    {"txq", InstructionKind::memory},
    {"vote", InstructionKind::communication},
    {"xor", InstructionKind::bit},
});

bool is_half(std::string_view type) { return type.starts_with("f16") || type.starts_with("bf16"); }
bool is_packed_pair(std::string_view type) { return type.size() > 2 && type.ends_with("x2"); }

// The last type: of a comparison or a conversion that of the operands.
std::string_view float_modifier(const ptx::Instruction& instruction) {
  for (auto each = instruction.modifiers.rbegin(); each != instruction.modifiers.rend(); ++each)
    if (is_half(*each) || each->starts_with("f32") || *each == "f64" || *each == "tf32") return *each;
  return {};
}

bool is_one_of(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

// Of a warp. "m16n8k16": 2 * m * n * k; of wgmma a quarter of that.
std::uint64_t product_flops(const ptx::Instruction& instruction) {
  for (const std::string_view modifier : instruction.modifiers) {
    if (!modifier.starts_with('m') || modifier.find('n') == modifier.npos) continue;
    std::uint64_t product = 2;
    const char* at = modifier.data();
    const char* const end = at + modifier.size();
    bool is_shape = true;
    for (const char letter : "mnk"sv) {
      std::uint64_t number = 0;
      is_shape = is_shape && at != end && *at == letter;
      if (!is_shape) break;
      const auto [behind, error] = std::from_chars(at + 1, end, number);
      is_shape = error == std::errc{};
      at = behind;
      product *= number;
    }
    if (is_shape && at == end) return instruction.opcode == "wgmma" ? product / 4 : product;
  }
  return 0;
}

// Of a plain branch: the index of the instruction that it leads to.
std::optional<std::uint32_t> target_of(const ptx::Instruction& instruction) {
  if (instruction.opcode != "bra" || instruction.operands.empty()) return std::nullopt;
  const ptx::Operand& label = instruction.operands.front();
  return label.kind == ptx::Operand::Kind::label ? std::optional(label.index) : std::nullopt;
}

bool leaves(const ptx::Instruction& instruction) { return instruction.opcode == "ret" || instruction.opcode == "exit"; }

// Whether a thread that is there does nothing more but leave the kernel.
bool ends_kernel(const ptx::Function& function, std::uint32_t instruction) {
  if (!function.is_entry) return false;
  for (unsigned branches = 0; branches < 8; ++branches) {
    if (instruction >= function.instructions.size()) return true;
    const ptx::Instruction& at = function.instructions[instruction];
    if (at.guard >= 0) return false;
    const auto target = target_of(at);
    if (!target) return leaves(at);
    instruction = *target;
  }
  return false;
}

}  // namespace

InstructionKind kind_of(const ptx::Instruction& instruction) {
  if (instruction.opcode == "wgmma")
    return instruction.has("mma_async") ? InstructionKind::tensor : InstructionKind::control;
  if (instruction.opcode == "wmma") return instruction.has("mma") ? InstructionKind::tensor : InstructionKind::memory;
  const auto row = std::lower_bound(kind_rows.begin(), kind_rows.end(), instruction.opcode,
                                    [](const KindRow& each, std::string_view opcode) { return each.opcode < opcode; });
  if (row != kind_rows.end() && row->opcode == instruction.opcode) return row->kind;
  const std::string_view type = float_modifier(instruction);
  if (is_half(type)) return InstructionKind::fp16;
  if (type == "f64") return InstructionKind::fp64;
  return type.empty() ? InstructionKind::integer : InstructionKind::fp32;
}

const char* name_of(InstructionKind kind) {
  constexpr std::array<const char*, kind_count> names = {
      "fp16", "fp32", "fp64", "tensor", "integer", "bit", "conversion", "control", "memory", "communication", "misc"};
  return names[static_cast<std::size_t>(kind)];
}

Flops flops_of(const ptx::Instruction& instruction) {
  const InstructionKind kind = kind_of(instruction);
  if (kind == InstructionKind::tensor) return {Counter::flops_tensor, product_flops(instruction), true};
  Flops flops;
  if (kind == InstructionKind::fp16)
    flops.counter = Counter::flops_fp16;
  else if (kind == InstructionKind::fp64)
    flops.counter = Counter::flops_fp64;
  else if (kind != InstructionKind::fp32)
    return flops;
  if (is_one_of(instruction.opcode, {"fma", "mad"}))
    flops.count = 2;
  else if (is_one_of(instruction.opcode,
                     {"add", "sub", "mul", "div", "rcp", "sqrt", "rsqrt", "sin", "cos", "ex2", "lg2", "tanh"}))
    flops.count = 1;
  if (is_packed_pair(float_modifier(instruction))) flops.count *= 2;
  return flops;
}

bool waits_at_mbarrier(const ptx::Instruction& instruction) {
  return instruction.opcode == "mbarrier" && (instruction.has("test_wait") || instruction.has("try_wait"));
}

bool may_diverge(const ptx::Instruction& instruction) {
  return instruction.opcode == "brx" || (instruction.opcode == "bra" && instruction.guard >= 0);
}

BranchShape shape_of_branch(const ptx::Function& function, std::uint32_t instruction) {
  const auto& all = function.instructions;
  const std::optional<std::uint32_t> target = target_of(all[instruction]);
  if (!target || all[instruction].guard < 0) return BranchShape::other;
  const bool is_in_loop = std::any_of(all.begin() + instruction, all.end(), [&](const ptx::Instruction& each) {
    return target_of(each).value_or(instruction + 1) <= instruction;
  });
  if (is_in_loop || *target == instruction + 1) return BranchShape::other;
  if (ends_kernel(function, *target) || ends_kernel(function, instruction + 1)) return BranchShape::guard;
  const ptx::Instruction& last = all[*target - 1];
  return last.guard < 0 && (last.opcode == "bra" || leaves(last)) ? BranchShape::other : BranchShape::if_then;
}

}  // namespace kiln::emulator
