// The table of docs/emulator.md: what it says is done has a lowering, and what it says is not has none.
#include "base/files.hpp"
#include "base/text_parts.hpp"
#include "emulator/instructions/families.hpp"
#include "emulator/lowering/unsupported.hpp"

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

}  // namespace

TEST_CASE("each instruction that docs/emulator.md calls done has a lowering, and no other") {
  const auto rows = rows_of_page();
  CHECK(rows.size() > 180);
  for (const auto& row : rows) {
    const std::string& name = row.first;
    CHECK_MESSAGE(is_known_opcode(split(name, '.')[0]), name << " is not of PTX");
    CHECK_MESSAGE((lowering_of_name(name) != nullptr) == row.second, name);
  }
}

TEST_CASE("docs/emulator.md leaves no instruction out") {
  std::set<std::string> opcodes;
  for (const auto& row : rows_of_page()) opcodes.insert(split(row.first, '.')[0]);
  for (const auto family : {integer_rows(), logic_rows(), comparison_rows(), move_rows(), warp_rows(), float_rows(),
                            conversion_rows(), memory_rows(), atomic_rows(), async_rows(), bulk_rows(), control_rows(),
                            matrix_rows(), warp_group_rows(), texture_rows()})
    for (const InstructionRow& row : family)
      CHECK_MESSAGE(opcodes.count(std::string(row.opcode)) == 1, row.opcode << " is done, and not in the table");
}

}  // namespace instruction_table_test
