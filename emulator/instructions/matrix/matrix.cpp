// Rows of the matrix instructions.
#include "emulator/instructions/families.hpp"
#include "emulator/instructions/forms.hpp"
#include "emulator/instructions/matrix/matrix_element.hpp"

#include <vector>

namespace kiln::emulator {
namespace {

void lower_wmma(const ptx::Instruction& instruction, Lowering& lowering) {
  return instruction.has("mma") ? lower_wmma_product(instruction, lowering) : lower_wmma_memory(instruction, lowering);
}

constexpr InstructionRow matrix_table[] = {{"mma", &lower_mma}, {"wmma", &lower_wmma}};

}  // namespace

std::span<const InstructionRow> matrix_rows() {
  static const std::vector<InstructionRow> all = united({matrix_table, small_matrix_rows()});
  return all;
}

}  // namespace kiln::emulator
