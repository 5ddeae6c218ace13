#include "toolkit/image/code_info.hpp"
#include "toolkit/image/elf_view.hpp"
#include "toolkit/image/nv_info.hpp"
#include "toolkit/names/kernel_name.hpp"

#include <elf.h>
#include <kiln/error.hpp>

#include <algorithm>
#include <unordered_map>

namespace kiln {
namespace {

constexpr std::uint64_t system_shared_bytes = 0x400;  // what sections of .nv.shared begin with from sm_90 on

// Sections by name: a large module has one of several kinds for each kernel.
using SectionIndex = std::unordered_map<std::string_view, const ElfSection*>;

SectionIndex index_sections(const ElfView& elf) {
  SectionIndex index;
  for (const ElfSection& section : elf.sections()) index.emplace(section.name, &section);
  return index;
}

const ElfSection* find(const SectionIndex& index, const std::string& name) {
  const auto found = index.find(name);
  return found == index.end() ? nullptr : found->second;
}

// CUDA 13 writes images of ABI version 8 with the architecture in the second byte; older ones have it in the first.
int compute_capability(const ElfView& elf) {
  return static_cast<int>(elf.abi_version() >= 8 ? (elf.flags() >> 8) & 0xff : elf.flags() & 0xff);
}

// "sm_90a" out of the assembler's own command line: the header has the number only.
std::string arch_suffix(const ElfView& elf, const SectionIndex& index, const std::string& arch) {
  if (elf.abi_version() < 8) return (elf.flags() & 0x800) != 0 ? "a" : "";
  const ElfSection* note = find(index, ".note.nv.tkinfo");
  if (note == nullptr) return {};
  const std::string wanted = "-arch " + arch;
  const std::size_t at = note->bytes.find(wanted);
  if (at == std::string_view::npos) return {};
  const std::string_view suffix = note->bytes.substr(at + wanted.size(), 1);
  return suffix == "a" || suffix == "f" ? std::string(suffix) : std::string();
}

int shared_bytes(const ElfSection* section, int capability) {
  if (section == nullptr) return 0;
  const std::uint64_t reserved = capability >= 90 ? std::min(system_shared_bytes, section->size) : 0;
  return static_cast<int>(std::min<std::uint64_t>(section->size - reserved, 0x7fffffff));
}

// What the driver reports: a block's registers come out of one file, by the warp in steps of 256, and four warps go
// together. `bound` is negative without launch bounds.
int max_threads_for(int registers, int capability, int bound) {
  constexpr int warp = 32;
  constexpr int device_limit = 1024;
  const int file = capability == 53 || capability == 62 ? 32768 : 65536;
  const int of_warp = (std::clamp(registers, 1, 256) * warp + 255) / 256 * 256;
  const int by_registers = std::min(file / of_warp / 4 * 4 * warp, device_limit);
  return bound < 0 ? by_registers : std::min(bound, by_registers);
}

bool holds_variables(const ElfSection& section) {
  return section.name.starts_with(".nv.global") || section.name.starts_with(".nv.constant3");
}

struct Cubin {
  ElfView elf;
  SectionIndex index;
  int capability;
  std::string arch;
  int constant_bytes;  // of the whole module, which is what the driver reports for each kernel
};

KernelInfo read_kernel(const Cubin& cubin, const ElfSymbol& symbol, const SymbolResources& resources) {
  KernelInfo kernel;
  kernel.name = std::string(symbol.name);
  int bound = -1;
  if (const ElfSection* info = find(cubin.index, ".nv.info." + kernel.name)) {
    KernelAttributes attributes = read_kernel_attributes(info->bytes);
    kernel.parameters = std::move(attributes.parameters);
    bound = attributes.max_threads;
  }
  kernel.registers = resources.registers;
  const ElfSection& text = cubin.elf.sections()[symbol.section];
  if (kernel.registers < 0) kernel.registers = static_cast<int>(text.info >> 24);
  kernel.shared_bytes = shared_bytes(find(cubin.index, ".nv.shared." + kernel.name), cubin.capability);
  kernel.local_bytes = std::max(resources.frame_bytes, 0);
  kernel.constant_bytes = cubin.constant_bytes;
  kernel.max_threads_per_block = max_threads_for(kernel.registers, cubin.capability, bound);
  kernel.architectures = {cubin.arch};
  add_readable_name(kernel);
  return kernel;
}

}  // namespace

CodeInfo read_cubin(std::string_view bytes) {
  Cubin cubin{ElfView(bytes), {}, 0, {}, 0};
  cubin.index = index_sections(cubin.elf);
  cubin.capability = compute_capability(cubin.elf);
  if (const ElfSection* constants = find(cubin.index, ".nv.constant3"))
    cubin.constant_bytes = static_cast<int>(std::min<std::uint64_t>(constants->size, 0x7fffffff));

  cubin.arch = "sm_" + std::to_string(cubin.capability);
  cubin.arch += arch_suffix(cubin.elf, cubin.index, cubin.arch);
  CodeInfo info;
  info.arch = cubin.arch;
  const ElfSection* module_info = find(cubin.index, ".nv.info");
  const std::vector<SymbolResources> resources =
      read_symbol_resources(module_info != nullptr ? module_info->bytes : std::string_view(), cubin.elf.symbol_count());
  for (std::size_t i = 0; i < cubin.elf.symbol_count(); ++i) {
    const ElfSymbol symbol = cubin.elf.symbol(i);
    if (symbol.section == SHN_UNDEF || symbol.section >= cubin.elf.sections().size()) continue;
    if (is_kernel(symbol) && !is_library_kernel(symbol.name))
      info.kernels.push_back(read_kernel(cubin, symbol, resources[i]));
    else if (symbol.type == STT_OBJECT && holds_variables(cubin.elf.sections()[symbol.section]) &&
             !is_library_variable(symbol.name))
      info.globals.emplace_back(symbol.name);
  }
  return info;
}

}  // namespace kiln
