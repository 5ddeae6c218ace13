// Which argument of the kernel an address in global memory is made from, or lies near.
#include "emulator/checks/access_text.hpp"
#include "emulator/checks/address_origin.hpp"
#include "emulator/machine/block.hpp"
#include "emulator/machine/host_bytes.hpp"

#include <cstring>
#include <vector>

namespace kiln::emulator {
namespace {

constexpr std::uint64_t null_page = 4096;

/// 64 bits of an argument.
struct PassedWord {
  std::size_t argument;
  std::uint64_t offset;  // in the argument
  std::uint64_t value;
};

std::uint64_t word_at(const LaunchRequest& request, std::uint64_t offset) {
  std::uint64_t value = 0;
  if (offset + sizeof value <= request.params.size()) std::memcpy(&value, request.params.data() + offset, sizeof value);
  return value;
}

std::string name_of(const PassedWord& word) {
  return "argument " + std::to_string(word.argument) + " (counted from 0" +
         (word.offset == 0 ? std::string() : "; at byte " + std::to_string(word.offset) + " of it") + ")";
}

/// Those that the address of the running access depends on.
std::vector<PassedWord> words_of_address(const Warp& warp) {
  const LaunchRequest& request = warp.block().request();
  const auto& params = request.kernel->code->source->params;
  const AddressOrigin origin = AddressOrigin::of_running(warp);
  std::vector<PassedWord> words;
  for (std::size_t i = 0; i < params.size(); ++i)
    for (const AddressOrigin::Parameter& each : origin.parameters()) {
      const ParamPlace& place = request.kernel->params[i];
      const auto offset = static_cast<std::uint64_t>(each.offset);
      if (each.variable != &params[i] || offset > place.size || place.size - offset < sizeof(std::uint64_t)) continue;
      words.push_back({i, offset, word_at(request, place.offset + offset)});
    }
  return words;
}

/// All where a pointer may be.
std::vector<PassedWord> words_of_launch(const LaunchRequest& request) {
  std::vector<PassedWord> words;
  for (std::size_t i = 0; i < request.kernel->params.size(); ++i) {
    const ParamPlace& place = request.kernel->params[i];
    for (std::uint64_t offset = 0; offset + sizeof(std::uint64_t) <= place.size; offset += sizeof(std::uint64_t))
      words.push_back({i, offset, word_at(request, place.offset + offset)});
  }
  return words;
}

bool is_in(const Allocation& allocation, std::uint64_t address) {
  return address - allocation.base < allocation.size || address == allocation.base;
}

/// A pointer like the address, and no size or index that it was computed with as well.
bool may_be_pointer(std::uint64_t value, std::uint64_t address) {
  if (address < null_page) return value == 0;
  const std::optional<Allocation> nearest = AddressSpace::get().nearest(value);
  return value >= null_page && ((nearest && is_in(*nearest, value)) || is_mapped(value));
}

}  // namespace

std::string argument_text(const Warp& warp, std::uint64_t address, const std::optional<Allocation>& nearest) {
  std::vector<PassedWord> pointers = words_of_address(warp);
  std::erase_if(pointers, [&](const PassedWord& each) { return !may_be_pointer(each.value, address); });
  if (pointers.size() == 1) {
    const std::string text = "; the address is made from " + name_of(pointers.front());
    if (address < null_page) return text + ", which is null";
    if (!nearest || is_in(*nearest, pointers.front().value)) return text;
    const std::string place = allocation_text(pointers.front().value);
    return place.empty() ? text : text + ", which points" + place.substr(1);
  }
  if (!nearest) return {};
  std::string names;
  for (const PassedWord& each : words_of_launch(warp.block().request()))
    if (is_in(*nearest, each.value)) names += (names.empty() ? "" : " and ") + name_of(each);
  return names.empty() ? names : "; to that allocation points " + names;
}

}  // namespace kiln::emulator
