#include "toolkit/image/elf_view.hpp"

#include "toolkit/image/byte_reader.hpp"

#include <elf.h>

namespace kiln {
namespace {

[[noreturn]] void throw_damaged_elf(const char* what) { throw Error(std::string("the ELF image is damaged: ") + what); }

// The zero-terminated text at an offset of a string table.
std::string_view text_at(std::string_view table, std::uint64_t offset) {
  if (offset >= table.size()) throw_damaged_elf("a name lies outside its table");
  const std::string_view rest = table.substr(static_cast<std::size_t>(offset));
  const std::size_t end = rest.find('\0');
  if (end == std::string_view::npos) throw_damaged_elf("a name does not end");
  return rest.substr(0, end);
}

std::vector<Elf64_Shdr> section_headers(std::string_view bytes, const Elf64_Ehdr& header) {
  if (header.e_shoff == 0) return {};
  if (header.e_shentsize != sizeof(Elf64_Shdr)) throw_damaged_elf("its section headers have an unknown size");
  const auto first = value_at<Elf64_Shdr>(bytes, header.e_shoff);
  // A file with very many sections keeps their number in the first header.
  const std::uint64_t count = header.e_shnum != 0 ? header.e_shnum : first.sh_size;
  if (count > bytes.size() / sizeof(Elf64_Shdr)) throw_damaged_elf("it claims more sections than it holds");
  const std::string_view table = bytes_at(bytes, header.e_shoff, count * sizeof(Elf64_Shdr));
  std::vector<Elf64_Shdr> all(static_cast<std::size_t>(count));
  if (count != 0) std::memcpy(all.data(), table.data(), table.size());
  return all;
}

}  // namespace

ElfView::ElfView(std::string_view bytes) {
  const auto header = value_at<Elf64_Ehdr>(bytes, 0);
  if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0) throw_damaged_elf("it does not begin as one");
  if (header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_ident[EI_DATA] != ELFDATA2LSB)
    throw_damaged_elf("it is not a 64-bit little-endian one");
  bytes_at(bytes, header.e_phoff, std::uint64_t{header.e_phnum} * header.e_phentsize);
  machine_ = header.e_machine;
  file_type_ = header.e_type;
  abi_version_ = header.e_ident[EI_ABIVERSION];
  flags_ = header.e_flags;
  version_ = header.e_version;

  const std::vector<Elf64_Shdr> headers = section_headers(bytes, header);
  if (headers.empty()) return;
  const std::size_t names_index = header.e_shstrndx == SHN_XINDEX ? headers[0].sh_link : header.e_shstrndx;
  if (names_index >= headers.size()) throw_damaged_elf("the table of section names is missing");
  const std::string_view names = bytes_at(bytes, headers[names_index].sh_offset, headers[names_index].sh_size);
  sections_.reserve(headers.size());
  for (const Elf64_Shdr& raw : headers) {
    ElfSection section;
    const bool has_bytes = raw.sh_type != SHT_NOBITS && raw.sh_type != SHT_NULL;
    if (has_bytes) section.bytes = bytes_at(bytes, raw.sh_offset, raw.sh_size);
    if (raw.sh_type != SHT_NULL) section.name = text_at(names, raw.sh_name);
    section.size = raw.sh_size;
    section.type = raw.sh_type;
    section.link = raw.sh_link;
    section.info = raw.sh_info;
    sections_.push_back(section);
  }
  find_symbols();
}

void ElfView::find_symbols() {
  for (const ElfSection& section : sections_) {
    if (section.type != SHT_SYMTAB) continue;
    if (section.link >= sections_.size()) throw_damaged_elf("the table of symbol names is missing");
    symbol_names_ = sections_[section.link].bytes;
    symbols_ = section.bytes;
    return;
  }
}

std::size_t ElfView::symbol_count() const noexcept { return symbols_.size() / sizeof(Elf64_Sym); }

ElfSymbol ElfView::symbol(std::size_t index) const {
  const auto raw = value_at<Elf64_Sym>(symbols_, index * sizeof(Elf64_Sym));
  ElfSymbol symbol;
  symbol.name = text_at(symbol_names_, raw.st_name);
  symbol.size = raw.st_size;
  symbol.type = ELF64_ST_TYPE(raw.st_info);
  symbol.binding = ELF64_ST_BIND(raw.st_info);
  symbol.other = raw.st_other;
  symbol.section = raw.st_shndx;
  return symbol;
}

}  // namespace kiln
