// The fatbin container: several images of one module, each for an architecture of its own, some of them compressed.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace kiln {

/// nvcc packs by LZ4 up to CUDA 12, by Zstandard from CUDA 13 on.
enum class Packing { none, lz4, zstd };

/// The `size` bytes that were packed. Throws ToolkitError where the library is missing, Error where the bytes are
/// damaged or `size` is beyond 1 GiB.
std::string unpack(Packing packing, std::string_view packed, std::uint64_t size);

struct FatbinEntry {
  enum Kind : std::uint16_t { ptx = 1, cubin = 2, ltoir = 8 };
  std::uint16_t kind = 0;  // one of these, or one that is not known here
  /// "sm_90a" for a cubin, "compute_90" for PTX, "lto_90" for LTO-IR.
  std::string arch;
  Packing packing = Packing::none;
  /// As it stands in the file.
  std::string_view bytes;
  /// Of the image, unpacked.
  std::uint64_t size = 0;
};

/// The entries in order. Throws Error where the container is damaged.
std::vector<FatbinEntry> fatbin_entries(std::string_view bytes);

/// The containers in a host object, library or program: one for each of its CUDA sources. Throws Error where the ELF
/// image is damaged; empty where it has none.
std::vector<std::string_view> embedded_fatbins(std::string_view elf);

/// Likewise those of sources that were compiled with -rdc=true alone. A program or shared library that nvcc linked has
/// them still, beside the code that was linked from them.
std::vector<std::string_view> relocatable_fatbins(std::string_view elf);

}  // namespace kiln
