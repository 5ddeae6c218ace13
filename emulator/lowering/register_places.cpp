#include "emulator/lowering/register_places.hpp"

#include "emulator/core/addresses.hpp"
#include "emulator/core/settings.hpp"
#include "emulator/machine/warp.hpp"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <limits>
#include <map>
#include <queue>
#include <string_view>
#include <utility>
#include <vector>

namespace kiln::emulator {

namespace {

using NamedKind = ptx::Operand::Kind;

// Instructions that write the whole of the registers in their first operand, for each thread that comes to them, and
// read only the others.
constexpr std::string_view plain_opcodes[] = {
    "abs",      "activemask", "add",  "addc",  "and",  "atom",  "bfe",   "bfi",  "bfind", "brev",     "clz",   "cnot",
    "copysign", "cos",        "cvt",  "cvta",  "div",  "dp2a",  "dp4a",  "ex2",  "fma",   "isspacep", "ld",    "ldu",
    "lg2",      "lop3",       "mad",  "mad24", "madc", "match", "max",   "min",  "mov",   "mul",      "mul24", "neg",
    "not",      "or",         "popc", "prmt",  "rcp",  "rem",   "rsqrt", "sad",  "selp",  "set",      "setp",  "shf",
    "shfl",     "shl",        "shr",  "sin",   "slct", "sqrt",  "sub",   "subc", "tanh",  "testp",    "vote",  "xor"};

bool is_plain(const ptx::Instruction& instruction) {
  return instruction.guard < 0 && !instruction.operands.empty() &&
         std::binary_search(std::begin(plain_opcodes), std::end(plain_opcodes), instruction.opcode);
}

/// From the first to the last instruction that names a register.
struct Life {
  static constexpr std::uint32_t never = std::numeric_limits<std::uint32_t>::max();
  std::uint32_t first = never, last = 0;
  bool is_local = true;  // begins with a write, and no jump leads between the instructions
};

class Lives {
 public:
  explicit Lives(const ptx::Function& function) : function_(function), lives_(function.registers.size()) {
    for (const auto* variables : {&function.params, &function.returns})
      for (const ptx::Variable& each : *variables)
        if (each.reg >= 0) lives_[static_cast<std::uint32_t>(each.reg)].is_local = false;
    find_targets();
    for (now_ = 0; now_ < function.instructions.size(); ++now_) {
      if (is_target_[now_]) ++part_;
      look_at(function.instructions[now_]);
    }
    for (const auto& targets : function.target_lists)
      for (const ptx::Operand& each : targets) name(each, false);
  }

  const Life& operator[](std::size_t reg) const { return lives_[reg]; }

 private:
  void find_targets() {
    is_target_.resize(function_.instructions.size() + 1);
    for (const auto& [label, index] : function_.labels) is_target_[index] = true;
    for (const ptx::Instruction& each : function_.instructions)
      for (const ptx::Operand& operand : each.operands) find_target(operand);
    for (const auto& targets : function_.target_lists)
      for (const ptx::Operand& operand : targets) find_target(operand);
    parts_.resize(lives_.size());
  }
  void find_target(const ptx::Operand& operand) {
    if (operand.kind == NamedKind::label) is_target_[operand.index] = true;
    for (const ptx::Operand& each : operand.elements) find_target(each);
  }

  void look_at(const ptx::Instruction& instruction) {
    const bool plain = is_plain(instruction);
    if (instruction.guard >= 0) name_register(static_cast<std::uint32_t>(instruction.guard), false);
    // Sources first: a register may be both.
    for (std::size_t i = plain ? 1 : 0; i < instruction.operands.size(); ++i) name(instruction.operands[i], false);
    if (plain) name(instruction.operands[0], true);
  }
  void name(const ptx::Operand& operand, bool is_written) {
    if (operand.kind == NamedKind::reg) name_register(operand.index, is_written);
    const bool within = is_written && (operand.kind == NamedKind::vector || operand.kind == NamedKind::pair);
    for (const ptx::Operand& each : operand.elements) name(each, within);
  }
  void name_register(std::uint32_t reg, bool is_written) {
    Life& life = lives_[reg];
    if (life.first == Life::never) {
      life.first = now_;
      parts_[reg] = part_;
      life.is_local = life.is_local && is_written;
    }
    life.is_local = life.is_local && parts_[reg] == part_;
    life.last = now_;
  }

  const ptx::Function& function_;
  std::vector<Life> lives_;
  std::vector<std::uint32_t> parts_;  // of each register: number of the part of the code that it is named in
  std::vector<bool> is_target_;
  std::uint32_t part_ = 0, now_ = 0;
};

/// Places of one size, reused when the life of their register has ended.
class SharedPlacesOfSize {
 public:
  std::uint64_t take(const Life& life, std::uint64_t size, std::uint64_t& end) {
    std::uint64_t place = end;
    if (!used_.empty() && used_.top().first < life.first) {
      place = used_.top().second;
      used_.pop();
    } else {
      end += size;
    }
    used_.emplace(life.last, place);
    return place;
  }

 private:
  using Used = std::pair<std::uint32_t, std::uint64_t>;  // last instruction, place
  std::priority_queue<Used, std::vector<Used>, std::greater<>> used_;
};

}  // namespace

std::uint64_t place_registers(Code& code) {
  const ptx::Function& source = *code.source;
  const Lives lives(source);
  code.registers.resize(source.registers.size());
  const auto is_predicate = [&](std::size_t reg) { return source.registers[reg].type == ptx::Type::pred; };
  const auto size_of = [&](std::size_t reg) {
    return aligned(ptx::size_of(source.registers[reg].type) * warp_size, register_alignment);
  };
  // A trace shows what a register holds before it is written, which is zero at first.
  const bool may_share = !Settings::get().trace;
  std::uint64_t end = 0;
  std::vector<std::size_t> sharing;
  // Predicates first, because they are small.
  for (const bool predicates : {true, false}) {
    end = aligned(end, register_alignment);
    for (std::size_t reg = 0; reg < source.registers.size(); ++reg) {
      if (is_predicate(reg) != predicates) continue;
      if (may_share && !predicates && lives[reg].is_local && lives[reg].first != Life::never) {
        sharing.push_back(reg);
        continue;
      }
      code.registers[reg] = static_cast<std::uint32_t>(end);
      end += predicates ? sizeof(LaneMask) : size_of(reg);
    }
  }
  end = aligned(end, register_alignment);
  code.zeroed_bytes = static_cast<std::uint32_t>(end);
  std::sort(sharing.begin(), sharing.end(),
            [&](std::size_t a, std::size_t b) { return lives[a].first < lives[b].first; });
  std::map<std::uint64_t, SharedPlacesOfSize> places;
  for (const std::size_t reg : sharing)
    code.registers[reg] = static_cast<std::uint32_t>(places[size_of(reg)].take(lives[reg], size_of(reg), end));
  return end;
}

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
