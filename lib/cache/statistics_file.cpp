#include "cache/statistics_file.hpp"

#include "base/digest.hpp"
#include "cache/byte_io.hpp"

namespace kiln {

namespace {

constexpr std::string_view statistics_magic = "kilnstat";
constexpr std::size_t statistics_trailer_size = 16;

}  // namespace

std::string encode_statistics(const Statistics::Counts& counts) {
  std::string bytes(statistics_magic);
  for (std::uint64_t value : counts) append_integer(bytes, value);
  bytes.append(digest_of(bytes).view());
  return bytes;
}

std::optional<Statistics::Counts> decode_statistics(std::string_view bytes) {
  if (bytes.size() != statistics_file_size) return std::nullopt;
  const std::string_view checked = bytes.substr(0, statistics_file_size - statistics_trailer_size);
  if (checked.substr(0, statistics_magic.size()) != statistics_magic ||
      bytes.substr(checked.size()) != digest_of(checked).view())
    return std::nullopt;
  ByteReader reader(checked.substr(statistics_magic.size()));
  Statistics::Counts counts;
  for (std::uint64_t& value : counts) value = reader.integer<std::uint64_t>();
  return counts;
}

}  // namespace kiln
