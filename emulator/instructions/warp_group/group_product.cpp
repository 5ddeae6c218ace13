// wgmma.mma_async: each warp computes its 16 rows when it comes to the instruction, which is one of the orders that the
// asynchronous ones of a device may have. Sums are made as those of mma: in double, and rounded once.
#include "emulator/instructions/warp_group/group_product.hpp"

#include "emulator/instructions/matrix/matrix_element.hpp"
#include "emulator/instructions/warp/warp_parts.hpp"
#include "emulator/instructions/warp_group/group_form.hpp"
#include "emulator/machine/async_checks.hpp"
#include "emulator/machine/block.hpp"
#include "emulator/machine/group_checks.hpp"
#include "emulator/machine/host_bytes.hpp"

#include <bit>
#include <cstring>
#include <memory>
#include <string>
#include <utility>

namespace kiln::emulator {

namespace {

constexpr unsigned group_rows = 16;

// operand[0] and [1]: the descriptors of A and B; [2]: scale-d; [3]: metadata. `more`: the registers of D and A.
enum GroupOperand : unsigned { a_descriptor, b_descriptor, scale_d, metadata };

[[noreturn]] void refuse_group(unsigned lane, const std::string& what) {
  throw Fault(CUDA_ERROR_ILLEGAL_INSTRUCTION, lane, "comes to wgmma.mma_async " + what);
}

void require_whole_warp(LaneMask active) {
  if (active != all_lanes)
    refuse_group(first_lane(active),
                 "with " + std::to_string(std::popcount(active)) + " of the 32 threads of its warp");
}

std::uint64_t descriptor_of(const Step& step, const Warp& warp, GroupOperand operand) {
  const auto of_lane = [&](unsigned lane) { return warp.value<std::uint64_t>(step.operand[operand], lane); };
  for (unsigned lane = 1; lane < warp_size; ++lane)
    if (of_lane(lane) != of_lane(0))
      refuse_group(lane, "with another matrix descriptor than the first thread of its warp");
  return of_lane(0);
}

/// Lines of a matrix (rows of A, columns of B) and where its elements go.
struct LineRange {
  unsigned first, count, k;
  std::size_t line_step, k_step;
};

struct Piece {
  std::uint64_t words[2];
};

// `count` elements of the lowest bits on, each `step` after the one before.
void decode_piece(const Piece& piece, MatrixElement element, double* to, std::size_t step) {
  const unsigned bits = element_width(element), per = 64 / bits;
  const std::uint64_t mask = (std::uint64_t{1} << bits) - 1;
  for (const std::uint64_t word : piece.words)
    for (unsigned i = 0; i < per; ++i, to += step) *to = element_value(element, (word >> (bits * i)) & mask);
}

class MatrixReader {
 public:
  MatrixReader(const Step& step, Warp& warp, std::uint64_t descriptor, bool is_transposed, MatrixElement element)
      : step_(step), warp_(warp), matrix_(descriptor, is_transposed), transposed_(is_transposed), element_(element) {}

  void read(const LineRange& range, double* to) {
    const unsigned per = 8 * SharedMatrix::piece_bytes / element_width(element_);
    if (transposed_) {
      for (unsigned k = 0; k < range.k; ++k)
        for (unsigned line = 0; line < range.count; line += per)
          decode_piece(piece(k, (range.first + line) / per), element_, to + k * range.k_step + line * range.line_step,
                       range.line_step);
      return;
    }
    for (unsigned line = 0; line < range.count; ++line)
      for (unsigned k = 0; k < range.k; k += per)
        decode_piece(piece(range.first + line, k / per), element_, to + k * range.k_step + line * range.line_step,
                     range.k_step);
  }

 private:
  Piece piece(unsigned line, unsigned number) {
    const std::byte* const bytes =
        host_bytes(warp_, step_, 0, ptx::Space::shared, matrix_.piece(line, number), sizeof(Piece), Access::read, true);
    Piece piece;
    std::memcpy(&piece, bytes, sizeof(Piece));
    return piece;
  }

