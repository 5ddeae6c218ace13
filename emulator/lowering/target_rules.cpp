#include "emulator/lowering/target_rules.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace kiln::emulator {
namespace {

// A row is about the instructions of an opcode (of every one, where it is empty) that have all these modifiers ("a.b":
// in this order), none of those with a "!", and that many operands or more. The last row that a target lacks is named.
struct TargetRule {
  std::string_view opcode, modifiers;
  std::uint16_t least;            // sm_80 is 80
  std::uint16_t behind = 0xFFFF;  // the first architecture that has it no longer
  bool needs_suffix = false;      // only in sm_90a, sm_100f and the like, not in sm_90
  std::uint8_t operands = 0;
};

constexpr TargetRule own(std::string_view opcode, std::string_view modifiers, std::uint16_t least,
                         std::uint16_t behind = 0xFFFF) {
  return {opcode, modifiers, least, behind, true, 0};
}

// By opcode. What sm_75 has is not listed: the compilers of today make no PTX for less.
constexpr TargetRule rules[] = {
    {"", "L2::256B", 80},
    {"", "L2::cache_hint", 80},
    {"", "NaN", 80},
    {"", "bf16", 80},
    {"", "bf16x2", 80},
    {"", "cluster", 90},
    {"", "f32x2", 100},
    {"", "oob", 90},
    {"", "relu", 80},
    {"", "shared::cluster", 90},
    {"", "tf32", 80},
    {"", "xorsign", 86},
    {"add", "bf16", 90},
    {"add", "bf16x2", 90},
    {"add", "f32 bf16", 100},
    {"add", "f32 f16", 100},
    {"add", "s16x2", 90},
    {"add", "u16x2", 90},
    {"applypriority", "", 80},
    {"atom", "b128", 90},
    {"atom", "bf16", 90},
    {"atom", "bf16x2", 90},
    {"atom", "v2", 90},
    {"atom", "v4", 90},
    {"atom", "v8", 90},
    {"clusterlaunchcontrol", "", 100},
    {"cp", "async", 80},
    {"cp", "async bulk", 90},
    {"createpolicy", "", 80},
    {"cvt", "bf16 !f32", 90},
    {"cvt", "bf16x2 !f32", 90},
    {"cvt", "f32.bf16 ftz", 90},
    own("cvt", "e2m1x2", 100),
    own("cvt", "e2m3x2", 100),
    own("cvt", "e3m2x2", 100),
    {"cvt", "e4m3x2", 89},
    {"cvt", "e5m2x2", 89},
    {"cvt", "f16x2 f32", 80},
    own("cvt", "rs", 100, 110),
    {"cvt", "tf32 rn", 90},
    {"cvt", "tf32 rn satfinite", 100},
    {"cvt", "tf32 rz", 90},
    {"cvt", "tf32 rz satfinite", 100},
    own("cvt", "ue8m0x2", 100),
    {"discard", "", 80},
    {"elect", "", 90},
    {"ex2", "bf16", 90},
    {"ex2", "bf16x2", 90},
    {"fence", "async", 90},
    {"fence", "async::generic", 90},
    {"fence", "mbarrier_init", 90},
    {"fence", "tensormap::generic", 90},
    {"fma", "f32 bf16", 100},
    {"fma", "f32 f16", 100},
    {"getctarank", "", 90},
    {"griddepcontrol", "", 90},
    {"ld", "v4 b64", 100},
    {"ld", "v4 f64", 100},
    {"ld", "v4 s64", 100},
    {"ld", "v4 u64", 100},
    {"ld", "v8 b32", 100},
    {"ld", "v8 f32", 100},
    {"ld", "v8 s32", 100},
    {"ld", "v8 u32", 100},
    own("ldmatrix", "m16n16", 100),
    own("ldmatrix", "m8n16", 100),
    {"mapa", "", 90},
    {"max", "bf16", 80},
    {"max", "f16", 80},
    {"max", "f16x2", 80},
    {"max", "f32", 100, 0xFFFF, false, 4},
    {"max", "relu", 90},
    {"max", "s16x2", 90},
    {"max", "u16x2", 90},
    {"mbarrier", "", 80},
    {"mbarrier", "arrive !noComplete", 90, 0xFFFF, false, 3},
    {"mbarrier", "arrive_drop !noComplete", 90, 0xFFFF, false, 3},
    {"mbarrier", "complete_tx", 90},
    {"mbarrier", "expect_tx", 90},
    {"mbarrier", "relaxed", 90},
    {"mbarrier", "try_wait", 90},
    {"min", "f16", 80},
    {"min", "f16x2", 80},
    {"min", "f32", 100, 0xFFFF, false, 4},
    {"min", "relu", 90},
    {"min", "s16x2", 90},
    {"min", "u16x2", 90},
    {"mma", "b1 and", 80},
    {"mma", "e4m3", 89},
    {"mma", "e5m2", 89},
    {"mma", "f64", 80},
    own("mma", "kind::f8f6f4", 120),
    own("mma", "kind::mxf4", 120),
    own("mma", "kind::mxf4nvf4", 120),
    own("mma", "kind::mxf8f6f4", 120),
    {"mma", "m16n8k128", 80},
    {"mma", "m16n8k16", 80},
    {"mma", "m16n8k16 f64", 90},
    {"mma", "m16n8k256", 80},
    {"mma", "m16n8k32", 80},
    {"mma", "m16n8k4 f64", 90},
    {"mma", "m16n8k64", 80},
    {"mma", "m16n8k8 f64", 90},
    {"mma", "sp", 80},
    {"mma", "sp::ordered_metadata", 80},
    {"mul", "bf16", 90},
    {"mul", "bf16x2", 90},
    {"multimem", "", 90},
    {"prefetch", "L2::evict_last", 80},
    {"prefetch", "L2::evict_normal", 80},
    {"prefetch", "tensormap", 90},
    {"red", "async", 90},
    {"red", "bf16", 90},
    {"red", "bf16x2", 90},
    {"red", "v2", 90},
    {"red", "v4", 90},
    {"red", "v8", 90},
    {"redux", "", 80},
    own("redux", "f32", 100, 110),
    {"set", "bf16", 90},
    {"set", "bf16x2", 90},
    own("setmaxnreg", "", 90),
    {"setp", "bf16", 90},
    {"setp", "bf16x2", 90},
    {"st", "async", 90},
    {"st", "bulk", 100},
    {"st", "v4 b64", 100},
    {"st", "v4 f64", 100},
    {"st", "v4 s64", 100},
    {"st", "v4 u64", 100},
    {"st", "v8 b32", 100},
    {"st", "v8 f32", 100},
    {"st", "v8 s32", 100},
    {"st", "v8 u32", 100},
    {"stmatrix", "", 90},
    own("stmatrix", "m16n8", 100),
    {"sub", "bf16", 90},
    {"sub", "bf16x2", 90},
    {"sub", "f32 bf16", 100},
    {"sub", "f32 f16", 100},
    {"tanh", "bf16", 90},
    {"tanh", "bf16x2", 90},
    own("tcgen05", "", 100, 120),
    {"tensormap", "cp_fenceproxy", 90},
    own("tensormap", "replace", 90),
    own("wgmma", "", 90, 91),
    {"wmma", "and", 80},
    {"wmma", "f64", 80},
    {"wmma", "m16n16k8", 80},
};

constexpr bool is_sorted() {
  for (std::size_t i = 1; i < std::size(rules); ++i)
    if (rules[i].opcode < rules[i - 1].opcode) return false;
  return true;
}
static_assert(is_sorted());

struct ByOpcode {
  bool operator()(const TargetRule& rule, std::string_view opcode) const { return rule.opcode < opcode; }
  bool operator()(std::string_view opcode, const TargetRule& rule) const { return opcode < rule.opcode; }
};

// Takes the first word away.
std::string_view take_word(std::string_view& words) {
  const std::string_view word = words.substr(0, words.find(' '));
  words.remove_prefix(std::min(word.size() + 1, words.size()));
  return word;
}

bool has_in_order(const ptx::Instruction& instruction, std::string_view words) {
  auto next = instruction.modifiers.begin();
  while (!words.empty()) {
    const std::string_view word = words.substr(0, words.find('.'));
    words.remove_prefix(std::min(word.size() + 1, words.size()));
    next = std::find(next, instruction.modifiers.end(), word);
    if (next == instruction.modifiers.end()) return false;
  }
  return true;
}

// But for the number of operands.
bool is_about(const TargetRule& rule, const ptx::Instruction& instruction) {
  for (std::string_view rest = rule.modifiers; !rest.empty();) {
    std::string_view word = take_word(rest);
    const bool is_without = word.front() == '!';
    if (is_without) word.remove_prefix(1);
    if (has_in_order(instruction, word) == is_without) return false;
  }
  return true;
}

bool has_suffix(std::string_view target) { return target.ends_with('a') || target.ends_with('f'); }

bool is_met(const TargetRule& rule, const ptx::Module& module) {
  return module.sm >= rule.least && module.sm < rule.behind && (!rule.needs_suffix || has_suffix(module.target));
}

// "cp.async", ".bf16": without the modifiers that the instruction is not to have.
std::string name_of(const TargetRule& rule, const ptx::Instruction& instruction) {
  std::string name(rule.opcode);
  if (rule.modifiers.empty() && rule.needs_suffix && !instruction.modifiers.empty())
    name.append(".").append(instruction.modifiers.front());
  for (std::string_view rest = rule.modifiers; !rest.empty() && rest.front() != '!';)
    name.append(".").append(take_word(rest));
  return name;
}

std::string needs_text(const std::string& feature, std::uint32_t least) {
  return "Feature '" + feature + "' requires .target sm_" + std::to_string(least) + " or higher";
}

std::string fault_text(const TargetRule& rule, const ptx::Instruction& instruction, const ptx::Module& module) {
  const std::string name = name_of(rule, instruction);
  if (rule.needs_suffix)
    return "Instruction '" + name + "' not supported on .target '" + std::string(module.target) + "'";
  return needs_text(name, rule.least);
}

// Of the special registers, those about clusters alone are not on all devices.
bool is_of_clusters(std::string_view name) {
  return name.starts_with("%cluster") || name.starts_with("%ncluster") || name == "%is_explicit_cluster" ||
         name == "%aggr_smem_size";
}

constexpr std::uint32_t first_with_clusters = 90;

std::string lacks_clusters(const std::string& name) { return needs_text(name, first_with_clusters); }

const ptx::Operand* register_of_clusters(const ptx::Instruction& instruction) {
  for (const ptx::Operand& operand : instruction.operands)
    if (operand.kind == ptx::Operand::Kind::special && is_of_clusters(operand.name)) return &operand;
  return nullptr;
}

}  // namespace

