// The forms of bulk copies.
#pragma once

#include "emulator/instructions/forms.hpp"

#include <string_view>

namespace kiln::emulator {

/// cp.async.bulk, cp.reduce.async.bulk, cp.async.bulk.prefetch
void lower_bulk_copy(const ptx::Instruction& instruction, Lowering& lowering);
/// The same with .tensor
void lower_tensor_copy(const ptx::Instruction& instruction, Lowering& lowering);
/// st.bulk
void lower_bulk_store(const ptx::Instruction& instruction, Lowering& lowering);
/// tensormap.replace, tensormap.cp_fenceproxy
void lower_tensor_map(const ptx::Instruction& instruction, Lowering& lowering);

/// The spaces of the target and the source, in this order.
struct CopyEnds {
  ptx::Space to = ptx::Space::none, from = ptx::Space::none;
};
CopyEnds copy_ends(const ptx::Instruction& instruction);

/// The reduction that a modifier names; empty if none does.
std::string_view bulk_reduction_of(const ptx::Instruction& instruction);

/// Refuses the text unless a copy to shared memory completes on an mbarrier, and one to global memory in a bulk group.
void check_completion(const ptx::Instruction& instruction, Lowering& lowering, ptx::Space to);

/// Throws Unsupported for a modifier that is not of PTX 9.0 for sm_90, such as .tile::gather4.
void check_modifiers(const ptx::Instruction& instruction);

}  // namespace kiln::emulator
