#include "toolkit/image/nv_info.hpp"

#include "toolkit/image/byte_reader.hpp"

#include <algorithm>

namespace kiln {
namespace {

enum Attribute : std::uint8_t {
  max_threads = 0x05,
  required_threads = 0x10,
  frame_size = 0x11,
  parameter_info = 0x17,
  register_count = 0x2f,
  // Where a parameter is larger than the 14 bits that the older form has for its size.
  large_parameter_info = 0x45,
};

struct Entry {
  std::uint8_t attribute = 0;
  std::string_view payload;
};

// Each entry is a format byte, an attribute byte and two bytes; in format 4 those are the size of a payload.
template <class Visit>
void for_each_entry(std::string_view section, const Visit& visit) {
  constexpr std::uint8_t sized = 4;
  std::uint64_t offset = 0;
  while (offset < section.size()) {
    const auto format = value_at<std::uint8_t>(section, offset);
    Entry entry;
    entry.attribute = value_at<std::uint8_t>(section, offset + 1);
    const auto size = value_at<std::uint16_t>(section, offset + 2);
    offset += 4;
    if (format != sized) continue;
    entry.payload = bytes_at(section, offset, size);
    offset += size;
    visit(entry);
  }
}

struct NumberedParameter {
  std::uint16_t ordinal;
  Parameter parameter;
};

NumberedParameter read_parameter(const Entry& entry) {
  NumberedParameter result;
  result.ordinal = value_at<std::uint16_t>(entry.payload, 4);
  result.parameter.offset = value_at<std::uint16_t>(entry.payload, 6);
  const auto last = value_at<std::uint32_t>(entry.payload, 8);
  // The older form packs the size above 18 bits of alignment and memory space; the newer one keeps such things
  // in its upper half (from sm_100 on).
  result.parameter.size = entry.attribute == large_parameter_info ? last & 0xffff : last >> 18;
  return result;
}

// The threads of a block whose three extents the entry holds.
int read_threads(const Entry& entry) {
  constexpr std::uint64_t limit = 0x7fffffff;
  std::uint64_t threads = 1;
  for (std::uint64_t at = 0; at < 12; at += 4) {
    threads *= value_at<std::uint32_t>(entry.payload, at);
    if (threads > limit) throw Error("the cubin is damaged: its launch bounds are wrong");
  }
  return static_cast<int>(threads);
}

// In the order of their numbers, which must have no gap.
std::vector<Parameter> in_order(std::vector<NumberedParameter> found) {
  std::sort(found.begin(), found.end(),
            [](const NumberedParameter& a, const NumberedParameter& b) { return a.ordinal < b.ordinal; });
  std::vector<Parameter> parameters;
  parameters.reserve(found.size());
  for (NumberedParameter& item : found) {
    if (item.ordinal != parameters.size()) throw Error("the cubin is damaged: its parameter list has a gap");
    parameters.push_back(std::move(item.parameter));
  }
  return parameters;
}

}  // namespace

std::vector<SymbolResources> read_symbol_resources(std::string_view nv_info, std::size_t symbol_count) {
  std::vector<SymbolResources> all(symbol_count);
  for_each_entry(nv_info, [&](const Entry& entry) {
    if (entry.attribute != register_count && entry.attribute != frame_size) return;
    const auto symbol = value_at<std::uint32_t>(entry.payload, 0);
    const auto value = value_at<std::uint32_t>(entry.payload, 4);
    if (symbol >= symbol_count || value > 0x7fffffffu) throw Error("the cubin is damaged: its resource list is wrong");
    (entry.attribute == register_count ? all[symbol].registers : all[symbol].frame_bytes) = static_cast<int>(value);
  });
  return all;
}

KernelAttributes read_kernel_attributes(std::string_view nv_info) {
  KernelAttributes attributes;
  std::vector<NumberedParameter> found;
  for_each_entry(nv_info, [&](const Entry& entry) {
    if (entry.attribute == parameter_info || entry.attribute == large_parameter_info)
      found.push_back(read_parameter(entry));
    else if (entry.attribute == max_threads || entry.attribute == required_threads)
      attributes.max_threads = read_threads(entry);
  });
  attributes.parameters = in_order(std::move(found));
  return attributes;
}

}  // namespace kiln