bool may_lack_target(const ptx::Instruction& instruction, const ptx::Module& module) {
  if (module.sm < first_with_clusters) return true;  // because of the special registers
  for (const std::string_view opcode : {std::string_view(), instruction.opcode}) {
    const auto [first, last] = std::equal_range(std::begin(rules), std::end(rules), opcode, ByOpcode{});
    if (std::any_of(first, last,
                    [&](const TargetRule& rule) { return !is_met(rule, module) && is_about(rule, instruction); }))
      return true;
  }
  return false;
}

std::string target_fault(const ptx::Instruction& instruction, const ptx::Module& module) {
  const TargetRule* missing = nullptr;
  for (const std::string_view opcode : {std::string_view(), instruction.opcode}) {
    const auto [first, last] = std::equal_range(std::begin(rules), std::end(rules), opcode, ByOpcode{});
    for (const TargetRule* rule = first; rule != last; ++rule)
      if (instruction.operands.size() >= rule->operands && !is_met(*rule, module) && is_about(*rule, instruction))
        missing = rule;
  }
  if (missing != nullptr) return fault_text(*missing, instruction, module);
  if (module.sm >= first_with_clusters) return {};
  const ptx::Operand* const special = register_of_clusters(instruction);
  return special == nullptr ? std::string() : lacks_clusters(std::string(special->name));
}

std::string target_fault(const ptx::Directives& directives, const ptx::Module& module) {
  if (module.sm >= first_with_clusters) return {};
  if (directives.reqnctapercluster[0] != 0) return lacks_clusters(".reqnctapercluster");
  if (directives.maxclusterrank != 0) return lacks_clusters(".maxclusterrank");
  if (directives.explicitcluster) return lacks_clusters(".explicitcluster");
  return directives.blocksareclusters ? lacks_clusters(".blocksareclusters") : std::string();
}

}  // namespace kiln::emulator
