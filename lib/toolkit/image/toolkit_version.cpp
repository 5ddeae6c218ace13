#include "toolkit/image/byte_reader.hpp"
#include "toolkit/image/code_info.hpp"
#include "toolkit/image/elf_view.hpp"
#include "toolkit/image/fatbin_view.hpp"
#include "toolkit/image/ptx_entry.hpp"
#include "toolkit/image/ptx_scan.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <exception>

namespace kiln {
namespace {

using Version = std::pair<int, int>;

std::optional<Version> of_tens(unsigned tens) {
  return tens >= 100 && tens < 1000 ? std::optional(Version(tens / 10, tens % 10)) : std::nullopt;
}

std::optional<Version> of_cubin(std::string_view bytes) {
  const ElfView elf(bytes);
  if (elf.abi_version() < 8) return of_tens(elf.version());
  // From CUDA 13 on a note has it: three words, "NVIDIA Corp" and its zero byte, then 16 bits each of the note's own
  // version, the architecture and the toolkit.
  constexpr std::uint64_t place = 3 * 4 + 12 + 2 * 2;
  for (const ElfSection& section : elf.sections())
    if (section.name == ".note.nv.cuinfo") return of_tens(value_at<std::uint16_t>(section.bytes, place));
  return std::nullopt;
}

std::optional<Version> of_ptx(std::string_view text) {
  for (const PtxStatement& words : scan_ptx(without_end(text))) {
    if (words.front() != ".version" || words.size() < 2) continue;
    int major = 0, minor = 0;
    const char* const end = words[1].data() + words[1].size();
    const auto [point, error] = std::from_chars(words[1].data(), end, major);
    if (error != std::errc() || point == end || std::from_chars(point + 1, end, minor).ec != std::errc()) break;
    if (major > 8) return Version(major + 4, minor);
    // By the minor versions of PTX 8; PTX 7 is that of CUDA 11.
    constexpr std::array<int, 9> minors_of_12 = {0, 1, 2, 3, 4, 5, 7, 8, 9};
    if (major == 8) return Version(12, minors_of_12[static_cast<std::size_t>(std::clamp(minor, 0, 8))]);
    if (major == 7) return Version(11, minor);
    break;
  }
  return std::nullopt;
}

std::optional<Version> of_fatbin(std::string_view bytes) {
  std::optional<Version> newest;
  for (const FatbinEntry& entry : fatbin_entries(bytes)) {
    if (entry.kind != FatbinEntry::cubin && entry.kind != FatbinEntry::ptx) continue;
    const std::string image = unpack(entry.packing, entry.bytes, entry.size);
    newest = std::max(newest, toolkit_version(image));
  }
  return newest;
}

}  // namespace

std::optional<std::pair<int, int>> toolkit_version(std::string_view code) noexcept {
  try {
    switch (code_kind(code)) {
      case CodeKind::cubin:
        return of_cubin(code);
      case CodeKind::ptx:
        return of_ptx(code);
      case CodeKind::fatbin:
        return of_fatbin(code);
      case CodeKind::unknown:
        break;
    }
  } catch (const std::exception&) {  // it is damaged, or the library that unpacks it is missing
  }
  return std::nullopt;
}

}  // namespace kiln
