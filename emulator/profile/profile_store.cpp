#include "emulator/profile/profile_store.hpp"

#include "base/escaped_text.hpp"
#include "base/fork_safe_instance.hpp"
#include "emulator/machine/code_place.hpp"
#include "emulator/profile/instruction_kind.hpp"

#include <algorithm>

namespace kiln::emulator {
namespace {

// Programs that make kernels in a loop do not use up the memory, and reports can be read.
constexpr std::size_t most_entries = 1000, most_rows = 100'000, most_sampled_entries = 50;

bool same_size(const Dim3& a, const Dim3& b) { return a.x == b.x && a.y == b.y && a.z == b.z; }

std::string stated_space_text(const ptx::Instruction& instruction) {
  for (const std::string_view modifier : instruction.modifiers) {
    const std::string_view name = modifier.substr(0, modifier.find("::"));
    if (name == "const") return "constant";
    if (name == "global" || name == "shared" || name == "local" || name == "param") return std::string(name);
  }
  return "generic";
}

std::uint64_t stated_bytes(const ptx::Instruction& instruction) {
  if (instruction.modifiers.empty()) return 0;
  const std::uint64_t values = instruction.has("v8") ? 8 : instruction.has("v4") ? 4 : instruction.has("v2") ? 2 : 1;
  return values * ptx::size_of(ptx::type_named(instruction.modifiers.back()));
}

std::optional<StatedAccess> stated_access(const ptx::Instruction& instruction) {
  const std::string_view opcode = instruction.opcode;
  if (instruction.has("commit_group") || instruction.has("wait_group") || instruction.has("wait_all"))
    return std::nullopt;
  StatedAccess access{stated_space_text(instruction), "load", 0};
  if (opcode == "ld" || opcode == "ldu" || opcode == "st" || opcode == "atom" || opcode == "red")
    access.bytes = stated_bytes(instruction);
  else if (opcode != "ldmatrix" && opcode != "stmatrix" && opcode != "cp" && opcode != "mbarrier")
    return std::nullopt;
  if (opcode == "st" || opcode == "stmatrix") access.operation = "store";
  if (opcode == "atom" || opcode == "red" || opcode == "mbarrier") access.operation = "atomic";
  if (opcode == "cp") access.operation = "copy";
  if (waits_at_mbarrier(instruction)) access.operation = "load";
  return access;
}

void add_samples(InstructionCounts& row, const StepEvents& events) {
  row.firsts.insert(row.firsts.end(), events.firsts.begin(), events.firsts.end());
  if (events.worst && (!row.worst || events.worst->units > row.worst->units)) row.worst = events.worst;
}

}  // namespace

ProfileStore& ProfileStore::get() { return fork_safe_instance<ProfileStore>(); }

LaunchEntry* ProfileStore::begin(const LaunchRequest& request, bool& is_sampled) {
  const ptx::Module& module = *request.kernel->code->module;
  std::unique_lock lock(mutex_);
  add_resources(module, lock);
  return entry_for(request, program_of(module), is_sampled);
}

// ptxas takes a while: other launches do not wait for it.
void ProfileStore::add_resources(const ptx::Module& module, std::unique_lock<std::mutex>& lock) {
  ProfiledProgram& program = programs_[program_of(module)];
  if (program.was_launched) return;
  program.was_launched = true;
  program.resources.missing = "it was still being compiled";
  lock.unlock();
  ProgramResources resources = program_resources(module);
  lock.lock();
  programs_[program_of(module)].resources = std::move(resources);
}

LaunchEntry* ProfileStore::entry_for(const LaunchRequest& request, std::size_t program, bool& is_sampled) {
  const Kernel& kernel = *request.kernel;
  for (LaunchEntry& each : entries_) {
    if (each.program != program || each.kernel != kernel.name || !same_size(each.grid, request.grid) ||
        !same_size(each.block, request.block) || each.dynamic_shared != request.shared_bytes ||
        each.cooperative != request.cooperative)
      continue;
    is_sampled = false;
    return &each;
  }
  if (entries_.size() >= most_entries || rows_ >= most_rows) {
    ++omitted_;
    return nullptr;
  }
  is_sampled = entries_.size() < most_sampled_entries;
  LaunchEntry& made = entries_.emplace_back();
  made.program = program;
  made.kernel = kernel.name;
  made.grid = request.grid;
  made.block = request.block;
  made.static_shared = kernel.static_shared;
  made.dynamic_shared = request.shared_bytes;
  made.local_bytes = kernel.local_bytes;
  made.cooperative = request.cooperative;
  return &made;
}

void ProfileStore::end(LaunchEntry& entry, const std::vector<std::unique_ptr<CoreCounts>>& cores, bool failed) {
  const std::lock_guard lock(mutex_);
  ++entry.launches;
  entry.failed += failed ? 1 : 0;
  for (const auto& core : cores) {
    entry.busiest.take(core->busiest);
    for (const auto& [code, counts] : core->codes) add_code(entry, counts);
    if (!entry.trace.empty()) continue;
    entry.is_trace_cut = core->is_trace_cut;
    for (const TraceStep& step : core->trace)
      if (program_of(*step.code->module) == entry.program)
        entry.trace.push_back({&row_of(entry, *step.code, step.instruction), step.lanes, step.active});
  }
}

void ProfileStore::add_code(LaunchEntry& entry, const CodeCounts& counts) {
  // A function of another module, called by its pointer: the entry's text does not have it.
  if (program_of(*counts.code->module) != entry.program) return;
  const auto& instructions = counts.code->source->instructions;
  for (std::size_t i = 0; i < counts.steps.size(); ++i) {
    const StepCounts& step = counts.steps[i];
    const std::uint32_t number = counts.code->steps[i].instruction;
    if ((step.warps == 0 && step.events == nullptr) || number >= instructions.size()) continue;
    InstructionCounts& row = row_of(entry, *counts.code, number);
    if (step.events != nullptr) {
      row.counters.add(step.events->counters);
      add_samples(row, *step.events);
    }
    row.counters[Counter::inst_executed] += step.warps;
    row.counters[Counter::thread_inst_executed] += step.lanes;
    row.counters[Counter::thread_inst_executed_true] += step.active;
    if (may_diverge(instructions[number])) {
      row.counters[Counter::branches] += step.warps;
      row.counters[Counter::branches_divergent] += step.divergent;
    }
    const Flops flops = flops_of(instructions[number]);
    row.counters[flops.counter] += flops.count * (flops.of_warp ? step.warps : step.active);
  }
}

InstructionCounts& ProfileStore::row_of(LaunchEntry& entry, const Code& code, std::uint32_t instruction) {
  // The key is a part of the program's text, which is kept: the code's own may go.
  auto function = entry.functions.find(code.source->name);
  if (function == entry.functions.end()) {
    const std::string& kept = *programs_[entry.program].text;
    const std::size_t at = kept.find(code.source->name);
    const std::string_view name =
        at == kept.npos ? std::string_view() : std::string_view(kept).substr(at, code.source->name.size());
    function = entry.functions.try_emplace(name).first;
  }
  const auto row = function->second.find(instruction);
  if (row != function->second.end()) return row->second;
  ++rows_;
  return function->second.emplace(instruction, made_row(entry, code, instruction)).first->second;
}

InstructionCounts ProfileStore::made_row(const LaunchEntry& entry, const Code& code, std::uint32_t instruction) const {
  InstructionCounts row;
  row.function = code.source->name;
  if (instruction >= code.source->instructions.size()) return row;
  const ptx::Instruction& source = code.source->instructions[instruction];
  row.ptx_line = source.line;
  row.text = instruction_text(code, instruction);
  row.kind = kind_of(source);
  row.shape = shape_of_branch(*code.source, instruction);
  row.access = stated_access(source);
  const auto& sources = programs_[entry.program].sources;
  std::int32_t next = source.location;
  // In a wrong table the places may form a cycle.
  for (std::size_t depth = 0; next >= 0 && depth < 64; ++depth) {
    const ptx::Location& location = code.module->locations.at(static_cast<std::size_t>(next));
    const auto file = sources.find(location.file);
    if (file != sources.end() && location.line != 0) row.places.push_back({file->second, location.line});
    next = location.inlined_at;
  }
  return row;
}

std::size_t ProfileStore::program_of(const ptx::Module& module) {
  auto& [known, number] = known_texts_[module.text.get()];
  if (!known.expired()) return number;
  known = module.text;
  const auto same = std::find_if(programs_.begin(), programs_.end(),
                                 [&](const ProfiledProgram& each) { return *each.text == *module.text; });
  number = static_cast<std::size_t>(same - programs_.begin());
  if (same != programs_.end()) return number;
  ProfiledProgram made;
  made.text = module.text;
  made.target = module.target;
  made.version = std::to_string(module.version_major) + "." + std::to_string(module.version_minor);
  for (const auto& [file, name] : module.files) made.sources[file] = source_of(name, *module.text);
  programs_.push_back(std::move(made));
  return number;
}

std::size_t ProfileStore::source_of(const std::string& name, std::string_view ptx) {
  std::optional<std::string> text = embedded_source(ptx, name);
  const auto same = std::find_if(sources_.begin(), sources_.end(),
                                 [&](const ProfiledSource& each) { return each.name == name && each.text == text; });
  if (same != sources_.end()) return static_cast<std::size_t>(same - sources_.begin());
  sources_.push_back({name, std::move(text)});
  return sources_.size() - 1;
}

void ProfileStore::clear() {
  const std::lock_guard lock(mutex_);
  entries_.clear();
  sources_.clear();
  programs_.clear();
  known_texts_.clear();
  omitted_ = 0;
  rows_ = 0;
}

}  // namespace kiln::emulator
