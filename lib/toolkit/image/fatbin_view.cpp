#include "toolkit/image/fatbin_view.hpp"

#include "base/shared_library.hpp"
#include "toolkit/image/byte_reader.hpp"
#include "toolkit/image/code_info.hpp"
#include "toolkit/image/elf_view.hpp"

#include <kiln/error.hpp>

#include <algorithm>

namespace kiln {

namespace {

// From their public headers, of which neither has changed since the formats were fixed.
using Lz4Decompress = int (*)(const char* source, char* target, int source_size, int target_size);
using ZstdDecompress = std::size_t (*)(void* target, std::size_t target_size, const void* source, std::size_t size);

// The most that the formats make out of a byte.
constexpr std::uint64_t lz4_ratio = 255;
constexpr std::uint64_t zstd_ratio = 128 * 1024;
constexpr std::uint64_t max_unpacked_size = std::uint64_t{1} << 30;

void* function_of(const char* library, const char* package, const char* name) {
  void* function = nullptr;
  try {
    function = SharedLibrary::open(library).symbol(name);
  } catch (const Error&) {
  }
  if (function != nullptr) return function;
  throw ToolkitError(std::string("the code is compressed, and the library for that, ") + library +
                         ", is not on this machine: install it (Debian, Ubuntu: apt-get install " + package +
                         "), or make the code without compression (nvcc --no-compress)",
                     {library});
}

std::size_t run(Packing packing, std::string_view packed, std::string& out) {
  if (packing == Packing::zstd) {
    const auto decompress =
        reinterpret_cast<ZstdDecompress>(function_of("libzstd.so.1", "libzstd1", "ZSTD_decompress"));
    return decompress(out.data(), out.size(), packed.data(), packed.size());  // an error is a very large size
  }
  const auto decompress =
      reinterpret_cast<Lz4Decompress>(function_of("liblz4.so.1", "liblz4-1", "LZ4_decompress_safe"));
  return static_cast<std::size_t>(
      decompress(packed.data(), out.data(), static_cast<int>(packed.size()), static_cast<int>(out.size())));
}

}  // namespace

std::string unpack(Packing packing, std::string_view packed, std::uint64_t size) {
  if (packing == Packing::none) return std::string(packed);
  const std::uint64_t ratio = packing == Packing::zstd ? zstd_ratio : lz4_ratio;
  if (size > max_unpacked_size || packed.size() > max_unpacked_size || size > packed.size() * ratio)
    throw Error("the fatbin is damaged: an image claims " + std::to_string(size) + " bytes");
  std::string out(static_cast<std::size_t>(size), '\0');
  if (run(packing, packed, out) != out.size()) throw Error("the fatbin is damaged: an image cannot be decompressed");
  return out;
}

namespace {

// Both as the files of CUDA 11 to 13 have them.
struct Header {
  std::uint32_t magic;
  std::uint16_t version;
  std::uint16_t header_size;
  std::uint64_t size;  // of what follows the header
};
struct EntryHeader {
  std::uint16_t kind;
  std::uint16_t version;
  std::uint32_t header_size;
  std::uint64_t size;         // of what follows the header, with padding
  std::uint32_t packed_size;  // without it, where the image is packed
  std::uint32_t options_offset;
  std::uint16_t minor_version;
  std::uint16_t major_version;
  std::uint32_t arch;
  std::uint32_t name_offset;
  std::uint32_t name_size;
  std::uint64_t flags;
  std::uint64_t unused;
  std::uint64_t unpacked_size;
};
static_assert(sizeof(Header) == 16 && sizeof(EntryHeader) == 64);

enum Flag : std::uint64_t { packed_lz4 = 0x2000, packed_zstd = 0x8000, arch_a = 0x100000, arch_f = 0x200000 };

[[noreturn]] void throw_damaged_fatbin(const char* what) { throw Error(std::string("the fatbin is damaged: ") + what); }

std::string arch_of(const EntryHeader& header) {
  const char* prefix = header.kind == FatbinEntry::cubin   ? "sm_"
                       : header.kind == FatbinEntry::ltoir ? "lto_"
                                                           : "compute_";
  const char* suffix = (header.flags & arch_a) != 0 ? "a" : (header.flags & arch_f) != 0 ? "f" : "";
  return prefix + std::to_string(header.arch) + suffix;
}

FatbinEntry read_entry(const EntryHeader& header, std::string_view bytes) {
  FatbinEntry entry;
  entry.kind = header.kind;
  entry.arch = arch_of(header);
  entry.bytes = bytes;
  if (entry.kind == FatbinEntry::ptx)  // a text ends before its padding
    while (!entry.bytes.empty() && entry.bytes.back() == '\0') entry.bytes.remove_suffix(1);
  entry.size = entry.bytes.size();
  if ((header.flags & (packed_lz4 | packed_zstd)) == 0) return entry;
  entry.packing = (header.flags & packed_zstd) != 0 ? Packing::zstd : Packing::lz4;
  if (header.packed_size > bytes.size()) throw_damaged_fatbin("an image is longer than its entry");
  entry.bytes = bytes.substr(0, header.packed_size);
  entry.size = header.unpacked_size;
  return entry;
}

// What the container at the front takes, header included.
std::uint64_t container_size(std::string_view bytes) {
  if (bytes.size() < sizeof(Header)) throw_damaged_fatbin("it ends too early");
  const auto header = value_at<Header>(bytes, 0);
  if (code_kind(bytes) != CodeKind::fatbin) throw_damaged_fatbin("it does not begin as one");
  if (header.header_size < sizeof(Header) || header.header_size > bytes.size() ||
      header.size > bytes.size() - header.header_size)
    throw_damaged_fatbin("it ends too early");
  return header.header_size + header.size;
}

constexpr std::string_view relocatable_section = "__nv_relfatbin";

void add_containers(std::vector<std::string_view>& found, std::string_view section) {
  constexpr std::size_t alignment = 8;
  while (section.size() >= alignment) {
    std::size_t size = alignment;  // of what lies between them
    if (code_kind(section) == CodeKind::fatbin) {
      size = static_cast<std::size_t>(container_size(section));
      found.push_back(section.substr(0, size));
      size = (size + alignment - 1) / alignment * alignment;
    }
    section.remove_prefix(std::min(size, section.size()));
  }
}

}  // namespace

std::vector<FatbinEntry> fatbin_entries(std::string_view bytes) {
  bytes = bytes.substr(0, static_cast<std::size_t>(container_size(bytes)));
  bytes.remove_prefix(value_at<Header>(bytes, 0).header_size);
  std::vector<FatbinEntry> entries;
  while (!bytes.empty()) {
    if (bytes.size() < sizeof(EntryHeader)) throw_damaged_fatbin("an entry ends too early");
    const auto header = value_at<EntryHeader>(bytes, 0);
    if (header.header_size < sizeof(EntryHeader) || header.header_size > bytes.size() ||
        header.size > bytes.size() - header.header_size)
      throw_damaged_fatbin("an entry ends too early");
    const auto size = static_cast<std::size_t>(header.size);
    entries.push_back(read_entry(header, bytes.substr(header.header_size, size)));
    bytes.remove_prefix(header.header_size + size);
  }
  return entries;
}

std::vector<std::string_view> embedded_fatbins(std::string_view elf) {
  std::vector<std::string_view> found;
  const ElfView view(elf);
  for (const ElfSection& section : view.sections())
    if (section.name == ".nv_fatbin" || section.name == relocatable_section) add_containers(found, section.bytes);
  return found;
}

std::vector<std::string_view> relocatable_fatbins(std::string_view elf) {
  std::vector<std::string_view> found;
  const ElfView view(elf);
  for (const ElfSection& section : view.sections())
    if (section.name == relocatable_section) add_containers(found, section.bytes);
  return found;
}

}  // namespace kiln
