#include "emulator/profile/core_counts.hpp"

#include "emulator/profile/instruction_kind.hpp"

#include <algorithm>

namespace kiln::emulator {

CodeCounts::CodeCounts(const Code& of) : code(&of), steps(of.steps.size()) {
  const auto& instructions = of.source->instructions;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const std::uint32_t number = of.steps[i].instruction;
    steps[i].is_first = i == 0 || of.steps[i - 1].instruction != number;
    if (number >= instructions.size()) continue;
    const ptx::Instruction& instruction = instructions[number];
    // The step of brx.idx itself: those after it are plain branches.
    steps[i].is_indirect = steps[i].is_first && instruction.opcode == "brx";
    steps[i].is_constant = instruction.has("const");
    steps[i].is_wait = waits_at_mbarrier(instruction);
  }
}

StepEvents& CodeCounts::events(std::uint32_t step) {
  std::unique_ptr<StepEvents>& events = steps[step].events;
  if (events == nullptr) events = std::make_unique<StepEvents>();
  return *events;
}

void BusiestThread::take(const BusiestThread& other) {
  global_reads = std::max(global_reads, other.global_reads);
  global_writes = std::max(global_writes, other.global_writes);
  shared_reads = std::max(shared_reads, other.shared_reads);
  shared_writes = std::max(shared_writes, other.shared_writes);
}

CodeCounts& CoreCounts::find(const Code& code) { return codes.try_emplace(&code, code).first->second; }

}  // namespace kiln::emulator
