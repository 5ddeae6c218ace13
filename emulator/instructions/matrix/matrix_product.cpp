// mma, mma.sp and wmma.mma: collects the fragments of the lanes to matrices, multiplies, and distributes the result.
// Products are exact; sums are computed in double and rounded once at the end. A device adds in another order and with
// another precision.
#include "emulator/instructions/forms.hpp"
#include "emulator/instructions/matrix/matrix_element.hpp"
#include "emulator/instructions/matrix/matrix_fragment.hpp"
#include "emulator/instructions/warp/warp_parts.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>

namespace kiln::emulator {
namespace {

enum class ProductKind : std::uint8_t { multiply, fused, differ };  // differ: the xor of single bits

struct ProductForm {
  MatrixShape shape;
  Fragment d, a, b, c;
  ProductKind product;
  bool saturate;
  bool is_sparse;     // a has half of its elements; operand[0] is the metadata
  unsigned selector;  // of the lanes that have it
};

double dot(ProductKind product, const double* a, const double* b, unsigned count, double sum) {
  switch (product) {
    case ProductKind::fused:  // f64: products are not exact
      for (unsigned i = 0; i < count; ++i) sum = std::fma(a[i], b[i], sum);
      break;
    case ProductKind::differ:
      for (unsigned i = 0; i < count; ++i) sum += a[i] != b[i] ? 1 : 0;
      break;
    default:
      for (unsigned i = 0; i < count; ++i) sum += a[i] * b[i];
  }
  return sum;
}

// `columns` of the elements of a.
void add_sparse(const MatrixShape& shape, const double* a, const std::vector<std::uint16_t>& columns, const double* b,
                double* c) {
  const unsigned stored = shape.k / 2;
  for (unsigned row = 0; row < shape.m; ++row)
    for (unsigned column = 0; column < shape.n; ++column)
      for (unsigned i = row * stored; i < (row + 1) * stored; ++i)
        c[row * shape.n + column] += a[i] * b[column * shape.k + columns[i]];
}

/// `more`: the registers of d, a, b, c.
void multiply_matrices(const Step& step, Warp& warp, LaneMask active) {
  const auto& form = *static_cast<const ProductForm*>(step.data);
  const auto [m, n, k, batch] = form.shape;
  std::span<const Slot> slots = step.more;
  const auto next = [&](const Fragment& fragment) {
    const auto first = slots.first(fragment.registers);
    slots = slots.subspan(fragment.registers);
    return first;
  };
  const std::span<const Slot> d = next(form.d);
  const std::vector<double> a = gathered(form.a, warp, active, next(form.a));
  const std::vector<double> b = gathered(form.b, warp, active, next(form.b));
  std::vector<double> c = gathered(form.c, warp, active, next(form.c));
  if (form.is_sparse) {
    const auto columns = sparse_columns(form.a.element, k, warp, step.operand[0], form.selector);
    add_sparse(form.shape, a.data(), columns, b.data(), c.data());
    return scatter(form.d, c, form.saturate, warp, active, d);
  }
  for (unsigned row = 0; row < batch * m; ++row)
    for (unsigned column = 0; column < n; ++column) {
      double& sum = c[row * n + column];
      sum = dot(form.product, &a[row * k], &b[(row / m * n + column) * k], k, sum);
    }
  scatter(form.d, c, form.saturate, warp, active, d);
}

void emit_product(const ptx::Instruction& instruction, Lowering& lowering, ProductForm form) {
  expect_operands(lowering, form.is_sparse ? 6 : 4);
  form.saturate = instruction.has("satfinite");
  form.product = form.d.element == MatrixElement::f64 ? ProductKind::fused
                 : instruction.has("xor")             ? ProductKind::differ
                                                      : ProductKind::multiply;
  std::vector<Slot> slots;
  append_destinations(lowering, instruction.operands[0], form.d, slots);
  append_sources(lowering, instruction.operands[1], form.a, slots);
  append_sources(lowering, instruction.operands[2], form.b, slots);
  append_sources(lowering, instruction.operands[3], form.c, slots);
  const Slot metadata = form.is_sparse ? lowering.in(instruction.operands[4], ptx::Type::b32) : Slot{};
  Step& step = emit_by_all(lowering, &multiply_matrices, {metadata});
  step.more = lowering.keep(std::move(slots));
  step.data = lowering.keep_data(std::make_shared<ProductForm>(std::move(form)));
}

// 16, 32 or 64 bits of metadata for a row are in one, two or four lanes of each four.
unsigned selector_of(const Lowering& lowering, const MatrixShape& shape, MatrixElement a) {
  const unsigned bits = metadata_bits(a, shape.k);
  if (shape.m != 16 || (bits != 16 && bits != 32 && bits != 64)) refuse_types(lowering);
  const ptx::Operand& selector = lowering.instruction().operands.at(5);
  if (selector.kind != ptx::Operand::Kind::immediate || selector.bits >= 64 / bits)
    refuse(lowering, "Argument 5 of instruction 'mma': unexpected sparsity selector, expected to be less than " +
                         std::to_string(64 / bits));
  return static_cast<unsigned>(selector.bits);
}

}  // namespace

void lower_mma(const ptx::Instruction& instruction, Lowering& lowering) {
  for (const std::string_view modifier : instruction.modifiers)
    if (modifier.starts_with("kind::") || modifier == "block_scale") throw Unsupported{"mma." + std::string(modifier)};
  const bool is_sparse = instruction.has("sp") || instruction.has("sp::ordered_metadata");
  const std::vector<MatrixElement> elements = element_types_of(instruction);
  const MatrixShape shape = matrix_shape(lowering);
  if (elements.size() != 4 || (shape.m != 8 && shape.m != 16) || shape.n != 8 || shape.k > 256) refuse_types(lowering);
  const MatrixElement d = elements[0], a = elements[1], b = elements[2], c = elements[3];
  ProductForm form{};
  form.is_sparse = is_sparse;
  if (is_sparse) form.selector = selector_of(lowering, shape, a);
  if (shape.m == 8 && shape.k == 4 && a == MatrixElement::f16) {
    // The first and second of the modifiers row and col are the layouts of A and B.
    std::vector<bool> by_rows;
    for (const std::string_view modifier : instruction.modifiers)
      if (modifier == "row" || modifier == "col") by_rows.push_back(modifier == "row");
    if (by_rows.size() != 2) refuse_types(lowering);
    form.shape = {8, 8, 4, 4};
    form.a = quad_fragment(MatrixRole::a, a, by_rows[0]);
    form.b = quad_fragment(MatrixRole::b, b, by_rows[1]);
    form.c = quad_fragment(MatrixRole::c, c, true);
    form.d = quad_fragment(MatrixRole::c, d, true);
  } else {
    form.shape = shape;
    form.a = mma_fragment(MatrixRole::a, {shape.m, shape.n, is_sparse ? shape.k / 2 : shape.k, 1}, a);
    form.b = mma_fragment(MatrixRole::b, shape, b);
    form.c = mma_fragment(MatrixRole::c, shape, c);
    form.d = mma_fragment(MatrixRole::c, shape, d);
    for (const Fragment* fragment : {&form.a, &form.b, &form.c, &form.d})
      if (fragment->registers == 0) refuse_types(lowering);
  }
  emit_product(instruction, lowering, std::move(form));
}

void lower_wmma_product(const ptx::Instruction& instruction, Lowering& lowering) {
  std::vector<MatrixElement> elements = element_types_of(instruction);
  // With f16 the modifiers name the types of D and C only.
  if (elements.size() == 2) elements = {elements[0], MatrixElement::f16, MatrixElement::f16, elements[1]};
  if (elements.size() != 4) refuse_types(lowering);
  const MatrixShape shape = matrix_shape(lowering);
  if (!is_wmma_shape(shape)) refuse_types(lowering);
  ProductForm form{};
  form.shape = shape;
  form.d = wmma_fragment(MatrixRole::c, shape, elements[0]);
  form.a = wmma_fragment(MatrixRole::a, shape, elements[1]);
  form.b = wmma_fragment(MatrixRole::b, shape, elements[2]);
  form.c = wmma_fragment(MatrixRole::c, shape, elements[3]);
  emit_product(instruction, lowering, std::move(form));
}

}  // namespace kiln::emulator
