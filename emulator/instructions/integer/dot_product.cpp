// Dot products of bytes: dp4a (four by four bytes), dp2a (two halves by two bytes), with a 32-bit sum that wraps.
#include "emulator/instructions/forms.hpp"
#include "emulator/instructions/integer/integer_parts.hpp"
#include "emulator/instructions/lanewise.hpp"

namespace kiln::emulator {
namespace {

using ptx::Type;

/// A and B are the element types. The elements of b begin at its byte `First`.
template <class A, class B, unsigned First>
struct Dot {
  std::uint32_t operator()(std::uint32_t a, std::uint32_t b, std::uint32_t c) const {
    constexpr unsigned count = 4 / sizeof(A), a_bits = 8 * sizeof(A);
    for (unsigned i = 0; i < count; ++i) {
      const int left = static_cast<A>(a >> (a_bits * i));
      const int right = static_cast<B>(b >> (8 * (First + i)));
      c += static_cast<std::uint32_t>(left * right);
    }
    return c;
  }
};

template <class SignedA, unsigned First>
Handler dot_handler(Type a, Type b) {
  using UnsignedA = std::make_unsigned_t<SignedA>;
  if (a == Type::s32)
    return b == Type::s32 ? uniform<Dot<SignedA, std::int8_t, First>, 3, std::uint32_t>()
                          : uniform<Dot<SignedA, std::uint8_t, First>, 3, std::uint32_t>();
  return b == Type::s32 ? uniform<Dot<UnsignedA, std::int8_t, First>, 3, std::uint32_t>()
                        : uniform<Dot<UnsignedA, std::uint8_t, First>, 3, std::uint32_t>();
}

void lower_dot_product(const ptx::Instruction& instruction, Lowering& lowering) {
  const Type a = type_of(lowering), b = type_of(lowering, 1);
  Handler handler = nullptr;
  if (instruction.opcode == "dp4a")
    handler = dot_handler<std::int8_t, 0>(a, b);
  else if (instruction.has("lo"))
    handler = dot_handler<std::int16_t, 0>(a, b);
  else if (instruction.has("hi"))
    handler = dot_handler<std::int16_t, 2>(a, b);
  emit_lanewise(lowering, handler, Type::b32, {Type::b32, Type::b32, Type::b32});
}

constexpr InstructionRow dot_product_table[] = {{"dp4a", &lower_dot_product}, {"dp2a", &lower_dot_product}};

}  // namespace

std::span<const InstructionRow> dot_rows() { return dot_product_table; }

}  // namespace kiln::emulator
