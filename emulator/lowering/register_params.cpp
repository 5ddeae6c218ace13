#include "emulator/lowering/register_params.hpp"

#include "emulator/machine/warp.hpp"

#include <cstring>

namespace kiln::emulator {
namespace {

std::byte* place_of(const Step& step, Warp& warp, unsigned lane) {
  const Frame& frame = warp.frame();
  return frame.params + std::size_t{lane} * frame.code->param_bytes + step.value;
}

void store_param_step(const Step& step, Warp& warp, LaneMask active) {
  const std::byte* const in = warp.in<std::byte>(step.operand[0]);
  const std::size_t size = step.small[0];
  each_lane(active, [&](unsigned lane) { std::memcpy(place_of(step, warp, lane), in + lane * size, size); });
}

void load_param_step(const Step& step, Warp& warp, LaneMask active) {
  std::byte* const out = warp.out<std::byte>(step.operand[0]);
  const std::size_t size = step.small[0];
  each_lane(active, [&](unsigned lane) { std::memcpy(out + lane * size, place_of(step, warp, lane), size); });
}

void emit_copy(Lowering& lowering, Handler handler, Slot slot, const ParamPlace& place) {
  Step& step = lowering.emit(handler);
  step.operand[0] = slot;
  step.small[0] = static_cast<std::uint8_t>(place.size);
  step.value = place.offset;
}

// Nothing if the function never uses it.
const ptx::Operand* register_named(const ptx::Function& function, std::string_view name, ptx::Operand& operand) {
  for (std::size_t i = 0; i < function.registers.size(); ++i) {
    if (function.registers[i].name != name) continue;
    operand.kind = ptx::Operand::Kind::reg;
    operand.type = function.registers[i].type;
    operand.index = static_cast<std::uint32_t>(i);
    return &operand;
  }
  return nullptr;
}

template <class F>
void each_register(const std::deque<ptx::Variable>& variables, const std::vector<ParamPlace>& places,
                   const ptx::Function& function, F f) {
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (variables[i].space != ptx::Space::reg) continue;
    ptx::Operand operand;
    if (register_named(function, variables[i].name, operand) != nullptr) f(operand, places[i]);
  }
}

}  // namespace

void store_param(Lowering& lowering, const ptx::Operand& operand, ptx::Type type, const ParamPlace& place) {
  emit_copy(lowering, store_param_step, lowering.in(operand, type), place);
}

void load_param(Lowering& lowering, const ptx::Operand& operand, ptx::Type type, const ParamPlace& place) {
  emit_copy(lowering, load_param_step, lowering.out(operand, type), place);
}

void load_register_params(Lowering& lowering, const Code& code) {
  const ptx::Function& function = *code.source;
  each_register(function.params, code.params, function, [&](const ptx::Operand& operand, const ParamPlace& place) {
    load_param(lowering, operand, operand.type, place);
  });
}

void store_register_returns(Lowering& lowering, const Code& code) {
  const ptx::Function& function = *code.source;
  each_register(function.returns, code.returns, function, [&](const ptx::Operand& operand, const ParamPlace& place) {
    store_param(lowering, operand, operand.type, place);
  });
}

}  // namespace kiln::emulator
