#include "emulator/lowering/frame_layout.hpp"

#include "emulator/core/addresses.hpp"
#include "emulator/core/call_error.hpp"
#include "emulator/lowering/register_places.hpp"
#include "emulator/lowering/shared_layout.hpp"
#include "emulator/machine/block.hpp"
#include "toolkit/names/kernel_name.hpp"

#include <cuda.h>

#include <algorithm>
#include <string>
#include <vector>

namespace kiln::emulator {

namespace {

constexpr std::uint64_t frame_limit = std::uint64_t{1} << 30;
constexpr std::uint64_t local_limit = 512 * 1024;  // per thread, as on hardware

[[noreturn]] void refuse_size(const ptx::Function& function, const char* what) {
  throw CallError(CUDA_ERROR_INVALID_PTX,
                  "the function '" + demangle(std::string(function.name)) + "' has too large " + what);
}

std::uint64_t lay_out_registers(Code& code) {
  const std::uint64_t end = place_registers(code);
  if (end > frame_limit) refuse_size(*code.source, "registers");
  return end;
}

std::map<const ptx::Variable*, std::uint64_t> lay_out_locals(Code& code) {
  std::map<const ptx::Variable*, std::uint64_t> places;
  std::uint64_t offset = 0;
  for (const ptx::Variable& each : code.source->variables) {
    if (each.space != ptx::Space::local) continue;
    places[&each] = offset = aligned(offset, alignment_of(each));
    offset += each.size;
  }
  code.local_bytes = static_cast<std::uint32_t>(aligned(offset, 16));
  return places;
}

std::map<const ptx::Variable*, std::uint64_t> lay_out_params(const Code& code, std::uint64_t& end) {
  const ptx::Function& source = *code.source;
  // The parameters of a kernel are in the launch's buffer.
  auto places = lay_out_call_params(source, source.is_entry ? 0 : code.param_bytes, end);
  for (std::size_t i = 0; i < code.params.size(); ++i) places[&source.params[i]] = code.params[i].offset;
  for (std::size_t i = 0; i < code.returns.size(); ++i) places[&source.returns[i]] = code.returns[i].offset;
  if (end > local_limit) refuse_size(source, "parameters");
  return places;
}

}  // namespace

FrameLayout lay_out_frame(Code& code) {
  FrameLayout layout;
  layout.register_end = lay_out_registers(code);
  layout.locals = lay_out_locals(code);
  layout.params = lay_out_params(code, layout.param_end);
  return layout;
}

namespace {

struct Mentions {
  const ptx::Variable* variable;
  std::size_t first, last;  // instructions
};

class MentionFinder {
 public:
  explicit MentionFinder(const ptx::Function& function) {
    for (std::size_t i = 0; i < function.instructions.size(); ++i)
      for (const ptx::Operand& operand : function.instructions[i].operands) look(operand, i);
    for (const ptx::Variable& own : function.params) forget(own);
    for (const ptx::Variable& own : function.returns) forget(own);
  }

  std::vector<Mentions> all;  // by first mention

 private:
  void look(const ptx::Operand& operand, std::size_t instruction) {
    if (operand.kind == ptx::Operand::Kind::variable && operand.variable->space == ptx::Space::param) {
      const auto [known, is_new] = index_.try_emplace(operand.variable, all.size());
      if (is_new) all.push_back({operand.variable, instruction, instruction});
      all[known->second].last = instruction;
    }
    for (const ptx::Operand& each : operand.elements) look(each, instruction);
  }

  void forget(const ptx::Variable& variable) {
    all.erase(std::remove_if(all.begin(), all.end(), [&](const Mentions& each) { return each.variable == &variable; }),
              all.end());
  }

  std::map<const ptx::Variable*, std::size_t> index_;
};

}  // namespace

std::map<const ptx::Variable*, std::uint64_t> lay_out_call_params(const ptx::Function& function, std::uint64_t begin,
                                                                  std::uint64_t& end) {
  std::map<const ptx::Variable*, std::uint64_t> offsets;
  struct Placed {
    std::size_t last;
    ByteRange range;
  };
  std::vector<Placed> placed;
  end = begin;
  for (const Mentions& each : MentionFinder(function).all) {
    placed.erase(std::remove_if(placed.begin(), placed.end(), [&](const Placed& old) { return old.last < each.first; }),
                 placed.end());
    std::vector<ByteRange> taken = {{0, begin}};
    for (const Placed& other : placed) taken.push_back(other.range);
    const ByteRange range{first_fit(each.variable->size, alignment_of(*each.variable), std::move(taken)),
                          each.variable->size};
    offsets[each.variable] = range.offset;
    placed.push_back({each.last, range});
    end = std::max(end, range.end());
  }
  return offsets;
}

namespace {

void set_all(const Step& step, Warp& warp, LaneMask active, std::uint64_t base) {
  const std::uint64_t value = base + static_cast<std::uint64_t>(step.value);
  if (step.small[0] == 8) {
    std::uint64_t* const out = warp.out<std::uint64_t>(step.operand[0]);
    each_lane(active, [=](unsigned lane) { out[lane] = value; });
  } else {
    std::uint32_t* const out = warp.out<std::uint32_t>(step.operand[0]);
    each_lane(active, [=](unsigned lane) { out[lane] = static_cast<std::uint32_t>(value); });
  }
}

}  // namespace

void negate_predicate(const Step& step, Warp& warp, LaneMask active) {
  warp.set_mask(step.operand[0], active, ~warp.mask(step.operand[1]));
}

void add_dynamic_shared(const Step& step, Warp& warp, LaneMask active) {
  set_all(step, warp, active, warp.block().dynamic_shared_offset());
}

void add_local_base(const Step& step, Warp& warp, LaneMask active) {
  set_all(step, warp, active, warp.frame().local_base);
}

}  // namespace kiln::emulator
