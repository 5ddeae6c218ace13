#include "toolkit/image/unused_constants.hpp"

#include "toolkit/image/elf_symbol_cut.hpp"
#include "toolkit/image/elf_view.hpp"
#include "toolkit/names/kernel_name.hpp"

#include <elf.h>
#include <kiln/error.hpp>

#include <algorithm>
#include <cstddef>
#include <unordered_map>

namespace kiln {
namespace {

constexpr std::string_view mangled = "_Z";

bool is_constant_of_library(const ElfView& elf, const ElfSymbol& symbol) {
  if (symbol.type != STT_OBJECT || symbol.binding != STB_LOCAL || symbol.section >= elf.sections().size()) return false;
  const std::string_view section = elf.sections()[symbol.section].name;
  return (section == ".nv.global" || section == ".nv.global.init") && symbol.name.starts_with(mangled) &&
         is_library_variable(symbol.name);
}

bool is_ptx_name_char(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '$';
}

struct Constant {
  std::size_t symbol;
  std::size_t mentions = 0;  // in the PTX; too many where two symbols have the name
};
using Constants = std::unordered_map<std::string_view, Constant>;

void count_mentions(std::string_view ptx, Constants& constants) {
  for (std::size_t at = ptx.find(mangled); at != std::string_view::npos; at = ptx.find(mangled, at)) {
    std::size_t end = at;
    while (end < ptx.size() && is_ptx_name_char(ptx[end])) ++end;
    const bool begins_name = at == 0 || !is_ptx_name_char(ptx[at - 1]);
    if (const auto found = constants.find(ptx.substr(at, end - at)); begins_name && found != constants.end())
      ++found->second.mentions;
    at = end;
  }
}

std::string cut(const std::string& cubin, std::string_view ptx, const std::vector<std::string>& wanted) {
  const ElfView elf(cubin);
  Constants constants;
  for (std::size_t i = 0; i < elf.symbol_count(); ++i)
    if (const ElfSymbol symbol = elf.symbol(i); is_constant_of_library(elf, symbol))
      if (const auto [other, added] = constants.try_emplace(symbol.name, Constant{i}); !added)
        other->second.mentions = 2;
  for (const std::string& name : wanted) constants.erase(name);
  if (constants.empty()) return cubin;
  count_mentions(ptx, constants);
  std::vector<bool> unused(elf.symbol_count());
  for (const auto& [name, constant] : constants) unused[constant.symbol] = constant.mentions == 1;
  return without_symbols(cubin, std::move(unused));
}

}  // namespace

std::string without_unused_constants(std::string cubin, std::string_view ptx, const std::vector<std::string>& wanted) {
  try {
    return cut(cubin, ptx, wanted);
  } catch (const Error&) {  // a form that the readers do not know may still load and run
    return cubin;
  }
}

}  // namespace kiln
