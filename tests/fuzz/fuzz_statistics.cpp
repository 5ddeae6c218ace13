// The counters file.
#include "cache/statistics.hpp"
#include "fuzz.hpp"

namespace fuzz_statistics {

using namespace kiln;
using namespace kiln::fuzz;

namespace {

bool check_counts(const std::string& file) {
  const auto counts = decode_statistics(file);
  if (counts) require(encode_statistics(*counts) == file, "counters that were read are written as they were");
  return counts.has_value();
}

}  // namespace

int run(const std::uint8_t* data, std::size_t size) {
  const std::string_view input = view_of(data, size);
  check_counts(std::string(input));
  // With the right checksum at whatever length, then also with the right length and magic.
  check_counts(with_checksum(std::string(input.substr(0, size < 16 ? 0 : size - 16))));
  std::string counts(input.substr(size < 8 ? size : 8));
  counts.resize(8 * Statistics::slots);
  const std::string file = with_checksum(encode_statistics({}).substr(0, 8) + counts);
  require(file.size() == statistics_file_size && check_counts(file), "any counters can be read");
  return 0;
}

}  // namespace fuzz_statistics
