#include "emulator/instructions/warp_group/group_form.hpp"

#include "emulator/instructions/forms.hpp"

#include <algorithm>
#include <string>

namespace kiln::emulator {
namespace {

using E = MatrixElement;

bool is_any_of(E element, std::initializer_list<E> some) {
  return std::find(some.begin(), some.end(), element) != some.end();
}

// b fits a, and d both. Whether k fits a, too: a row of a is 32 bytes.
bool are_group_types(E d, E a, E b, unsigned stored) {
  if (stored * element_width(a) != 256) return false;
  switch (a) {
    case E::f16:
      return b == a && is_any_of(d, {E::f16, E::f32});
    case E::bf16:
    case E::tf32:
      return b == a && d == E::f32;
    case E::e4m3:
    case E::e5m2:
      return is_any_of(b, {E::e4m3, E::e5m2}) && is_any_of(d, {E::f16, E::f32});
    case E::s8:
    case E::u8:
      return is_any_of(b, {E::s8, E::u8}) && d == E::s32;
    case E::b1:
      return b == a && d == E::s32;
    default:
      return false;
  }
}

bool is_group_width(unsigned n, E a) {
  if (n == 0 || n > 256 || n % 8 != 0) return false;
  return !is_integer(a) || n % 16 == 0 || n == 8 || n == 24;
}

/// The operands after those of the matrices, in order.
class GroupOperands {
 public:
  GroupOperands(const Lowering& lowering, std::size_t first) : lowering_(lowering), at_(first) {}

  void skip() { ++at_; }
  std::int64_t one_of(std::int64_t first, std::int64_t second) {
    const ptx::Operand& operand = lowering_.instruction().operands.at(at_++);
    const auto value = static_cast<std::int64_t>(operand.bits);
    if (operand.kind != ptx::Operand::Kind::immediate || (value != first && value != second))
      refuse(lowering_, "Argument " + std::to_string(at_ - 1) +
                            " of instruction 'wgmma.mma_async': unexpected value '" + std::to_string(value) +
                            "', expected to be " + std::to_string(first) +
                            (first == second ? "" : " or " + std::to_string(second)));
    return value;
  }
  std::size_t next() const { return at_; }

 private:
  const Lowering& lowering_;
  std::size_t at_;
};

void read_arguments(const Lowering& lowering, GroupForm& form) {
  GroupOperands operands(lowering, 3);
  const E a = form.a.element;
  if (form.is_sparse) {
    operands.skip();
    form.selector = static_cast<unsigned>(operands.one_of(0, element_width(a) == 8 ? 0 : 1));
  }
  operands.skip();  // scale-d
  if (!is_integer(a)) {
    const std::int64_t scale_a = operands.one_of(-1, 1), scale_b = operands.one_of(-1, 1);
    form.is_negative = scale_a * scale_b < 0;
  }
  if (element_width(a) == 16) {
    if (form.a_is_shared) form.transposes_a = operands.one_of(0, 1) != 0;
    form.transposes_b = operands.one_of(0, 1) != 0;
  }
  expect_operands(lowering, operands.next());
}

}  // namespace

GroupForm read_group_form(const Lowering& lowering) {
  const ptx::Instruction& instruction = lowering.instruction();
  const std::vector<E> elements = element_types_of(instruction);
  const MatrixShape shape = matrix_shape(lowering);
  if (elements.size() != 3) refuse_types(lowering);
  const E d = elements[0], a = elements[1];
  GroupForm form;
  form.n = shape.n;
  form.k = shape.k;
  form.is_sparse = instruction.has("sp");
  form.b = elements[2];
  if (shape.m != 64 || (a == E::b1 && (form.is_sparse || !instruction.has("and"))) ||
      !are_group_types(d, a, form.b, form.stored()) || !is_group_width(form.n, a))
    refuse_types(lowering);
  form.a_is_shared = instruction.operands.at(1).kind != ptx::Operand::Kind::vector;
  form.saturates = instruction.has("satfinite");
  const MatrixShape of_warp{16, form.n, form.stored(), 1};
  form.d = mma_fragment(MatrixRole::c, of_warp, d);
  form.a = mma_fragment(MatrixRole::a, of_warp, a);
  read_arguments(lowering, form);
  return form;
}

}  // namespace kiln::emulator
