#include "toolkit/image/byte_reader.hpp"
#include "toolkit/image/code_info.hpp"
#include "toolkit/image/elf_view.hpp"
#include "toolkit/names/kernel_name.hpp"

#include <kiln/code_object.hpp>
#include <kiln/error.hpp>

#include <elf.h>

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace kiln {

namespace {

// The attribute lists that ptxas leaves in a cubin's .nv.info sections.

/// What the module-wide .nv.info section says of one symbol, -1 where it says nothing.
struct SymbolResources {
  int registers = -1;
  int frame_bytes = -1;
};

/// What a kernel's own .nv.info section says of it.
struct KernelAttributes {
  /// In order, without types.
  std::vector<Parameter> parameters;
  /// What __launch_bounds__ or __block_size__ says, -1 without one.
  int max_threads = -1;
};

enum Attribute : std::uint8_t {
  max_threads = 0x05,
  required_threads = 0x10,
  frame_size = 0x11,
  parameter_info = 0x17,
  register_count = 0x2f,
  // Where a parameter is larger than the 14 bits that the older form has for its size.
  large_parameter_info = 0x45,
};

struct Entry {
  std::uint8_t attribute = 0;
  std::string_view payload;
};

// Each entry is a format byte, an attribute byte and two bytes; in format 4 those are the size of a payload.
template <class Visit>
void for_each_entry(std::string_view section, const Visit& visit) {
  constexpr std::uint8_t sized = 4;
  std::uint64_t offset = 0;
  while (offset < section.size()) {
    const auto format = value_at<std::uint8_t>(section, offset);
    Entry entry;
    entry.attribute = value_at<std::uint8_t>(section, offset + 1);
    const auto size = value_at<std::uint16_t>(section, offset + 2);
    offset += 4;
    if (format != sized) continue;
    entry.payload = bytes_at(section, offset, size);
    offset += size;
    visit(entry);
  }
}

struct NumberedParameter {
  std::uint16_t ordinal;
  Parameter parameter;
};

NumberedParameter read_parameter(const Entry& entry) {
  NumberedParameter result;
  result.ordinal = value_at<std::uint16_t>(entry.payload, 4);
  result.parameter.offset = value_at<std::uint16_t>(entry.payload, 6);
  const auto last = value_at<std::uint32_t>(entry.payload, 8);
  // The older form packs the size above 18 bits of alignment and memory space; the newer one keeps such things
  // in its upper half (from sm_100 on).
  result.parameter.size = entry.attribute == large_parameter_info ? last & 0xffff : last >> 18;
  return result;
}

// The threads of a block whose three extents the entry holds.
int read_threads(const Entry& entry) {
  constexpr std::uint64_t limit = 0x7fffffff;
  std::uint64_t threads = 1;
  for (std::uint64_t at = 0; at < 12; at += 4) {
    threads *= value_at<std::uint32_t>(entry.payload, at);
    if (threads > limit) throw Error("the cubin is damaged: its launch bounds are wrong");
  }
  return static_cast<int>(threads);
}

// In the order of their numbers, which must have no gap.
std::vector<Parameter> in_order(std::vector<NumberedParameter> found) {
  std::sort(found.begin(), found.end(),
            [](const NumberedParameter& a, const NumberedParameter& b) { return a.ordinal < b.ordinal; });
  std::vector<Parameter> parameters;
  parameters.reserve(found.size());
  for (NumberedParameter& item : found) {
    if (item.ordinal != parameters.size()) throw Error("the cubin is damaged: its parameter list has a gap");
    parameters.push_back(std::move(item.parameter));
  }
  return parameters;
}

/// One for each of `symbol_count` symbols. Throws Error where the section is damaged.
std::vector<SymbolResources> read_symbol_resources(std::string_view nv_info, std::size_t symbol_count) {
  std::vector<SymbolResources> all(symbol_count);
  for_each_entry(nv_info, [&](const Entry& entry) {
    if (entry.attribute != register_count && entry.attribute != frame_size) return;
    const auto symbol = value_at<std::uint32_t>(entry.payload, 0);
    const auto value = value_at<std::uint32_t>(entry.payload, 4);
    if (symbol >= symbol_count || value > 0x7fffffffu) throw Error("the cubin is damaged: its resource list is wrong");
    (entry.attribute == register_count ? all[symbol].registers : all[symbol].frame_bytes) = static_cast<int>(value);
  });
  return all;
}

/// Throws Error where the section is damaged.
KernelAttributes read_kernel_attributes(std::string_view nv_info) {
  KernelAttributes attributes;
  std::vector<NumberedParameter> found;
  for_each_entry(nv_info, [&](const Entry& entry) {
    if (entry.attribute == parameter_info || entry.attribute == large_parameter_info)
      found.push_back(read_parameter(entry));
    else if (entry.attribute == max_threads || entry.attribute == required_threads)
      attributes.max_threads = read_threads(entry);
  });
  attributes.parameters = in_order(std::move(found));
  return attributes;
}

constexpr std::uint8_t kernel_bit = 0x10;             // of st_other: a kernel, not a device function
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
    if (symbol.type == STT_FUNC && (symbol.other & kernel_bit) != 0 && !is_library_kernel(symbol.name))
      info.kernels.push_back(read_kernel(cubin, symbol, resources[i]));
    else if (symbol.type == STT_OBJECT && holds_variables(cubin.elf.sections()[symbol.section]) &&
             !is_library_variable(symbol.name))
      info.globals.emplace_back(symbol.name);
  }
  return info;
}

}  // namespace kiln
