#include "emulator/instructions/memory/memory_operand.hpp"

#include "emulator/machine/cluster.hpp"
#include "emulator/machine/launch_profile.hpp"

namespace kiln::emulator {
namespace {

using ptx::Space;

PlaceKind kind_of(Space space, bool entry_param) {
  switch (space) {
    case Space::global:
    case Space::constant:
      return PlaceKind::global;
    case Space::shared:
      return PlaceKind::shared;
    case Space::local:
      return PlaceKind::local;
    case Space::param:
      return entry_param ? PlaceKind::entry_param : PlaceKind::frame_param;
    default:
      return PlaceKind::generic;
  }
}

// Fast path for a full warp: whether all addresses are aligned and in one page of device memory, the usual case.
bool in_one_page(const std::uint64_t* at, unsigned size, Access access) {
  std::uint64_t differ = 0, low = 0;
  for (unsigned lane = 0; lane < warp_size; ++lane) {
    differ |= at[lane] ^ at[0];
    low |= at[lane];
  }
  return differ < PageDirectory::page_size && (low & (size - 1)) == 0 &&
         AddressSpace::get().whole_page(at[0], !only_reads(access));
}

// The same for offsets below a limit: the sign bit of the difference shows one that is too large.
bool all_below(const std::uint64_t* at, unsigned size, std::uint64_t limit) {
  if (limit < size) return false;
  std::uint64_t over = 0, low = 0;
  for (unsigned lane = 0; lane < warp_size; ++lane) {
    over |= (limit - size - at[lane]) | at[lane];
    low |= at[lane];
  }
  return (over >> 63) == 0 && (low & (size - 1)) == 0;
}

// The general case: some lanes, or addresses in different pages.
bool each_allowed(const std::uint64_t* at, LaneMask active, unsigned size, Access access) {
  const AddressSpace& memory = AddressSpace::get();
  const bool write = !only_reads(access);
  return lanes_where(active, [&](unsigned lane) {
           return (at[lane] & (size - 1)) == 0 &&
                  (write ? memory.writable(at[lane], size) : memory.readable(at[lane], size));
         }) == active;
}

bool each_below(const std::uint64_t* at, LaneMask active, unsigned size, std::uint64_t limit) {
  return limit >= size && lanes_where(active, [&](unsigned lane) {
                            return (at[lane] & (size - 1)) == 0 && at[lane] <= limit - size;
                          }) == active;
}

// Returns host addresses if no lane has an invalid one.
bool usual_case(Warp& warp, PlaceKind kind, std::uint64_t* at, LaneMask active, unsigned size, Access access) {
  const bool full = active == all_lanes;
  if (kind == PlaceKind::global || kind == PlaceKind::generic)
    return (full && in_one_page(at, size, access)) || each_allowed(at, active, size, access);
  if (!is_shared(kind)) return false;
  const std::uint64_t limit = warp.block().shared_size();
  if (full ? !all_below(at, size, limit) : !each_below(at, active, size, limit)) return false;
  const auto base = reinterpret_cast<std::uint64_t>(warp.block().shared());
  for (unsigned lane = 0; lane < warp_size; ++lane) at[lane] += base;
  return true;
}

Access stronger(Access access) {
  if (access == Access::read) return Access::strong_read;
  return access == Access::write ? Access::strong_write : access;
}

std::byte* frame_param(Warp& warp, unsigned lane, std::uint64_t offset, unsigned size) {
  const Frame& frame = warp.frame();
  const std::uint64_t bytes = frame.code->param_bytes;
  if (offset >= bytes || size > bytes - offset)
    throw Fault(CUDA_ERROR_ILLEGAL_ADDRESS, lane,
                "touches " + std::to_string(size) + " bytes at " + std::to_string(offset) +
                    " of the function's parameters, which have " + std::to_string(bytes) + " bytes");
  return frame.params + std::size_t{lane} * bytes + offset;
}

// ld.shared and the like reach the own block only.
void check_is_own(Warp& warp, PlaceKind kind, unsigned lane, std::uint64_t address) {
  if ((kind != PlaceKind::shared && kind != PlaceKind::shared_extern) || !names_a_rank(address)) return;
  if (warp.block().cluster() == nullptr || rank_named(address) >= warp.block().cluster()->blocks().size()) return;
  throw Fault(CUDA_ERROR_ILLEGAL_ADDRESS, lane,
              "uses an address of shared::cluster, which mapa gave, as one of the block's own shared memory: the "
              "instruction needs .shared::cluster");
}

// The way of all accesses that are not usual, and of those that are watched.
void translate_each(const Step& step, Warp& warp, std::uint64_t* addresses, LaneMask active, unsigned size,
                    Access access) {
  const auto kind = static_cast<PlaceKind>(step.small[0]);
  const Space space = space_of(kind);
  Block& block = warp.block();
  BlockProfile* const profile = block.profile();
  if (profile != nullptr) {
    profile->access(warp, step, {space, addresses, active, size, access});
    if (block.checks() == nullptr && usual_case(warp, kind, addresses, active, size, access)) return;
  }
  if ((step.small[1] & strong_flag) != 0) access = stronger(access);
  const bool visible = (step.small[1] & visible_flag) != 0;
  each_lane(active, [&](unsigned lane) {
    std::uint64_t& at = addresses[lane];
    check_is_own(warp, kind, lane, at);
    const bool is_global = space == Space::global || (space == Space::generic && space_of(at) == Space::global);
    const Access as = visible && is_global ? stronger(access) : access;
    std::byte* const bytes = kind == PlaceKind::frame_param
                                 ? frame_param(warp, lane, at, size)
                                 : host_bytes(warp, step, lane, space, at, size, as, profile != nullptr);
    at = reinterpret_cast<std::uint64_t>(bytes);
  });
}

}  // namespace

Space space_of(PlaceKind kind) {
  switch (kind) {
    case PlaceKind::global:
      return Space::global;
    case PlaceKind::shared:
    case PlaceKind::shared_extern:
    case PlaceKind::shared_cluster:
      return Space::shared;
    case PlaceKind::local:
      return Space::local;
    case PlaceKind::entry_param:
    case PlaceKind::frame_param:
      return Space::param;
    case PlaceKind::generic:
      break;
  }
  return Space::generic;
}

Space stated_space(const ptx::Instruction& instruction) {
  for (const std::string_view modifier : instruction.modifiers) {
    const std::string_view name = modifier.substr(0, modifier.find("::"));
    if (name == "global") return Space::global;
    if (name == "const") return Space::constant;
    if (name == "shared") return Space::shared;
    if (name == "local") return Space::local;
    if (name == "param") return Space::param;
  }
  return Space::generic;
}

MemoryOperand memory_operand(const ptx::Operand& operand, Space space, Lowering& lowering) {
  const Lowering::Address address = lowering.address(operand);
  const ptx::Instruction& instruction = lowering.instruction();
  MemoryOperand made;
  made.strong = instruction.has("relaxed") || instruction.has("acquire") || instruction.has("release");
  for (const std::string_view modifier : {"volatile", "cg", "cv", "wt", "mmio"})
    made.visible = made.visible || instruction.has(modifier);
  made.offset = address.offset;
  made.uniform = !address.has_register;
  made.base = address.has_register ? address.base : lowering.constant(0, 8);
  made.narrow_base = address.has_register && address.size == 4;
  const VariablePlace& variable = address.variable;
  if (variable.space != Space::none) {
    made.named = true;
    made.kind = variable.dynamic_shared ? PlaceKind::shared_extern : kind_of(variable.space, variable.entry_param);
    made.frame_local = variable.space == Space::local;
    return made;
  }
  const bool entry =
      instruction.has("param::entry") || (lowering.function().is_entry && !instruction.has("param::func"));
  made.kind = kind_of(space, entry);
  if (made.narrow_base && (made.kind == PlaceKind::global || made.kind == PlaceKind::generic))
    throw Unsupported{"32-bit addresses of global memory"};
  if (made.kind == PlaceKind::shared && instruction.has("shared::cluster")) made.kind = PlaceKind::shared_cluster;
  return made;
}

void MemoryOperand::put(Step& step, unsigned operand_index) const {
  step.operand[operand_index] = base;
  step.value = offset;
  step.small[0] = static_cast<std::uint8_t>(kind);
  step.small[1] =
      static_cast<std::uint8_t>((narrow_base ? narrow_base_flag : 0) | (frame_local ? frame_local_flag : 0) |
                                (strong ? strong_flag : 0) | (visible ? visible_flag : 0));
}

void lane_addresses(const Step& step, Warp& warp, unsigned operand_index, std::uint64_t* at) {
  const std::uint64_t offset = address_offset(step, warp);
  if (has_narrow_base(step)) {
    const auto* base = warp.in<std::uint32_t>(step.operand[operand_index]);
    for (unsigned lane = 0; lane < warp_size; ++lane) at[lane] = static_cast<std::uint32_t>(base[lane] + offset);
  } else {
    const auto* base = warp.in<std::uint64_t>(step.operand[operand_index]);
    for (unsigned lane = 0; lane < warp_size; ++lane) at[lane] = base[lane] + offset;
  }
}

HostAddresses host_addresses(const Step& step, Warp& warp, LaneMask active, unsigned operand_index, unsigned size,
                             Access access) {
  HostAddresses addresses;
  lane_addresses(step, warp, operand_index, addresses.at);
  const auto kind = static_cast<PlaceKind>(step.small[0]);
  if (warp.block().watches_accesses() || !usual_case(warp, kind, addresses.at, active, size, access))
    translate_each(step, warp, addresses.at, active, size, access);
  return addresses;
}

}  // namespace kiln::emulator
