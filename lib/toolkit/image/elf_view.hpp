// A 64-bit little-endian ELF image in memory: sections and symbols, every read within bounds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace kiln {

struct ElfSection {
  std::string_view name;
  /// Empty where the section has no content in the file, whatever its size.
  std::string_view bytes;
  std::uint64_t size = 0;
  std::uint32_t type = 0;
  std::uint32_t link = 0;
  std::uint32_t info = 0;
};

struct ElfSymbol {
  std::string_view name;
  std::uint64_t size = 0;
  std::uint8_t type = 0;
  std::uint8_t binding = 0;
  std::uint8_t other = 0;
  /// Index into the sections, 0 for a symbol that is defined elsewhere.
  std::uint16_t section = 0;
};

/// In a cubin: a __global__ function, and no other.
inline bool is_kernel(const ElfSymbol& symbol) {
  constexpr std::uint8_t function = 2, kernel_bit = 0x10;  // STT_FUNC, and of st_other
  return symbol.type == function && (symbol.other & kernel_bit) != 0;
}

/// Views into the bytes that were given, which must outlive it.
class ElfView {
 public:
  /// Throws Error where the image is damaged.
  explicit ElfView(std::string_view bytes);

  /// EM_CUDA for a cubin.
  std::uint16_t machine() const noexcept { return machine_; }
  /// ET_REL for what can be linked, ET_EXEC for what can be loaded.
  std::uint16_t file_type() const noexcept { return file_type_; }
  std::uint8_t abi_version() const noexcept { return abi_version_; }
  std::uint32_t flags() const noexcept { return flags_; }
  /// 1 for ELF itself; before CUDA 13 a cubin has its toolkit's version there.
  std::uint32_t version() const noexcept { return version_; }
  const std::vector<ElfSection>& sections() const noexcept { return sections_; }
  /// Of the symbol table; 0 without one.
  std::size_t symbol_count() const noexcept;
  /// In the table's order, and taken out of it at each call: a CUB cubin has a thousand, and few are of interest.
  /// Throws Error where the table is damaged.
  ElfSymbol symbol(std::size_t index) const;

 private:
  void find_symbols();

  std::uint16_t machine_ = 0;
  std::uint16_t file_type_ = 0;
  std::uint8_t abi_version_ = 0;
  std::uint32_t flags_ = 0;
  std::uint32_t version_ = 0;
  std::vector<ElfSection> sections_;
  std::string_view symbols_;
  std::string_view symbol_names_;
};

}  // namespace kiln