  const Step& step_;
  Warp& warp_;
  SharedMatrix matrix_;
  bool transposed_;
  MatrixElement element_;
};

std::vector<double> rows_of_a(const GroupForm& form, const Step& step, Warp& warp) {
  const unsigned stored = form.stored();
  std::vector<double> a;
  if (form.a_is_shared) {
    a.resize(std::size_t{group_rows} * stored);
    const unsigned first = warp.index() % Block::group_warps * group_rows;
    MatrixReader(step, warp, descriptor_of(step, warp, a_descriptor), form.transposes_a, form.a.element)
        .read({first, group_rows, stored, stored, 1}, a.data());
  } else {
    a = gathered(form.a, warp, all_lanes, step.more.last(form.a.registers));
  }
  if (form.is_negative)
    for (double& each : a) each = -each;
  return a;
}

/// Columns are adjacent.
std::vector<double> columns_of_b(const GroupForm& form, const Step& step, Warp& warp) {
  std::vector<double> b(std::size_t{form.k} * form.n);
  MatrixReader(step, warp, descriptor_of(step, warp, b_descriptor), form.transposes_b, form.b)
      .read({0, form.n, form.k, 1, form.n}, b.data());
  return b;
}

// n is a multiple of 8. A loop of that length the compiler vectorises.
void add_scaled(double factor, const double* from, unsigned n, double* sum) {
  for (unsigned first = 0; first < n; first += 8) {
#ifdef __clang__
#pragma clang loop vectorize(assume_safety)
#else
#pragma GCC ivdep
#endif
    for (unsigned i = first; i < first + 8; ++i) sum[i] += factor * from[i];
  }
}

void multiply_in_group(const Step& step, Warp& warp, LaneMask active) {
  const auto& form = *static_cast<const GroupForm*>(step.data);
  require_whole_warp(active);
  warp.block().count_group_step(warp);
  if (GroupChecks* const checks = group_checks(warp)) checks->product(warp, step);
  const AsyncScope scope(warp, AsyncKind::product);
  const std::span<const Slot> d = step.more.first(form.d.registers);
  const std::vector<double> a = rows_of_a(form, step, warp), b = columns_of_b(form, step, warp);
  std::vector<std::uint16_t> columns;
  if (form.is_sparse) columns = sparse_columns(form.a.element, form.k, warp, step.operand[metadata], form.selector);
  std::vector<double> sum(form.d.size);
  if (warp.predicate(step.operand[scale_d], 0)) sum = gathered(form.d, warp, all_lanes, d);
  const unsigned stored = form.stored();
  for (unsigned row = 0; row < group_rows; ++row)
    for (unsigned i = 0; i < stored; ++i) {
      const std::size_t at = std::size_t{row} * stored + i, k = form.is_sparse ? columns[at] : i;
      add_scaled(a[at], &b[k * form.n], form.n, &sum[std::size_t{row} * form.n]);
    }
  scatter(form.d, sum, form.saturates, warp, all_lanes, d);
}

}  // namespace

void lower_group_product(const ptx::Instruction& instruction, Lowering& lowering) {
  GroupForm form = read_group_form(lowering);
  const std::vector<ptx::Operand>& operands = instruction.operands;
  std::vector<Slot> registers;
  append_destinations(lowering, operands[0], form.d, registers);
  Slot a;
  if (form.a_is_shared)
    a = lowering.in(operands[1], ptx::Type::b64);
  else
    append_sources(lowering, operands[1], form.a, registers);
  const Slot b = lowering.in(operands[2], ptx::Type::b64);
  const Slot meta = form.is_sparse ? lowering.in(operands[3], ptx::Type::b32) : Slot{};
  const Slot scale = lowering.in(operands[form.is_sparse ? 5 : 3], ptx::Type::pred);
  Step& step = emit_by_all(lowering, &multiply_in_group, {a, b, scale, meta});
  step.more = lowering.keep(std::move(registers));
  step.data = lowering.keep_data(std::make_shared<GroupForm>(std::move(form)));
}

namespace {

// Addresses and offsets have 18 bits, of which the low four are 0.
std::uint32_t decoded(std::uint64_t descriptor, unsigned bit) {
  return static_cast<std::uint32_t>((descriptor >> bit) & 0x3FFFu) << 4;
}

// Of the swizzle of 0, 128, 64 and 32 bytes.
constexpr std::uint32_t pieces_of_swizzle[] = {1, 8, 4, 2};

}  // namespace

SharedMatrix::SharedMatrix(std::uint64_t descriptor, bool is_transposed)
    : start_(decoded(descriptor, 0)),
      lines_stride_(decoded(descriptor, 32)),
      pieces_stride_(decoded(descriptor, 16)),
      pieces_(pieces_of_swizzle[descriptor >> 62]),
      base_(static_cast<std::uint32_t>(descriptor >> 49) & 7u) {
  // Without a swizzle the leading offset is the one along k, with one the one along a line.
  if (is_transposed && pieces_ == 1) std::swap(lines_stride_, pieces_stride_);
}

std::uint32_t SharedMatrix::piece(unsigned line, unsigned number) const {
  const std::uint32_t address = start_ + line / 8 * lines_stride_ + line % 8 * pieces_ * piece_bytes +
                                number / pieces_ * pieces_stride_ + number % pieces_ * piece_bytes;
  // Swizzles exchange pieces by the address itself, not by the place in the matrix.
  const std::uint32_t row = ((address >> 7) - base_) & (pieces_ - 1);
  return address ^ row * piece_bytes;
}

}  // namespace kiln::emulator
