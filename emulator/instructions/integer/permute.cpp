// prmt: four of the eight bytes of two registers.
#include "emulator/instructions/forms.hpp"
#include "emulator/instructions/integer/integer_parts.hpp"
#include "emulator/instructions/lanewise.hpp"

#include <cstdint>
#include <string_view>

namespace kiln::emulator {
namespace {

using ptx::Type;

/// Selects by four digits: the number of the byte, plus 8 to replicate its sign.
std::uint32_t permuted(std::uint32_t a, std::uint32_t b, std::uint32_t selector) {
  const std::uint64_t both = std::uint64_t{b} << 32 | a;
  std::uint32_t result = 0;
  for (unsigned i = 0; i < 4; ++i) {
    const std::uint32_t digit = (selector >> (4 * i)) & 0xFu;
    const auto byte = static_cast<std::uint32_t>(both >> (8 * (digit & 7u))) & 0xFFu;
    const std::uint32_t taken = (digit & 8u) == 0 ? byte : (byte & 0x80u) != 0 ? 0xFFu : 0u;
    result |= taken << (8 * i);
  }
  return result;
}

struct Permute {
  std::uint32_t operator()(std::uint32_t a, std::uint32_t b, std::uint32_t c) const { return permuted(a, b, c); }
};

/// The selectors of each mode, indexed by the two lowest bits of the last operand.
struct PermuteMode {
  std::string_view name;
  std::uint16_t selector[4];
};
constexpr PermuteMode modes[] = {
    {"f4e", {0x3210, 0x4321, 0x5432, 0x6543}},   // forward from byte c
    {"b4e", {0x5670, 0x6701, 0x7012, 0x0123}},   // backward from byte c
    {"rc8", {0x0000, 0x1111, 0x2222, 0x3333}},   // byte c everywhere
    {"ecl", {0x3210, 0x3211, 0x3222, 0x3333}},   // clamped to the left at byte c
    {"ecr", {0x0000, 0x1110, 0x2210, 0x3210}},   // clamped to the right
    {"rc16", {0x1010, 0x3232, 0x1010, 0x3232}},  // one half twice
};
template <std::size_t Number>
struct PermuteByMode {
  std::uint32_t operator()(std::uint32_t a, std::uint32_t b, std::uint32_t c) const {
    return permuted(a, b, modes[Number].selector[c & 3u]);
  }
};
template <std::size_t... Number>
Handler mode_handler(const ptx::Instruction& instruction, std::index_sequence<Number...>) {
  Handler found = uniform<Permute, 3, std::uint32_t>();
  ((instruction.has(modes[Number].name) ? void(found = uniform<PermuteByMode<Number>, 3, std::uint32_t>()) : void()),
   ...);
  return found;
}

void lower_prmt(const ptx::Instruction& instruction, Lowering& lowering) {
  emit_lanewise(lowering, mode_handler(instruction, std::make_index_sequence<std::size(modes)>()), Type::b32,
                {Type::b32, Type::b32, Type::b32});
}

constexpr InstructionRow permute_table[] = {{"prmt", &lower_prmt}};

}  // namespace

std::span<const InstructionRow> permute_rows() { return permute_table; }

}  // namespace kiln::emulator
