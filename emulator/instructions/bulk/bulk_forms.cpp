#include "emulator/instructions/bulk/bulk_forms.hpp"

#include <algorithm>
#include <string>

namespace kiln::emulator {
namespace {

using ptx::Space;

constexpr std::string_view reductions[] = {"add", "min", "max", "inc", "dec", "and", "or", "xor"};

constexpr std::string_view others[] = {"async",
                                       "bulk",
                                       "reduce",
                                       "tensor",
                                       "prefetch",
                                       "L2",
                                       "commit_group",
                                       "wait_group",
                                       "read",
                                       "global",
                                       "shared::cta",
                                       "shared::cluster",
                                       "mbarrier::complete_tx::bytes",
                                       "bulk_group",
                                       "multicast::cluster",
                                       "L2::cache_hint",
                                       "cp_mask",
                                       "noftz",
                                       "1d",
                                       "2d",
                                       "3d",
                                       "4d",
                                       "5d",
                                       "tile",
                                       "im2col",
                                       "im2col_no_offs"};

template <std::size_t n>
bool is_in(const std::string_view (&names)[n], std::string_view name) {
  return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

Space space_named(std::string_view name) {
  if (name == "global") return Space::global;
  return name == "shared::cta" || name == "shared::cluster" ? Space::shared : Space::none;
}

}  // namespace

CopyEnds copy_ends(const ptx::Instruction& instruction) {
  CopyEnds ends;
  for (const std::string_view modifier : instruction.modifiers) {
    const Space space = space_named(modifier);
    if (space == Space::none) continue;
    (ends.to == Space::none ? ends.to : ends.from) = space;
  }
  return ends;
}

std::string_view bulk_reduction_of(const ptx::Instruction& instruction) {
  for (const std::string_view modifier : instruction.modifiers)
    if (is_in(reductions, modifier)) return modifier;
  return {};
}

void check_completion(const ptx::Instruction& instruction, Lowering& lowering, Space to) {
  const char* const wanted = to == Space::shared ? "mbarrier::complete_tx::bytes" : "bulk_group";
  if (!instruction.has(wanted)) refuse(lowering, "Instruction 'cp' needs the modifier '." + std::string(wanted) + "'");
}

void check_modifiers(const ptx::Instruction& instruction) {
  for (const std::string_view modifier : instruction.modifiers)
    if (!is_in(others, modifier) && !is_in(reductions, modifier) && ptx::type_named(modifier) == ptx::Type::none)
      throw Unsupported{"bulk copies with ." + std::string(modifier)};
}

}  // namespace kiln::emulator
