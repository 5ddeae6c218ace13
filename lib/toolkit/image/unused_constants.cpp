#include "toolkit/image/unused_constants.hpp"

#include "toolkit/image/byte_reader.hpp"
#include "toolkit/image/elf_view.hpp"
#include "toolkit/names/kernel_name.hpp"

#include <kiln/error.hpp>

#include <elf.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
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

namespace {

constexpr std::uint16_t cuda_machine = 190;      // EM_CUDA
constexpr std::uint32_t address_relocation = 2;  // R_CUDA_64: the 64-bit address of a symbol
constexpr std::string_view address_table = ".nv.constant4";

// What ptxas writes for sm_75 to sm_90, by type: .nv.info, .nv.callgraph, .nv.rel.action and .nv.compat are the last.
bool is_known_type(std::uint32_t type) {
  constexpr std::array<std::uint32_t, 12> known = {SHT_NULL,   SHT_PROGBITS,   SHT_SYMTAB,       SHT_STRTAB,
                                                   SHT_RELA,   SHT_REL,        SHT_NOTE,         SHT_NOBITS,
                                                   SHT_LOPROC, SHT_LOPROC + 1, SHT_LOPROC + 0xb, SHT_LOPROC + 0x86};
  return std::find(known.begin(), known.end(), type) != known.end();
}

// Code, data, and what -lineinfo adds. Debug information (-G) is not among them.
bool is_known_content(std::string_view name) {
  constexpr std::array<std::string_view, 8> known = {
      ".text.",      ".nv.constant", ".nv.global.init",     ".debug_frame",
      ".debug_line", ".debug_str",   ".nv_debug_line_sass", ".nv_debug_ptx_txt"};
  return std::any_of(known.begin(), known.end(), [&](std::string_view prefix) { return name.starts_with(prefix); });
}

bool is_relocations(std::uint32_t type) { return type == SHT_REL || type == SHT_RELA; }

struct Part {
  std::uint64_t offset = 0;
  std::uint64_t size = 0;
  std::uint64_t end() const { return offset + size; }
};

template <class T>
std::vector<T> table_at(std::string_view bytes, std::uint64_t offset, std::size_t count) {
  const std::string_view table = bytes_at(bytes, offset, count * sizeof(T));
  std::vector<T> all(count);
  if (count != 0) std::memcpy(all.data(), table.data(), table.size());
  return all;
}

template <class T>
void write_at(std::string& bytes, std::uint64_t offset, const T& value) {
  std::memcpy(bytes.data() + offset, &value, sizeof value);
}

class SymbolCut {
 public:
  SymbolCut(std::string_view bytes, std::vector<bool> unused)
      : elf_(bytes), bytes_(bytes), unused_(std::move(unused)), header_(value_at<Elf64_Ehdr>(bytes_, 0)) {
    unused_.resize(elf_.symbol_count());
  }

  /// False where the bytes are to stay.
  bool run() {
    if (!read_layout()) return false;
    keep_what_is_used();
    if (std::find(unused_.begin(), unused_.end(), true) == unused_.end()) return false;
    if (!write_symbols()) return false;
    drop_relocations();
    return close_holes();
  }

  std::string take() { return std::move(bytes_); }

 private:
  bool read_layout();
  std::vector<Part> parts_of_file() const;  // by their offsets, and without the segments, which hold some of them
  bool overlaps() const;
  void keep_what_is_used();
  bool write_symbols();
  void drop_relocations();
  bool close_holes();

  template <class Visit>  // of the section's index, the relocation's offset in the file, its type and its symbol
  void for_each_relocation(const Visit& visit) const;
  bool is_of_addresses(const Elf64_Shdr& section) const {
    return section.sh_info < elf_.sections().size() && elf_.sections()[section.sh_info].name == address_table;
  }
  void shrink(Elf64_Shdr& section, std::uint64_t size);

