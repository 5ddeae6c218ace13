#include "emulator/lowering/shared_layout.hpp"

#include "emulator/core/addresses.hpp"

#include <algorithm>
#include <set>
#include <string_view>
#include <vector>

namespace kiln::emulator {

namespace {

// Aliases are followed.
const ptx::Function* function_named(const ptx::Module& module, std::string_view name) {
  const auto alias = module.aliases.find(name);
  return module.function(alias == module.aliases.end() ? name : alias->second);
}

// The variables and functions that one function names.
struct Uses {
  std::vector<const ptx::Function*> functions;
  std::vector<const ptx::Variable*> shared;
  bool calls_by_pointer = false;
  bool names_reserved = false;
};

// Collects what a kernel and all functions that it may call use.
struct KernelUses {
  std::vector<const ptx::Variable*> shared;
  bool names_reserved = false;
};

class UseFinder {
 public:
  explicit UseFinder(const ptx::Module& module) : module_(module) {
    for (const ptx::Function& function : module.functions) uses_[&function] = uses_of(function);
    for (const ptx::Variable& variable : module.variables) add_addresses(variable);
    for (const ptx::Function& function : module.functions)
      for (const ptx::Variable& variable : function.variables) add_addresses(variable);
  }

  // In the order of the text, so that the layout is always the same.
  KernelUses uses_of_kernel(const ptx::Function& kernel) const {
    KernelUses all;
    std::vector<const ptx::Variable*>& found = all.shared;
    std::vector<const ptx::Function*> reached = {&kernel};
    std::set<const ptx::Function*> seen = {&kernel};
    bool pointers_followed = false;
    const auto reach = [&](const std::vector<const ptx::Function*>& functions) {
      for (const ptx::Function* const each : functions)
        if (seen.insert(each).second) reached.push_back(each);
    };
    for (std::size_t i = 0; i < reached.size(); ++i) {
      const Uses& uses = uses_.at(reached[i]);
      found.insert(found.end(), uses.shared.begin(), uses.shared.end());
      all.names_reserved = all.names_reserved || uses.names_reserved;
      reach(uses.functions);
      if (uses.calls_by_pointer && !pointers_followed) {
        pointers_followed = true;
        reach(pointed_to_);
      }
    }
    std::sort(found.begin(), found.end());
    found.erase(std::unique(found.begin(), found.end()), found.end());
    std::stable_sort(found.begin(), found.end(),
                     [](const ptx::Variable* a, const ptx::Variable* b) { return a->line < b->line; });
    return all;
  }

 private:
  Uses uses_of(const ptx::Function& function) {
    Uses uses;
    // ptxas always reserves a function's variables, and the module's only if something names them.
    for (const ptx::Variable& variable : function.variables)
      if (variable.space == ptx::Space::shared) uses.shared.push_back(&variable);
    for (const ptx::Instruction& instruction : function.instructions) {
      const bool is_call = instruction.opcode == "call";
      for (std::size_t i = 0; i < instruction.operands.size(); ++i) {
        const bool is_callee = is_call && i == 1;
        if (is_callee && instruction.operands[i].kind == ptx::Operand::Kind::reg) uses.calls_by_pointer = true;
        add(instruction.operands[i], is_callee, uses);
      }
    }
    return uses;
  }

  void add(const ptx::Operand& operand, bool is_callee, Uses& uses) {
    if (operand.kind == ptx::Operand::Kind::variable && operand.variable->space == ptx::Space::shared)
      uses.shared.push_back(operand.variable);
    if (operand.kind == ptx::Operand::Kind::special && operand.name.starts_with("%reserved_smem"))
      uses.names_reserved = true;
    if (operand.kind == ptx::Operand::Kind::function) {
      if (const ptx::Function* const named = function_named(module_, operand.name)) {
        uses.functions.push_back(named);
        if (!is_callee) pointed_to_.push_back(named);
      }
    }
    for (const ptx::Operand& each : operand.elements) add(each, false, uses);
  }

  void add_addresses(const ptx::Variable& variable) {
    for (const ptx::Relocation& each : variable.relocations)
      if (const ptx::Function* const named = function_named(module_, each.symbol)) pointed_to_.push_back(named);
  }

  const ptx::Module& module_;
  std::map<const ptx::Function*, Uses> uses_;
  std::vector<const ptx::Function*> pointed_to_;
};

}  // namespace

SharedLayout lay_out_shared(const ptx::Module& module) {
  const UseFinder finder(module);
  SharedLayout layout;
  std::vector<const ptx::Variable*> variables;
  std::map<const ptx::Variable*, std::vector<const ptx::Function*>> users;
  for (const ptx::Function& kernel : module.functions) {
    if (!kernel.is_entry) continue;
    SharedLayout::KernelSize& sizes = layout.kernels[&kernel];
    const KernelUses uses = finder.uses_of_kernel(kernel);
    sizes.uses_reserved = uses.names_reserved;
    for (const ptx::Variable* const variable : uses.shared) {
      if (variable->size == 0) {
        sizes.uses_dynamic = true;
        sizes.dynamic_alignment = std::max<std::uint64_t>(sizes.dynamic_alignment, alignment_of(*variable));
      } else {
        if (users[variable].empty()) variables.push_back(variable);
        users[variable].push_back(&kernel);
        sizes.variables.push_back(variable);
      }
    }
  }
  std::map<const ptx::Function*, std::vector<ByteRange>> taken;
  for (const ptx::Variable* const variable : variables) {
    std::vector<ByteRange> others;
    for (const ptx::Function* const kernel : users[variable])
      others.insert(others.end(), taken[kernel].begin(), taken[kernel].end());
    const ByteRange range{first_fit(variable->size, alignment_of(*variable), std::move(others)), variable->size};
    layout.offsets[variable] = range.offset;
    for (const ptx::Function* const kernel : users[variable]) {
      taken[kernel].push_back(range);
      layout.kernels[kernel].size = std::max(layout.kernels[kernel].size, range.end());
    }
  }
  return layout;
}

std::uint64_t first_fit(std::uint64_t size, std::uint64_t alignment, std::vector<ByteRange> taken) {
  std::sort(taken.begin(), taken.end(), [](const ByteRange& a, const ByteRange& b) { return a.offset < b.offset; });
  std::uint64_t offset = 0;
  for (const ByteRange& each : taken) {
    if (offset + size <= each.offset) break;
    offset = std::max(offset, aligned(each.end(), alignment));
  }
  return offset;
}

}  // namespace kiln::emulator
