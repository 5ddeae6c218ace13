// Fatbins put together by hand, as nvcc writes them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace kiln::test {

struct FatbinPart {
  std::uint16_t kind = 2;  // 1 PTX, 2 cubin, 8 LTO-IR
  std::uint32_t arch = 0;
  std::string_view bytes;
  std::uint64_t flags = 0x11;       // 64 bits, Linux; 0x2000 LZ4, 0x8000 Zstandard, 0x100000 "a", 0x200000 "f"
  std::uint64_t unpacked_size = 0;  // where it is compressed
  std::uint32_t header_size = 64;
};

template <class Integer>
void append_bytes(std::string& out, Integer value) {
  out.append(reinterpret_cast<const char*>(&value), sizeof value);
}

inline std::string fatbin_of(const std::vector<FatbinPart>& parts) {
  std::string entries;
  for (const FatbinPart& part : parts) {
    const std::size_t padding = (8 - part.bytes.size() % 8) % 8;
    append_bytes(entries, part.kind);
    append_bytes(entries, std::uint16_t{0x101});
    append_bytes(entries, part.header_size);
    append_bytes(entries, std::uint64_t{part.bytes.size() + padding});
    append_bytes(entries, static_cast<std::uint32_t>(part.unpacked_size == 0 ? 0 : part.bytes.size()));
    append_bytes(entries, std::uint64_t{0});  // options, version
    append_bytes(entries, part.arch);
    append_bytes(entries, std::uint64_t{0});  // name
    append_bytes(entries, part.flags);
    append_bytes(entries, std::uint64_t{0});
    append_bytes(entries, part.unpacked_size);
    entries.append(part.header_size - 64, '\0').append(part.bytes).append(padding, '\0');
  }
  std::string all;
  append_bytes(all, std::uint32_t{0xba55ed50});
  append_bytes(all, std::uint16_t{1});
  append_bytes(all, std::uint16_t{16});
  append_bytes(all, std::uint64_t{entries.size()});
  return all + entries;
}

}  // namespace kiln::test
