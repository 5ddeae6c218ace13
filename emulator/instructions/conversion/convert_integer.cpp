// cvt between integers, and between registers of different sizes.
#include "emulator/instructions/conversion/conversion.hpp"
#include "emulator/instructions/conversion/convert_handlers.hpp"
#include "emulator/machine/wide_vectors.hpp"

namespace kiln::emulator {
namespace {

/// Stored in Step::small, so its members are single bytes.
struct IntegerMode {
  IntegerType to, from;
  bool sat = false;
};

template <class From, class To>
void convert(const Step& step, Warp& warp, LaneMask active) {
  const auto mode = std::bit_cast<IntegerMode>(step.small);
  To* result = warp.out<To>(step.operand[0]);
  const From* from = warp.in<From>(step.operand[1]);
  each_lane_apart(active, [=](unsigned lane) {
    std::uint64_t value = extended(from[lane], mode.from);
    if (mode.sat) value = saturated(mode.from.is_signed && (value >> 63) != 0, value, mode.to);
    result[lane] = static_cast<To>(extended(value, mode.to));
  });
}

template <class From>
struct FromRegister {
  template <class To>
  static constexpr Handler handler = convert<From, To>;
};

// From is the source's type, To an unsigned one of the destination's size: both fill their registers.
template <class From, class To>
void convert_whole(const Step& step, Warp& warp, LaneMask active) {
  const From* const from = warp.in<From>(step.operand[1]);
  assign_lanes(active, warp.out<To>(step.operand[0]), [=](unsigned lane) { return static_cast<To>(from[lane]); });
}

template <class From>
Handler whole_handler(unsigned to_size) {
  switch (to_size) {
    case 2:
      return for_processor<&convert_whole<From, std::uint16_t>>();
    case 4:
      return for_processor<&convert_whole<From, std::uint32_t>>();
    case 8:
      return for_processor<&convert_whole<From, std::uint64_t>>();
    default:
      return nullptr;
  }
}

// The usual conversions; null for others.
Handler usual_handler(unsigned from_size, unsigned to_size, const IntegerMode& mode) {
  if (mode.sat || mode.from.bits != 8 * from_size || mode.to.bits != 8 * to_size) return nullptr;
  const bool extends_sign = mode.from.is_signed && to_size > from_size;
  switch (from_size) {
    case 2:
      return extends_sign ? whole_handler<std::int16_t>(to_size) : whole_handler<std::uint16_t>(to_size);
    case 4:
      return extends_sign ? whole_handler<std::int32_t>(to_size) : whole_handler<std::uint32_t>(to_size);
    case 8:
      return whole_handler<std::uint64_t>(to_size);
    default:
      return nullptr;
  }
}

Handler integer_handler(unsigned from_size, unsigned to_size) {
  switch (from_size) {
    case 1:
      return by_size<FromRegister<std::uint8_t>>(to_size);
    case 2:
      return by_size<FromRegister<std::uint16_t>>(to_size);
    case 4:
      return by_size<FromRegister<std::uint32_t>>(to_size);
    default:
      return by_size<FromRegister<std::uint64_t>>(to_size);
  }
}

void emit_integer(Lowering& lowering, Slot to, unsigned to_size, Slot from, unsigned from_size,
                  const IntegerMode& mode) {
  const Handler usual = usual_handler(from_size, to_size, mode);
  Step& step = lowering.emit(usual != nullptr ? usual : integer_handler(from_size, to_size));
  step.operand[0] = to;
  step.operand[1] = from;
  set_small(step, mode);
}

IntegerType bits_of_size(unsigned size) { return {static_cast<std::uint8_t>(8 * size), false}; }

}  // namespace

bool read_integer_type(std::string_view spelling, IntegerType& type) {
  const ptx::Type named = ptx::type_named(spelling);
  if (named == ptx::Type::none || (spelling[0] != 'u' && spelling[0] != 's') || ptx::size_of(named) > 8) return false;
  type = {static_cast<std::uint8_t>(8 * ptx::size_of(named)), spelling[0] == 's'};
  return true;
}

bool lower_integer_conversion(const Conversion& conversion, Lowering& lowering) {
  IntegerMode mode;
  if (!read_integer_type(conversion.to, mode.to) || !read_integer_type(conversion.from, mode.from)) return false;
  mode.sat = conversion.mode.sat;
  unsigned from_size = 0, to_size = 0;
  const auto& operands = conversion.instruction.operands;
  const Slot from = lowering.in_any(operands[1], ptx::type_named(conversion.from), from_size);
  const Slot to = lowering.out_any(operands[0], ptx::type_named(conversion.to), to_size);
  emit_integer(lowering, to, to_size, from, from_size, mode);
  return true;
}

Slot in_of_size(Lowering& lowering, const ptx::Operand& operand, ptx::Type type) {
  const auto size = static_cast<unsigned>(ptx::size_of(type));
  unsigned register_size = 0;
  const Slot from = lowering.in_any(operand, type, register_size);
  if (register_size == size) return from;
  const Slot scratch = lowering.scratch(size);
  emit_integer(lowering, scratch, size, from, register_size, {bits_of_size(size), bits_of_size(register_size)});
  return scratch;
}

OutOfSize::OutOfSize(Lowering& lowering, const ptx::Operand& operand, ptx::Type type)
    : size_(static_cast<unsigned>(ptx::size_of(type))), register_(lowering.out_any(operand, type, register_size_)) {
  slot_ = register_size_ == size_ ? register_ : lowering.scratch(size_);
}

void OutOfSize::finish(Lowering& lowering) const {
  if (register_size_ == size_) return;
  emit_integer(lowering, register_, register_size_, slot_, size_, {bits_of_size(register_size_), bits_of_size(size_)});
}

}  // namespace kiln::emulator
