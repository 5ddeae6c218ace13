#include "fake_image.hpp"

#include "toolkit/image/elf_view.hpp"
#include "toolkit/image/ptx_scan.hpp"

#include <elf.h>
#include <kiln/error.hpp>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstring>

namespace fake_cuda {
namespace {

template <class T>
T peek(const char* at) {
  T value;
  std::memcpy(&value, at, sizeof value);
  return value;
}

std::size_t number_in(std::string_view text) {
  std::size_t value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

// Where the last section or header table of an ELF image ends.
std::size_t elf_size(const char* code) {
  const auto header = peek<Elf64_Ehdr>(code);
  std::uint64_t end = std::max(header.e_shoff + std::uint64_t{header.e_shnum} * sizeof(Elf64_Shdr),
                               header.e_phoff + std::uint64_t{header.e_phnum} * sizeof(Elf64_Phdr));
  for (unsigned i = 0; i < header.e_shnum; ++i) {
    const auto section = peek<Elf64_Shdr>(code + header.e_shoff + i * sizeof(Elf64_Shdr));
    if (section.sh_type != SHT_NOBITS) end = std::max<std::uint64_t>(end, section.sh_offset + section.sh_size);
  }
  return static_cast<std::size_t>(end);
}

// The bytes that a symbol's section has for it; none where it begins as zeros.
std::string initial_bytes(const kiln::ElfView& elf, std::size_t index) {
  for (const kiln::ElfSection& table : elf.sections()) {
    if (table.type != SHT_SYMTAB) continue;
    const auto symbol = peek<Elf64_Sym>(table.bytes.data() + index * sizeof(Elf64_Sym));
    const kiln::ElfSection& section = elf.sections()[symbol.st_shndx];
    if (section.type == SHT_NOBITS || symbol.st_value + symbol.st_size > section.bytes.size()) return {};
    return std::string(section.bytes.substr(symbol.st_value, symbol.st_size));
  }
  return {};
}

Image read_elf(const char* code) {
  const std::string_view bytes(code, elf_size(code));
  Image image;
  image.info = kiln::read_cubin(bytes);
  const kiln::ElfView elf(bytes);
  constexpr std::uint8_t managed_bit = 4;
  for (std::size_t i = 0; i < elf.symbol_count(); ++i) {
    const kiln::ElfSymbol symbol = elf.symbol(i);
    if (symbol.type != STT_OBJECT || symbol.section == 0 || symbol.section >= elf.sections().size()) continue;
    const std::string_view section = elf.sections()[symbol.section].name;
    if (section.substr(0, 10) != ".nv.global" && section.substr(0, 13) != ".nv.constant3") continue;
    image.variables[std::string(symbol.name)] = {static_cast<std::size_t>(symbol.size),
                                                 (symbol.other & managed_bit) != 0, initial_bytes(elf, i)};
  }
  return image;
}

std::size_t variable_size(const kiln::PtxStatement& words) {
  std::size_t size = 0;
  for (std::size_t i = 0; i < words.size() && words[i] != "="; ++i) {
    const std::string_view word = words[i];
    const bool type = word.size() > 2 && word[0] == '.' && std::strchr("bsuf", word[1]) != nullptr;
    if (type && word[2] >= '0' && word[2] <= '9') size = number_in(word.substr(2)) / 8;
    if (word == "[" && i + 1 < words.size()) size *= number_in(words[i + 1]);
  }
  return size;
}

// Of an array of bytes; others begin as zeros here.
std::string initial_bytes(std::string_view text, const std::string& name) {
  std::string bytes;
  const std::size_t at = text.find(" .b8 " + name + "[");
  const std::size_t end = at == text.npos ? at : text.find(';', at);
  if (end == text.npos) return bytes;
  std::string_view values = text.substr(at, end - at);
  const std::size_t brace = values.find('{');
  if (brace == values.npos) return bytes;
  for (values.remove_prefix(brace + 1); !values.empty();) {
    const std::size_t digit = values.find_first_of("0123456789");
    if (digit == values.npos) break;
    values.remove_prefix(digit);
    bytes.push_back(static_cast<char>(number_in(values)));
    values.remove_prefix(std::min(values.find_first_not_of("0123456789"), values.size()));
  }
  return bytes;
}

Image read_text(std::string_view text) {
  Image image;
  image.is_ptx = true;
  image.info = kiln::read_ptx(text);
  for (const kiln::PtxStatement& words : kiln::scan_ptx(text))
    for (const std::string& name : image.info.globals)
      if (std::find(words.begin(), words.end(), name) != words.end())
        image.variables[name] = {variable_size(words), std::find(words.begin(), words.end(), ".managed") != words.end(),
                                 initial_bytes(text, name)};
  return image;
}

// A fatbin: a header, then entries, each a header of its own size and a payload.
Image read_fatbin(const char* code) {
  const auto header_size = peek<std::uint16_t>(code + 6);
  const auto size = peek<std::uint64_t>(code + 8);
  constexpr std::uint16_t elf_kind = 2;
  for (std::uint64_t at = 0; at < size;) {
    const char* entry = code + header_size + at;
    const auto entry_header = peek<std::uint32_t>(entry + 4);
    if (peek<std::uint16_t>(entry) == elf_kind && std::memcmp(entry + entry_header, ELFMAG, SELFMAG) == 0)
      return read_elf(entry + entry_header);
    at += entry_header + peek<std::uint64_t>(entry + 8);
  }
  throw kiln::Error("the fatbin holds no uncompressed cubin");
}

}  // namespace

bool Image::runs_on(int capability) const {
  const std::string digits = info.arch.substr(info.arch.find('_') + 1);
  const int own = static_cast<int>(number_in(digits));
  if (!digits.empty() && digits.back() == 'a') return own == capability;
  if (is_ptx) return own <= capability;
  return own / 10 == capability / 10 && own % 10 <= capability % 10;
}

Image read_image(const void* code) {
  const char* bytes = static_cast<const char*>(code);
  if (std::strncmp(bytes, ELFMAG, SELFMAG) == 0) return read_elf(bytes);
  if (std::strncmp(bytes, "\x50\xed\x55\xba", 4) == 0) return read_fatbin(bytes);
  return read_text(bytes);
}

}  // namespace fake_cuda
