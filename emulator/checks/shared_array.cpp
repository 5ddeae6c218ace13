// Which array an address outside of a block's shared memory was meant for.
#include "emulator/checks/access_text.hpp"
#include "emulator/checks/address_origin.hpp"
#include "emulator/machine/block.hpp"
#include "emulator/machine/warp.hpp"
#include "toolkit/names/kernel_name.hpp"

#include <algorithm>
#include <optional>
#include <vector>

namespace kiln::emulator {
namespace {

/// A part of the block's shared memory, and how a text names it.
struct Part {
  std::string name;
  std::uint64_t offset = 0, size = 0;
};

std::vector<Part> parts_of(const Block& block) {
  std::vector<Part> parts;
  for (const SharedVariable& each : block.request().kernel->shared_variables)
    parts.push_back({"the variable " + demangle(each.name), each.offset, each.size});
  if (const std::uint64_t size = block.request().shared_bytes; size != 0)
    parts.push_back({"the dynamic shared memory", block.dynamic_shared_offset(), size});
  std::stable_sort(parts.begin(), parts.end(), [](const Part& a, const Part& b) { return a.offset < b.offset; });
  return parts;
}

// An array without a size is the dynamic shared memory.
std::optional<Part> part_named(const std::vector<Part>& parts, const ptx::Variable& array) {
  const std::string name =
      array.size == 0 ? "the dynamic shared memory" : "the variable " + demangle(std::string(array.name));
  const auto found = std::find_if(parts.begin(), parts.end(), [&](const Part& each) { return each.name == name; });
  return found == parts.end() ? std::nullopt : std::optional(*found);
}

}  // namespace

std::string shared_array_text(const Warp& warp, std::int64_t offset) {
  const ptx::Variable* const array = AddressOrigin::of_running(warp).array();
  const LaunchRequest& request = warp.block().request();
  // An array of unknown origin, after those of a fixed size, may be the one without a size.
  const bool may_be_dynamic = array != nullptr ? array->size == 0 : offset >= 0;
  if (request.shared_bytes == 0 && request.kernel->uses_dynamic_shared && may_be_dynamic)
    return std::string("; the kernel has an array in dynamic shared memory (extern __shared__)") +
           ", and the launch gave it 0 bytes: give its size in bytes at the launch (LaunchConfig::shared_size; "
           "--shared of kiln run)";
  const std::vector<Part> parts = parts_of(warp.block());
  if (parts.empty()) return {};
  const std::optional<Part> meant = array != nullptr ? part_named(parts, *array) : std::nullopt;
  if (!meant) {
    const Part& nearest = offset < 0 ? parts.front() : parts.back();
    return std::string(offset < 0 ? "; the first" : "; the last") + " in it is " + nearest.name + " of " +
           bytes_text(nearest.size);
  }
  const std::int64_t begin = static_cast<std::int64_t>(meant->offset);
  const std::int64_t end = begin + static_cast<std::int64_t>(meant->size);
  const std::string where = offset < begin ? bytes_text(static_cast<std::uint64_t>(begin - offset)) + " before it"
                            : offset < end ? "at its end"
                                           : bytes_text(static_cast<std::uint64_t>(offset - end)) + " past its end";
  return "; the address is that of " + meant->name + " of " + bytes_text(meant->size) + ", " + where +
         (array->size == 0 ? "; the launch gave these bytes (LaunchConfig::shared_size)" : "");
}

}  // namespace kiln::emulator
