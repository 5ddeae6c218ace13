#include "compile/nvjitlink/link_symbols.hpp"

#include "compile/options/arch.hpp"
#include "toolkit/image/code_info.hpp"
#include "toolkit/image/elf_view.hpp"
#include "toolkit/image/fatbin_view.hpp"
#include "toolkit/image/ptx_scan.hpp"
#include "toolkit/names/kernel_name.hpp"

#include <elf.h>
#include <kiln/error.hpp>

#include <algorithm>
#include <iterator>

namespace kiln {

namespace {

void sort_once(std::vector<std::string>& names) {
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
}

void sort_once(LinkSymbols& symbols) {
  for (auto* names : {&symbols.defined, &symbols.shared, &symbols.undefined}) sort_once(*names);
}

/// A variable's, in relocatable cubins; in linked ones it is STT_OBJECT.
constexpr std::uint8_t stt_cuda_object = 13;

LinkSymbols symbols_of_cubin(std::string_view bytes) {
  LinkSymbols symbols;
  const ElfView elf(bytes);
  for (std::size_t i = 0; i < elf.symbol_count(); ++i) {
    const ElfSymbol symbol = elf.symbol(i);
    const bool is_weak = symbol.binding == STB_WEAK;
    if ((symbol.binding != STB_GLOBAL && !is_weak) || symbol.name.empty()) continue;
    if (symbol.section == SHN_UNDEF) {
      if (!is_weak) symbols.undefined.emplace_back(symbol.name);
    } else if (is_weak || symbol.section == SHN_COMMON) {
      symbols.shared.emplace_back(symbol.name);
    } else if (symbol.section < SHN_LORESERVE &&
               (symbol.type == STT_FUNC || symbol.type == STT_OBJECT || symbol.type == stt_cuda_object)) {
      symbols.defined.emplace_back(symbol.name);
    }
  }
  return symbols;
}

/// The name of what a statement declares: of a function the word before its parameters, behind its results; of a
/// variable the last word before its dimensions and value.
std::string_view declared_name(const PtxStatement& statement) {
  const auto is_name = [](std::string_view word) {
    return word[0] != '.' && word[0] != '(' && word[0] != ')' && word[0] != '{' && (word[0] < '0' || word[0] > '9');
  };
  const auto kind = std::find_if(statement.begin(), statement.end(),
                                 [](std::string_view word) { return word == ".func" || word == ".entry"; });
  if (kind == statement.end()) {
    std::string_view name;
    for (const std::string_view word : statement) {
      if (word == "[" || word == "=") break;
      if (is_name(word)) name = word;
    }
    return name;
  }
  int depth = 0;
  for (auto word = kind + 1; word != statement.end(); ++word) {
    depth += *word == "(" ? 1 : *word == ")" ? -1 : 0;
    if (depth == 0 && is_name(*word)) return *word;
  }
  return {};
}

void append(LinkSymbols& all, LinkSymbols more) {
  all.defined.insert(all.defined.end(), more.defined.begin(), more.defined.end());
  all.shared.insert(all.shared.end(), more.shared.begin(), more.shared.end());
  all.undefined.insert(all.undefined.end(), more.undefined.begin(), more.undefined.end());
}

/// Machine code that fits best, else PTX, as the linkers choose.
const FatbinEntry* chosen_entry(const std::vector<FatbinEntry>& entries, const std::string& arch) {
  const FatbinEntry* best = nullptr;
  for (const FatbinEntry& entry : entries) {
    if (entry.kind != FatbinEntry::cubin && entry.kind != FatbinEntry::ptx) continue;
    if (!can_serve(entry.arch, arch)) continue;
    const auto rank = [](const FatbinEntry& one) {
      return std::pair(one.kind == FatbinEntry::cubin, parse_arch(one.arch).number);
    };
    if (best == nullptr || rank(entry) > rank(*best)) best = &entry;
  }
  return best;
}

LinkSymbols symbols_of_fatbin(std::string_view bytes, const std::string& arch) {
  const std::vector<FatbinEntry> entries = fatbin_entries(bytes);
  const FatbinEntry* const entry = chosen_entry(entries, arch);
  if (entry == nullptr) return {};
  const std::string image = unpack(entry->packing, entry->bytes, entry->size);
  return entry->kind == FatbinEntry::cubin ? symbols_of_cubin(image) : symbols_of_ptx(image);
}

LinkSymbols symbols_of_object(std::string_view bytes, const std::string& arch) {
  LinkSymbols symbols;
  for (const std::string_view fatbin : fatbins_in(bytes)) append(symbols, symbols_of_fatbin(fatbin, arch));
  return symbols;
}

std::vector<LinkSymbols> read_members(const LinkInput& input, const std::string& arch) {
  if (input.type == InputType::cubin) return {symbols_of_cubin(input.bytes())};
  if (input.type == InputType::ptx) return {symbols_of_ptx(input.bytes())};
  std::vector<LinkSymbols> members;
  if (!facts_of(input.type).has_objects) return members;
  for (const std::string_view object : objects_in(input)) members.push_back(symbols_of_object(object, arch));
  return members;
}

/// Which machine code goes together, besides that of one architecture: as nvJitLink of CUDA 13.0 has it.
bool links_with(const Arch& code, const Arch& arch) {
  if (code.number == arch.number) return true;
  if (code.suffix == "a") return false;
  return (code.number == 80 && (arch.number == 86 || arch.number == 89)) || (code.number == 86 && arch.number == 89) ||
         (code.number == 120 && arch.number == 121);
}

std::vector<std::string> missing_of(LinkSymbols all) {
  sort_once(all.undefined);
  std::vector<std::string> known = {"__assertfail", "__cuda_syscall_aligned_malloc", "free", "malloc",
                                    "vprintf"};  // calls of the system
  known.insert(known.end(), all.defined.begin(), all.defined.end());
  known.insert(known.end(), all.shared.begin(), all.shared.end());
  sort_once(known);
  std::vector<std::string> missing;
  std::set_difference(all.undefined.begin(), all.undefined.end(), known.begin(), known.end(),
                      std::back_inserter(missing));
  return missing;
}

}  // namespace

LinkSymbols symbols_of_ptx(std::string_view text) {
  while (!text.empty() && text.back() == '\0') text.remove_suffix(1);
  LinkSymbols symbols;
  for (const PtxStatement& statement : scan_ptx(text)) {
    if (statement.size() < 2) continue;
    const bool is_extern = statement.front() == ".extern";
    const bool is_shared = statement.front() == ".weak" || statement.front() == ".common";
    if (!is_extern && !is_shared && statement.front() != ".visible") continue;
    // Dynamic shared memory, which the launch gives.
    if (is_extern && std::find(statement.begin(), statement.end(), ".shared") != statement.end()) continue;
    // ".visible .func f;" declares what another statement defines.
    const bool is_function = std::find(statement.begin(), statement.end(), ".func") != statement.end();
    if (!is_extern && is_function && statement.back().front() != '{') continue;
    const std::string_view name = declared_name(statement);
    if (!name.empty())
      (is_extern ? symbols.undefined : is_shared ? symbols.shared : symbols.defined).emplace_back(name);
  }
  return symbols;
}

bool gives_nothing(std::string_view ptx) try {
  const LinkSymbols symbols = symbols_of_ptx(ptx);
  const CodeInfo info = read_ptx(ptx);
  const auto is_kernel = [&](const std::string& symbol) {
    return std::any_of(info.kernels.begin(), info.kernels.end(),
                       [&](const KernelInfo& kernel) { return kernel.name == symbol; });
  };
  const auto are_kernels = [&](const std::vector<std::string>& names) {
    return std::all_of(names.begin(), names.end(), is_kernel);
  };
  return symbols.undefined.empty() && are_kernels(symbols.defined) && are_kernels(symbols.shared);
} catch (const Error&) {
  return false;  // the linker says what is wrong with it
}

std::vector<LinkSymbols> symbols_of_members(const LinkInput& input, const std::string& arch) {
  std::vector<LinkSymbols> members;
  try {
    if (input.path.empty()) members = read_members(input, arch);
  } catch (const Error&) {  // what is missing here is missing in an error's text
  }
  for (LinkSymbols& symbols : members) sort_once(symbols);
  return members;
}

LinkSymbols symbols_of(const LinkInput& input, const std::string& arch) {
  LinkSymbols all;
  for (LinkSymbols& symbols : symbols_of_members(input, arch)) append(all, std::move(symbols));
  sort_once(all);
  return all;
}

std::vector<std::string> missing_symbols(const LinkInputs& inputs, const std::string& arch) {
  LinkSymbols all;
  for (const auto& input : inputs) {
    if (!input->path.empty() || input->type == InputType::ltoir || facts_of(*input).has_ltoir) return {};
    LinkSymbols symbols = symbols_of(*input, arch);
    if (input->type == InputType::library) symbols.undefined.clear();  // whatever no one wants of it
    append(all, std::move(symbols));
  }
  return missing_of(std::move(all));
}

std::vector<std::string> missing_symbols_of_cubin(std::string_view cubin) {
  std::vector<std::string> missing = missing_of(symbols_of_cubin(cubin));
  // System calls of the device runtime, and the assembler's own symbols, such as ".nv.reservedSmem.offset0".
  std::erase_if(missing, [](const std::string& symbol) {
    return symbol.starts_with("__cuda_syscall_") || symbol.front() == '.';
  });
  return missing;
}

std::vector<std::string> missing_symbols_of_ptx(std::string_view text) {
  std::vector<std::string> missing = missing_of(symbols_of_ptx(text));
  std::erase_if(missing, [](const std::string& symbol) {
    return symbol.starts_with("cudaCDP") || symbol.starts_with("__cudaCDP2");  // of cudadevrt, which is machine code
  });
  return missing;
}

bool can_serve(const std::string& code, const std::string& arch) {
  const bool is_lto = code.starts_with("lto_");
  const Arch made = parse_arch(is_lto ? "compute_" + code.substr(4) : code);
  const Arch wanted = parse_arch(arch);
  if (made.real) return links_with(made, wanted);
  // Code that uses what only one architecture has, or one and newer ones of its family (sm_100f: sm_100, sm_103).
  if (made.suffix == "a" && (made.number != wanted.number || wanted.suffix != "a")) return false;
  if (made.suffix == "f" && made.number / 10 != wanted.number / 10) return false;
  return made.number <= wanted.number;
}

std::string readable_symbol(const std::string& symbol) {
  const std::string readable = demangle(symbol);
  return readable == symbol ? symbol : readable + " (" + symbol + ")";
}

}  // namespace kiln
