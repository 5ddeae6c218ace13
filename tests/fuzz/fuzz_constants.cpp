// Constants that nothing uses, cut out of a cubin: what comes out is the same cubin but for them.
#include "fuzz.hpp"
#include "toolkit/image/elf_view.hpp"
#include "toolkit/image/unused_constants.hpp"

#include <elf.h>
#include <kiln/error.hpp>

#include <algorithm>
#include <string>
#include <vector>

namespace fuzz_constants {

using namespace kiln;
using namespace kiln::fuzz;

namespace {

bool is_cut(const ElfView& elf, const ElfSection& section) {
  if (section.type == SHT_SYMTAB || section.type == SHT_STRTAB) return true;
  return (section.type == SHT_REL || section.type == SHT_RELA) && section.info < elf.sections().size() &&
         elf.sections()[section.info].name == ".nv.constant4";
}

void check_same(const ElfView& before, const ElfView& after) {
  require(before.sections().size() == after.sections().size(), "no section goes");
  for (std::size_t i = 0; i < before.sections().size(); ++i) {
    const ElfSection& a = before.sections()[i];
    const ElfSection& b = after.sections()[i];
    require(a.name == b.name && a.type == b.type && a.link == b.link && a.info == b.info, "a section is the same");
    require(is_cut(before, a) || (a.size == b.size && a.bytes == b.bytes), "no code and no data changes");
  }
  require(before.symbol_count() == after.symbol_count(), "each symbol keeps its index");
}

void check_cut(std::string_view cubin, const std::vector<bool>& unused) {
  const std::string cut = without_symbols(cubin, unused);
  require(cut.size() <= cubin.size(), "nothing is added");
  if (cut == cubin) return;
  const ElfView before(cubin);
  const ElfView after(cut);
  check_same(before, after);
  for (std::size_t i = 0; i < before.symbol_count(); ++i) {
    const ElfSymbol symbol = after.symbol(i);
    const bool is_gone = symbol.name.empty() && symbol.size == 0 && symbol.section == 0;
    require(is_gone || before.symbol(i).name == symbol.name, "a symbol that stays has its name");
    require(is_gone || before.symbol(i).section == symbol.section, "and its section");
  }
}

}  // namespace

int run(const std::uint8_t* data, std::size_t size) {
  // A seed is a cubin with its PTX behind it.
  const std::string_view input = view_of(data, size);
  const std::size_t end = std::min(input.rfind("//\n// Generated"), input.size());
  const std::string_view bytes = input.substr(0, end);
  const std::string cut = without_unused_constants(std::string(bytes), input.substr(end), {});
  require(cut.size() <= bytes.size(), "nothing is added");
  try {
    const ElfView elf(bytes);
    if (cut != bytes) check_same(elf, ElfView(cut));
    // All variables go, and every second symbol, whatever it is.
    std::vector<bool> variables(elf.symbol_count());
    std::vector<bool> half(elf.symbol_count());
    for (std::size_t i = 0; i < elf.symbol_count(); ++i) {
      variables[i] = elf.symbol(i).type == STT_OBJECT;
      half[i] = i % 2 == 1;
    }
    check_cut(bytes, variables);
    check_cut(bytes, half);
  } catch (const Error&) {
  }
  return 0;
}

}  // namespace fuzz_constants
