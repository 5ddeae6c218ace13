// The text of a wgmma.mma_async.
#pragma once

#include "emulator/instructions/matrix/matrix_fragment.hpp"
#include "emulator/lowering/lowering.hpp"

namespace kiln::emulator {

/// D = A * B + D of a warp group, of which each warp has 16 rows.
struct GroupForm {
  unsigned n = 0, k = 0;  // columns of B; of A with all of its elements
  bool is_sparse = false;
  unsigned selector = 0;     // of the lanes with the metadata
  bool a_is_shared = false;  // else in registers
  MatrixElement b = MatrixElement::f16;
  Fragment d, a;  // of a warp; of sparse A, what is stored
  bool transposes_a = false, transposes_b = false;
  bool is_negative = false;  // -A * B
  bool saturates = false;

  unsigned stored() const { return is_sparse ? k / 2 : k; }  // elements of a row of A
};

/// Refuses texts that ptxas refuses.
GroupForm read_group_form(const Lowering& lowering);

}  // namespace kiln::emulator
