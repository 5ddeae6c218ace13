// Selection of one of two values: selp by a predicate, slct by a sign.
#include "emulator/instructions/comparison_parts.hpp"
#include "emulator/instructions/forms.hpp"
#include "emulator/instructions/lanewise.hpp"

#include <bit>

namespace kiln::emulator {
namespace {

using ptx::Type;

template <class T>
void select(const Step& step, Warp& warp, LaneMask active) {
  T* d = warp.out<T>(step.operand[0]);
  const T *a = warp.in<T>(step.operand[1]), *b = warp.in<T>(step.operand[2]);
  const LaneMask first = warp.mask(step.operand[3]);
  assign_lanes(active, d, [=](unsigned lane) { return (first & lane_bits[lane]) != 0 ? a[lane] : b[lane]; });
}

struct ByInteger {
  template <class T>
  T operator()(T a, T b, std::int32_t c) const {
    return c >= 0 ? a : b;
  }
};
/// NaN selects b. With .ftz a negative subnormal is a zero, which selects a.
template <bool Flush>
struct ByFloat {
  template <class T>
  T operator()(T a, T b, float c) const {
    const bool flushed = Flush && (std::bit_cast<std::uint32_t>(c) & 0x7F800000u) == 0;
    return c >= 0.0f || flushed ? a : b;
  }
};

template <class Op, class C>
Handler sign_handler(Type type) {
  switch (ptx::size_of(type)) {
    case 2:
      return lanewise_handler<Op, std::uint16_t, std::uint16_t, std::uint16_t, C>();
    case 4:
      return lanewise_handler<Op, std::uint32_t, std::uint32_t, std::uint32_t, C>();
    case 8:
      return lanewise_handler<Op, std::uint64_t, std::uint64_t, std::uint64_t, C>();
    default:
      return nullptr;
  }
}

void lower_selp(const ptx::Instruction&, Lowering& lowering) {
  const Type type = type_of(lowering);
  Handler handler = nullptr;
  if (ptx::size_of(type) == 2) handler = for_processor<&select<std::uint16_t>>();
  if (ptx::size_of(type) == 4 && type != Type::pred) handler = for_processor<&select<std::uint32_t>>();
  if (ptx::size_of(type) == 8) handler = for_processor<&select<std::uint64_t>>();
  emit_lanewise(lowering, handler, type, {type, type, Type::pred});
}

void lower_slct(const ptx::Instruction& instruction, Lowering& lowering) {
  const Type type = type_of(lowering), sign = type_of(lowering, 1);
  Handler handler = nullptr;
  if (sign == Type::s32) handler = sign_handler<ByInteger, std::int32_t>(type);
  if (sign == Type::f32)
    handler =
        instruction.has("ftz") ? sign_handler<ByFloat<true>, float>(type) : sign_handler<ByFloat<false>, float>(type);
  emit_lanewise(lowering, handler, type, {type, type, sign});
}

constexpr InstructionRow selection_table[] = {{"selp", &lower_selp}, {"slct", &lower_slct}};

}  // namespace

std::span<const InstructionRow> selection_rows() { return selection_table; }

}  // namespace kiln::emulator
