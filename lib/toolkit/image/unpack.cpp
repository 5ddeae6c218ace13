#include "toolkit/image/unpack.hpp"

#include "base/shared_library.hpp"

#include <kiln/error.hpp>

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

}  // namespace kiln
