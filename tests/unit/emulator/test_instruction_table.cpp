// The table of docs/emulator.md: what it says is done has a lowering, and what it says is not stops a kernel.
#include "base/files.hpp"
#include "base/text_parts.hpp"
#include "emulator/instructions/families.hpp"
#include "emulator/lowering/unsupported.hpp"
#include "run_ptx.hpp"

#include <doctest/doctest.h>

#include <map>
#include <set>
#include <string>

namespace instruction_table_test {

using namespace kiln;
using namespace kiln::emulator;

namespace {

/// The rows "| `ld.global.nc` | done | ... |": whether each is done.
std::map<std::string, bool> rows_of_page() {
  const std::string page = read_named_file(KILN_EMULATOR_PAGE);
  std::map<std::string, bool> rows;
  for (std::string_view rest = page; !rest.empty();) {
    const std::string_view line = next_line(rest);
    if (line.substr(0, 3) != "| `") continue;
    const std::size_t end = line.find("` | ");
    if (end == std::string_view::npos) continue;
    const std::string_view state = line.substr(end + 4, line.find(" |", end + 4) - end - 4);
    if (state != "done" && state != "not done") continue;
    CHECK_MESSAGE(rows.emplace(line.substr(3, end - 3), state == "done").second, line << " is there twice");
  }
  return rows;
}

LowerFunction lowering_of_name(const std::string& name) {
  ptx::Instruction instruction;
  const std::vector<std::string> parts = split(name, '.');
  instruction.opcode = parts[0];
  instruction.modifiers.assign(parts.begin() + 1, parts.end());
  return lowering_of(instruction);
}

/// For what shares its opcode with instructions that are done: one of its forms. Registers are those of elementwise().
const std::map<std::string, std::string> forms = {
    {"st.bulk", "st.bulk.shared::cta [%d1], 8, 0;"},
    {"cp.async.bulk", "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r1], [%d1], 16, [%r2];"},
    {"cp.async.bulk.prefetch", "cp.async.bulk.prefetch.L2.global [%d1], 16;"},
    {"cp.async.bulk.tensor",
     "cp.async.bulk.tensor.1d.shared::cluster.global.mbarrier::complete_tx::bytes [%r1], [%d1, {%r2}], [%r3];"},
    {"cp.async.bulk.prefetch.tensor", "cp.async.bulk.prefetch.tensor.1d.L2.global [%d1, {%r2}];"},
    {"cp.async.bulk.commit_group", "cp.async.bulk.commit_group;"},
    {"cp.async.bulk.wait_group", "cp.async.bulk.wait_group 0;"},
    {"cp.reduce.async.bulk", "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%d1], [%r1], 16;"},
    {"cp.reduce.async.bulk.tensor",
     "cp.reduce.async.bulk.tensor.1d.global.shared::cta.add.bulk_group [%d1, {%r1}], [%r2];"},
};

void check_stops(const std::string& name, const std::string& form) {
  TestModule module(elementwise(form, 4));
  const Buffer<int> memory(std::vector<int>(32));
  const LaunchOutcome outcome = module.launch("k", {1}, {32}, memory.address(), memory.address(), memory.address());
  CHECK_MESSAGE(outcome.result == CUDA_ERROR_NOT_SUPPORTED, name << ": " << outcome.report);
  CHECK_MESSAGE(outcome.report.find(split(name, '.')[0]) != std::string::npos, name << ": " << outcome.report);
}

}  // namespace

TEST_CASE("each instruction that docs/emulator.md calls done has a lowering") {
  const auto rows = rows_of_page();
  CHECK(rows.size() > 180);
  for (const auto& row : rows) {
    const std::string& name = row.first;
    CHECK_MESSAGE(is_known_opcode(split(name, '.')[0]), name << " is not of PTX");
    const bool has_lowering = lowering_of_name(name) != nullptr;
    CHECK_MESSAGE((has_lowering || !row.second), name);
  }
}

TEST_CASE("each instruction that docs/emulator.md calls not done has none, or stops a kernel") {
  for (const auto& row : rows_of_page()) {
    const std::string& name = row.first;
    if (row.second || lowering_of_name(name) == nullptr) continue;
    const auto form = forms.find(name);
    REQUIRE_MESSAGE(form != forms.end(), name << " may be done: has it a form that shows it is not?");
    check_stops(name, form->second);
  }
}

TEST_CASE("docs/emulator.md leaves no instruction out") {
  std::set<std::string> opcodes;
  for (const auto& row : rows_of_page()) opcodes.insert(split(row.first, '.')[0]);
  for (const auto family :
       {integer_rows(), logic_rows(), comparison_rows(), move_rows(), warp_rows(), float_rows(), conversion_rows(),
        memory_rows(), atomic_rows(), async_rows(), control_rows(), matrix_rows(), warp_group_rows(), texture_rows()})
    for (const InstructionRow& row : family)
      CHECK_MESSAGE(opcodes.count(std::string(row.opcode)) == 1, row.opcode << " is done, and not in the table");
}

}  // namespace instruction_table_test
