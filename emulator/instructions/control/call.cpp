// Calls of functions by name or pointer, and of functions of the device runtime.
#include "emulator/core/addresses.hpp"
#include "emulator/core/call_error.hpp"
#include "emulator/instructions/control/control.hpp"
#include "emulator/instructions/device_runtime/builtin.hpp"
#include "emulator/lowering/code_registry.hpp"
#include "emulator/lowering/register_places.hpp"
#include "emulator/machine/code_place.hpp"
#include "emulator/machine/warp.hpp"

#include <memory>

namespace kiln::emulator {
namespace {

using OperandKind = ptx::Operand::Kind;

struct BuiltinSite {
  Builtin function;
  CallSite places;
};

void enter(const CallSite& site, const Code& callee, Warp& warp, LaneMask lanes) {
  const Frame& frame = warp.enter_frame(lanes, callee);
  pass_arguments(site, frame, lanes);
}

void call_function(const Step& step, Warp& warp, LaneMask active) {
  const CallSite& site = *static_cast<const CallSite*>(step.data);
  enter(site, *site.callee, warp, active);
}

const Code& function_at(std::uint64_t address, unsigned lane) {
  if (const Code* const code = code_at(address); code != nullptr && !code->source->is_entry) return *code;
  throw Fault(CUDA_ERROR_ILLEGAL_ADDRESS, lane, "calls a function at " + address_text(address) + ", where none is");
}

// Lanes with the same pointer call together.
void call_pointer(const Step& step, Warp& warp, LaneMask active) {
  const CallSite& site = *static_cast<const CallSite*>(step.data);
  const std::uint64_t* const addresses = warp.in<std::uint64_t>(step.operand[0]);
  while (active != 0) {
    const unsigned first = first_lane(active);
    const std::uint64_t address = addresses[first];
    const LaneMask lanes = lanes_where(active, [=](unsigned lane) { return addresses[lane] == address; });
    enter(site, function_at(address, first), warp, lanes);
    active &= ~lanes;
  }
}

void call_builtin(const Step& step, Warp& warp, LaneMask active) {
  const BuiltinSite& site = *static_cast<const BuiltinSite*>(step.data);
  BuiltinCall call{warp, active, site.places.arguments, site.places.results};
  site.function(call);
}

bool is_value(const ptx::Operand& operand) {
  return operand.kind != OperandKind::variable || operand.variable->space != ptx::Space::param;
}

// A .param variable of the caller, or allocated bytes for a register or number that is passed directly.
ParamPlace param_place(const ptx::Operand& operand, ptx::Type type, Lowering& lowering) {
  if (is_value(operand)) return lowering.param_room(static_cast<std::uint32_t>(ptx::size_of(type)));
  const VariablePlace place = lowering.place(*operand.variable);
  return {static_cast<std::uint32_t>(place.offset), static_cast<std::uint32_t>(place.size)};
}

// The parameters as the callee declares them.
struct Formals {
  std::vector<ptx::Type> params, returns;
};

template <class Variables>
std::vector<ptx::Type> types_of(const Variables& variables) {
  std::vector<ptx::Type> types;
  types.reserve(variables.size());
  for (const ptx::Variable& each : variables) types.push_back(each.type);
  return types;
}

const ptx::Function* called_function(const ptx::Instruction& call, const Lowering& lowering) {
  const ptx::Operand& callee = call.operands.at(1);
  const ptx::Function& caller = lowering.function();
  if (callee.kind == OperandKind::function) return lowering.image().module().function(callee.name);
  if (call.targets < 0) return nullptr;
  const auto& list = caller.target_lists.at(static_cast<std::size_t>(call.targets));
  return list.empty() ? nullptr : lowering.image().module().function(list.front().name);
}

Formals formals_of(const ptx::Instruction& call, const Lowering& lowering) {
  if (call.prototype >= 0) {
    const ptx::Prototype& prototype = lowering.function().prototypes.at(static_cast<std::size_t>(call.prototype));
    return {types_of(prototype.params), types_of(prototype.returns)};
  }
  const ptx::Function* const function = called_function(call, lowering);
  if (function == nullptr)
    lowering.refuse("Call to '" + std::string(call.operands.at(1).name) + "' requires call prototype");
  return {types_of(function->params), types_of(function->returns)};
}

void check_param_count(const char* what, std::size_t given, std::size_t wanted, const Lowering& lowering) {
  if (given != wanted)
    lowering.refuse("Wrong number of " + std::string(what) + " of the call: " + std::to_string(given) + " instead of " +
                    std::to_string(wanted));
}

}  // namespace

void lower_call(const ptx::Instruction& instruction, Lowering& lowering) {
  const ptx::Operand &results = instruction.operands.at(0), &callee = instruction.operands.at(1),
                     &arguments = instruction.operands.at(2);
  const Formals formals = formals_of(instruction, lowering);
  check_param_count("arguments", arguments.elements.size(), formals.params.size(), lowering);
  check_param_count("results", results.elements.size(), formals.returns.size(), lowering);
  for (const ptx::Operand* const list : {&results, &arguments})
    for (const ptx::Operand& each : list->elements)
      if (each.kind == OperandKind::vector) throw Unsupported{"vector registers as arguments of a call"};
  auto site = std::make_shared<BuiltinSite>();
  for (std::size_t i = 0; i < formals.params.size(); ++i) {
    const ptx::Operand& each = arguments.elements[i];
    site->places.arguments.push_back(param_place(each, formals.params[i], lowering));
    if (is_value(each)) store_param(lowering, each, formals.params[i], site->places.arguments.back());
  }
  for (std::size_t i = 0; i < formals.returns.size(); ++i)
    site->places.results.push_back(param_place(results.elements[i], formals.returns[i], lowering));

  if (callee.kind == OperandKind::reg) {
    const Slot pointer = lowering.in(callee, ptx::Type::u64);
    Step& step = lowering.emit(call_pointer, StepKind::control);
    step.operand[0] = pointer;
    step.data = &static_cast<const BuiltinSite*>(lowering.keep_data(site))->places;
  } else if ((site->places.callee = lowering.image().code(callee.name)) != nullptr) {
    lowering.note_callee(*site->places.callee);
    Step& step = lowering.emit(call_function, StepKind::control);
    step.data = &static_cast<const BuiltinSite*>(lowering.keep_data(site))->places;
  } else if ((site->function = builtin_named(callee.name)) != nullptr) {
    lowering.emit(call_builtin).data = lowering.keep_data(site);
  } else if (is_unsupported_builtin(callee.name)) {
    throw Unsupported{"the function " + std::string(callee.name) + " of the device runtime"};
  } else {
    throw CallError(CUDA_ERROR_INVALID_PTX,
                    "ptxas fatal   : Unresolved extern function '" + std::string(callee.name) + "'");
  }
  for (std::size_t i = 0; i < formals.returns.size(); ++i)
    if (is_value(results.elements[i]))
      load_param(lowering, results.elements[i], formals.returns[i], site->places.results[i]);
}

}  // namespace kiln::emulator
