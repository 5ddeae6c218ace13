#include "emulator/machine/trace.hpp"

#include "base/printable_text.hpp"
#include "emulator/core/settings.hpp"
#include "emulator/machine/block.hpp"
#include "emulator/machine/code_place.hpp"
#include "toolkit/names/kernel_name.hpp"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <optional>

namespace kiln::emulator {
namespace {

bool is_at(const std::vector<std::uint64_t>& wanted, const Dim3& place, std::uint64_t number) {
  if (wanted.size() == 1) return wanted[0] == number;
  return wanted[0] == place.x && wanted[1] == place.y && wanted[2] == place.z;
}

std::string indices_text(const std::vector<std::uint64_t>& place) {
  std::string text;
  for (const std::uint64_t number : place) text += (text.empty() ? "" : ",") + std::to_string(number);
  return text;
}

std::uint64_t number_in(const Dim3& place, const Dim3& size) {
  return place.x + std::uint64_t{size.x} * (place.y + std::uint64_t{size.y} * place.z);
}

template <class T>
T lane_value(const std::byte* registers, std::uint32_t offset, unsigned lane) {
  T value;
  std::memcpy(&value, registers + offset + lane * sizeof(T), sizeof(T));
  return value;
}

std::string number_text(std::uint64_t value) {
  char text[32];
  std::snprintf(text, sizeof(text), value < 1'000'000 ? "%llu" : "0x%llx", static_cast<unsigned long long>(value));
  return text;
}

std::string float_text(double value) {
  char text[40];
  std::snprintf(text, sizeof(text), "%.9g", value);
  return text;
}

// Registers that hold floats are often declared as bits, so the type is the instruction's.
std::string value_text(const ptx::Register& source, std::string_view type, const std::byte* registers,
                       std::uint32_t offset, unsigned lane) {
  switch (ptx::size_of(source.type)) {
    case 1:
      return number_text(lane_value<std::uint8_t>(registers, offset, lane));
    case 2:
      return number_text(lane_value<std::uint16_t>(registers, offset, lane));
    case 4:
      if (source.type == ptx::Type::pred)
        return (lane_value<LaneMask>(registers, offset, 0) >> lane & 1) != 0 ? "true" : "false";
      if (source.type == ptx::Type::f32 || type == "f32") return float_text(lane_value<float>(registers, offset, lane));
      return number_text(lane_value<std::uint32_t>(registers, offset, lane));
    case 8:
      if (source.type == ptx::Type::f64 || type == "f64")
        return float_text(lane_value<double>(registers, offset, lane));
      return number_text(lane_value<std::uint64_t>(registers, offset, lane));
    default:
      return "...";
  }
}

bool is_type(std::string_view modifier) {
  constexpr std::string_view kinds = "bsuf", digits = "0123456789";
  return modifier.size() > 1 && kinds.find(modifier[0]) != kinds.npos && digits.find(modifier[1]) != digits.npos;
}

// The type that the instruction takes this operand as: a conversion names the type of the result, then that of the
// source.
std::string_view type_of_operand(const ptx::Instruction& instruction, std::size_t number) {
  if (instruction.operands[number].kind == ptx::Operand::Kind::address) return {};
  const auto& all = instruction.modifiers;
  if (number == 0) {
    const auto first = std::find_if(all.begin(), all.end(), is_type);
    return first == all.end() ? std::string_view() : *first;
  }
  const auto last = std::find_if(all.rbegin(), all.rend(), is_type);
  return last == all.rend() ? std::string_view() : *last;
}

struct TracedRegister {
  std::uint32_t index;
  std::string_view type;
};

void add_registers(const ptx::Operand& operand, std::string_view type, std::vector<TracedRegister>& found) {
  const auto is_known = [&](const TracedRegister& each) { return each.index == operand.index; };
  if (operand.kind == ptx::Operand::Kind::reg && std::none_of(found.begin(), found.end(), is_known))
    found.push_back({operand.index, type});
  for (const ptx::Operand& each : operand.elements) add_registers(each, type, found);
}

void write_line(const std::string& line) { std::fputs((printable_text(line) + "\n").c_str(), stderr); }

}  // namespace

std::unique_ptr<Trace> Trace::make_if_enabled(const Warp& warp) {
  const std::optional<TracedThread>& wanted = Settings::get().trace;
  if (!wanted) return nullptr;
  const Block& block = warp.block();
  const LaunchRequest& request = block.request();
  if (!names_function(wanted->kernel, request.kernel->name)) return nullptr;
  if (!is_at(wanted->block, block.index(), number_in(block.index(), request.grid))) return nullptr;
  for (unsigned lane = 0; lane < warp_size; ++lane) {
    if ((warp.live() >> lane & 1) == 0 || !is_at(wanted->thread, block.thread(warp, lane), warp.thread_number(lane)))
      continue;
    write_line("trace of " + demangle(request.kernel->name) + ", block " + indices_text(wanted->block) + ", thread " +
               indices_text(wanted->thread));
    return std::make_unique<Trace>(lane);
  }
  return nullptr;
}

void Trace::step(const Group& group, LaneMask active) {
  if ((group.lanes >> lane_ & 1) == 0) return;
  const std::uint32_t step = group.pc - 1;
  const Code& code = *group.frame->code;
  // An instruction may have several steps.
  const bool goes_on = code_ == &code && registers_ == group.frame->registers && step == step_ + 1 &&
                       code.steps[step].instruction == code.steps[step_].instruction;
  if (!goes_on) {
    end();
    step_ = step;
    begin(group, (active >> lane_ & 1) != 0);
  }
  step_ = step;
}

void Trace::begin(const Group& group, bool active) {
  code_ = group.frame->code;
  registers_ = group.frame->registers;
  active_ = active;
  values_.clear();
  const std::uint32_t number = code_->steps[step_].instruction;
  const auto& all = code_->source->instructions;
  if (number >= all.size()) return;
  const ptx::Instruction& instruction = all[number];
  std::vector<TracedRegister> found;
  for (std::size_t i = 0; i < instruction.operands.size(); ++i)
    add_registers(instruction.operands[i], type_of_operand(instruction, i), found);
  if (instruction.guard >= 0) found.push_back({static_cast<std::uint32_t>(instruction.guard), {}});
  for (const TracedRegister& each : found) {
    const ptx::Register& source = code_->source->registers[each.index];
    const std::uint32_t offset = code_->registers[each.index];
    values_.push_back({&source, offset, each.type, value_text(source, each.type, registers_, offset, lane_)});
  }
}

void Trace::end() {
  if (code_ == nullptr) return;
  const std::uint32_t number = code_->steps[step_].instruction;
  const std::vector<std::string> places = source_places(*code_, number);
  const std::string source = places.empty() ? std::string() : places.front();
  if (!source.empty() && source != source_) write_line(source);
  source_ = source;
  std::string line = "    " + instruction_text(*code_, number);
  if (!active_) line += "  (not done)";
  const char* separator = "    // ";
  for (const Value& each : values_) {
    const std::string after = value_text(*each.source, each.type, registers_, each.offset, lane_);
    line += separator + std::string(each.source->name) + " = " + each.before;
    if (after != each.before) line += " -> " + after;
    separator = ", ";
  }
  write_line(line);
  code_ = nullptr;
}

}  // namespace kiln::emulator