  ElfView elf_;
  std::string bytes_;  // becomes the result
  std::vector<bool> unused_;
  Elf64_Ehdr header_;
  std::vector<Elf64_Shdr> sections_;
  std::vector<Elf64_Phdr> segments_;
  std::size_t symbols_ = 0;  // the symbol table's and the name table's places among the sections
  std::size_t names_ = 0;
  std::uint64_t alignment_ = 16;  // that every part of the file keeps
  std::vector<Part> holes_;
};

std::vector<Part> SymbolCut::parts_of_file() const {
  std::vector<Part> parts = {{0, sizeof header_},
                             {header_.e_shoff, sections_.size() * sizeof(Elf64_Shdr)},
                             {header_.e_phoff, segments_.size() * sizeof(Elf64_Phdr)}};
  for (const Elf64_Shdr& section : sections_)
    parts.push_back(
        {section.sh_offset, section.sh_type == SHT_NOBITS || section.sh_type == SHT_NULL ? 0 : section.sh_size});
  std::sort(parts.begin(), parts.end(), [](const Part& a, const Part& b) { return a.offset < b.offset; });
  return parts;
}

bool SymbolCut::overlaps() const {
  std::uint64_t end = 0;
  for (const Part& part : parts_of_file()) {
    if (part.size == 0) continue;
    if (part.offset < end) return true;
    end = part.end();
  }
  return false;
}

bool SymbolCut::read_layout() {
  if (header_.e_machine != cuda_machine || header_.e_type != ET_EXEC || header_.e_ehsize != sizeof header_)
    return false;
  if (header_.e_shnum == 0 || header_.e_shnum != elf_.sections().size()) return false;
  if (header_.e_phnum != 0 && header_.e_phentsize != sizeof(Elf64_Phdr)) return false;
  sections_ = table_at<Elf64_Shdr>(bytes_, header_.e_shoff, header_.e_shnum);
  segments_ = table_at<Elf64_Phdr>(bytes_, header_.e_phoff, header_.e_phnum);
  std::uint64_t alignment = alignment_;
  for (std::size_t i = 0; i < sections_.size(); ++i) {
    const Elf64_Shdr& section = sections_[i];
    if (!is_known_type(section.sh_type)) return false;
    if (section.sh_type == SHT_PROGBITS && !is_known_content(elf_.sections()[i].name)) return false;
    if (section.sh_type == SHT_SYMTAB) {
      if (symbols_ != 0 || section.sh_size % sizeof(Elf64_Sym) != 0) return false;
      symbols_ = i;
      names_ = section.sh_link;
    }
    alignment = std::max(alignment, section.sh_addralign);
  }
  if (symbols_ == 0 || names_ == 0 || names_ == header_.e_shstrndx || sections_[names_].sh_type != SHT_STRTAB)
    return false;
  for (std::size_t i = 0; i < sections_.size(); ++i) {
    const Elf64_Shdr& section = sections_[i];
    if (section.sh_link == names_ && i != symbols_) return false;
    if (!is_relocations(section.sh_type)) continue;
    const std::uint64_t size = section.sh_type == SHT_REL ? sizeof(Elf64_Rel) : sizeof(Elf64_Rela);
    if (section.sh_link != symbols_ || section.sh_size % size != 0) return false;
  }
  for (const Elf64_Phdr& segment : segments_) alignment = std::max(alignment, segment.p_align);
  alignment_ = alignment;
  return alignment <= 4096 && (alignment & (alignment - 1)) == 0 && !overlaps();
}

template <class Visit>
void SymbolCut::for_each_relocation(const Visit& visit) const {
  for (std::size_t i = 0; i < sections_.size(); ++i) {
    const Elf64_Shdr& section = sections_[i];
    if (!is_relocations(section.sh_type)) continue;
    const std::uint64_t size = section.sh_type == SHT_REL ? sizeof(Elf64_Rel) : sizeof(Elf64_Rela);
    for (std::uint64_t at = section.sh_offset; at < section.sh_offset + section.sh_size; at += size) {
      const auto relocation = value_at<Elf64_Rel>(bytes_, at);  // the front of an Elf64_Rela, too
      visit(i, at, static_cast<std::uint32_t>(ELF64_R_TYPE(relocation.r_info)),
            static_cast<std::uint32_t>(ELF64_R_SYM(relocation.r_info)));
    }
  }
}

void SymbolCut::keep_what_is_used() {
  const auto keep = [&](std::uint32_t symbol) {
    if (symbol < unused_.size()) unused_[symbol] = false;
  };
  for_each_relocation([&](std::size_t section, std::uint64_t, std::uint32_t type, std::uint32_t symbol) {
    if (!is_of_addresses(sections_[section]) || type != address_relocation) keep(symbol);
  });
  for (const ElfSection& section : elf_.sections()) {  // .nv.callgraph is pairs of symbols
    if (section.type != SHT_LOPROC + 1) continue;
    for (std::size_t at = 0; at + 4 <= section.bytes.size(); at += 4) keep(value_at<std::uint32_t>(section.bytes, at));
  }
}

// As ptxas itself leaves a symbol that it took back: nothing but this visibility.
bool SymbolCut::write_symbols() {
  Elf64_Sym none = {};
  none.st_other = STV_INTERNAL;
  std::string names(1, '\0');
  for (std::size_t i = 0; i < unused_.size(); ++i) {
    const std::uint64_t at = sections_[symbols_].sh_offset + i * sizeof(Elf64_Sym);
    auto symbol = value_at<Elf64_Sym>(bytes_, at);
    if (unused_[i]) symbol = none;
    const std::string_view name = unused_[i] ? std::string_view() : elf_.symbol(i).name;
    symbol.st_name = name.empty() ? 0 : static_cast<Elf64_Word>(names.size());
    if (!name.empty()) names.append(name).push_back('\0');
    write_at(bytes_, at, symbol);
  }
  Elf64_Shdr& table = sections_[names_];
  if (names.size() > table.sh_size) return false;  // its names shared their ends
  std::copy(names.begin(), names.end(), bytes_.begin() + static_cast<std::ptrdiff_t>(table.sh_offset));
  shrink(table, names.size());
  return true;
}

void SymbolCut::shrink(Elf64_Shdr& section, std::uint64_t size) {
  const std::uint64_t freed = (section.sh_size - size) / alignment_ * alignment_;
  std::fill_n(bytes_.begin() + static_cast<std::ptrdiff_t>(section.sh_offset + size), section.sh_size - size, '\0');
  if (freed != 0) holes_.push_back({section.sh_offset + size, freed});
  section.sh_size = size;
}

void SymbolCut::drop_relocations() {
  for (Elf64_Shdr& section : sections_) {
    if (!is_relocations(section.sh_type) || !is_of_addresses(section)) continue;
    const std::uint64_t size = section.sh_type == SHT_REL ? sizeof(Elf64_Rel) : sizeof(Elf64_Rela);
    std::uint64_t end = section.sh_offset;
    for (std::uint64_t at = section.sh_offset; at < section.sh_offset + section.sh_size; at += size) {
      const auto symbol = ELF64_R_SYM(value_at<Elf64_Rel>(bytes_, at).r_info);
      if (symbol < unused_.size() && unused_[symbol]) continue;
      std::memmove(bytes_.data() + end, bytes_.data() + at, size);
      end += size;
    }
    shrink(section, end - section.sh_offset);
  }
}

// Each hole is a multiple of the greatest alignment, so that all after it stays aligned.
bool SymbolCut::close_holes() {
  std::sort(holes_.begin(), holes_.end(), [](const Part& a, const Part& b) { return a.offset < b.offset; });
  const auto is_apart = [&](const Part& part) {
    return std::all_of(holes_.begin(), holes_.end(),
                       [&](const Part& hole) { return part.end() <= hole.offset || part.offset >= hole.end(); });
  };
  const auto moved = [&](std::uint64_t offset) {
    std::uint64_t before = 0;
    for (const Part& hole : holes_) before += hole.offset < offset ? hole.size : 0;
    return offset - before;
  };
  const std::vector<Part> parts = parts_of_file();
  const auto is_segment_apart = [&](const Elf64_Phdr& segment) {
    return is_apart({segment.p_offset, segment.p_filesz});
  };
  if (!std::all_of(parts.begin(), parts.end(), is_apart) ||
      !std::all_of(segments_.begin(), segments_.end(), is_segment_apart))
    return false;

  for (std::size_t i = 0; i < sections_.size(); ++i) {
    sections_[i].sh_offset = moved(sections_[i].sh_offset);
    write_at(bytes_, header_.e_shoff + i * sizeof(Elf64_Shdr), sections_[i]);
  }
  for (std::size_t i = 0; i < segments_.size(); ++i) {
    segments_[i].p_offset = moved(segments_[i].p_offset);
    write_at(bytes_, header_.e_phoff + i * sizeof(Elf64_Phdr), segments_[i]);
  }
  header_.e_shoff = moved(header_.e_shoff);
  header_.e_phoff = moved(header_.e_phoff);
  write_at(bytes_, 0, header_);
  for (std::size_t i = holes_.size(); i-- > 0;)
    bytes_.erase(static_cast<std::size_t>(holes_[i].offset), static_cast<std::size_t>(holes_[i].size));
  return true;
}

}  // namespace

std::string without_symbols(std::string_view cubin, std::vector<bool> unused) {
  SymbolCut cut(cubin, std::move(unused));
  return cut.run() ? cut.take() : std::string(cubin);
}

}  // namespace kiln
