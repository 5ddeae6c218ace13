// The rows of tex, tld4, txq, suld, sust, sured, suq and istypep.
#include "emulator/instructions/families.hpp"
#include "emulator/instructions/texture/texture_lookup.hpp"

namespace kiln::emulator {

std::span<const InstructionRow> texture_rows() {
  static constexpr InstructionRow rows[] = {
      {"tex", lower_tex},
      {"tld4", lower_tld4},
      {"txq", lower_query},
      {"suq", lower_query},
      {"istypep", lower_istypep},
      {"suld", lower_surface_load},
      {"sust", lower_surface_store},
      {"sured", lower_surface_reduction},
  };
  return rows;
}

}  // namespace kiln::emulator
