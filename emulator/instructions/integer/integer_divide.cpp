// Integer div and rem, as on a device: division by zero gives all ones, and the quotient that does not fit wraps.
#include "emulator/instructions/forms.hpp"
#include "emulator/instructions/integer/integer_parts.hpp"
#include "emulator/instructions/lanewise.hpp"

namespace kiln::emulator {
namespace {

struct Divide {
  static constexpr bool is_slow = true;
  template <class T>
  T operator()(T a, T b) const {
    if (b == 0) return static_cast<T>(~T{0});
    if constexpr (std::is_signed_v<T>) {
      if (b == -1) return static_cast<T>(0u - static_cast<Modular<T>>(a));
    }
    return static_cast<T>(a / b);
  }
};
struct Remainder {
  static constexpr bool is_slow = true;
  template <class T>
  T operator()(T a, T b) const {
    if (b == 0) return static_cast<T>(~T{0});
    if constexpr (std::is_signed_v<T>) {
      if (b == -1) return 0;
    }
    return static_cast<T>(a % b);
  }
};

template <class Op>
void lower_integer_divide(const ptx::Instruction&, Lowering& lowering) {
  const ptx::Type type = type_of(lowering);
  emit_lanewise(lowering, by_integer_type<Op, 2>(type), type, {type, type});
}

constexpr InstructionRow integer_divide_table[] = {{"div", &lower_integer_divide<Divide>},
                                                   {"rem", &lower_integer_divide<Remainder>}};

}  // namespace

std::span<const InstructionRow> divide_rows() { return integer_divide_table; }

}  // namespace kiln::emulator
