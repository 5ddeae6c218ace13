// Which instructions of a function use registers of its wgmma.mma_async.
#pragma once

#include "emulator/machine/group_checks.hpp"
#include "emulator/ptx/module.hpp"

#include <memory>
#include <vector>

namespace kiln::emulator {

/// For KILN_EMULATOR_CHECK=race: these instructions get a step of the check.
class GroupRegisters {
 public:
  explicit GroupRegisters(const ptx::Function& function);
  /// Null for an instruction that uses none, and for wgmma itself.
  std::shared_ptr<const RegisterUse> use_of(const ptx::Instruction& instruction) const;

 private:
  void add(const ptx::Operand& matrix);
  bool add_moved(const ptx::Function& function);
  void collect(const ptx::Operand& operand, std::vector<std::uint32_t>& numbers) const;

  std::vector<bool> used_;  // by number of the register; empty without wgmma.mma_async
};

}  // namespace kiln::emulator
