#include "emulator/lowering/special_registers.hpp"

#include "emulator/core/settings.hpp"
#include "emulator/machine/block.hpp"
#include "emulator/machine/wide_vectors.hpp"

#include <algorithm>
#include <chrono>
#include <span>

namespace kiln::emulator {
namespace {

using Value = std::uint64_t (*)(const Warp&, unsigned);

template <unsigned axis>
std::uint64_t thread_index(const Warp& warp, unsigned lane) {
  return warp.thread_positions(axis)[lane];
}
template <std::uint32_t Dim3::*axis>
std::uint64_t block_size(const Warp& warp, unsigned) {
  return warp.block().request().block.*axis;
}
template <std::uint32_t Dim3::*axis>
std::uint64_t block_index(const Warp& warp, unsigned) {
  return warp.block().index().*axis;
}
template <std::uint32_t Dim3::*axis>
std::uint64_t grid_size(const Warp& warp, unsigned) {
  return warp.block().request().grid.*axis;
}
template <std::uint64_t value>
std::uint64_t fixed_value(const Warp&, unsigned) {
  return value;
}

std::uint64_t warp_count(const Warp& warp, unsigned) { return warp.block().warps().size(); }
std::uint64_t warp_number(const Warp& warp, unsigned) { return warp.index(); }
std::uint64_t lane_number(const Warp&, unsigned lane) { return lane; }
std::uint64_t lane_equal(const Warp&, unsigned lane) { return std::uint64_t{1} << lane; }
std::uint64_t lanes_below(const Warp& warp, unsigned lane) { return lane_equal(warp, lane) - 1; }
std::uint64_t lanes_to(const Warp& warp, unsigned lane) { return lanes_below(warp, lane) | lane_equal(warp, lane); }
std::uint64_t lanes_above(const Warp& warp, unsigned lane) { return all_lanes & ~lanes_to(warp, lane); }
std::uint64_t lanes_from(const Warp& warp, unsigned lane) { return all_lanes & ~lanes_below(warp, lane); }

std::uint64_t grid_number(const Warp& warp, unsigned) { return warp.block().launch().grid_number; }

// Blocks are assigned to multiprocessors one after the other.
std::uint64_t processor_count(const Warp&, unsigned) { return Settings::get().cores; }
std::uint64_t processor(const Warp& warp, unsigned lane) {
  const Dim3 index = warp.block().index(), grid = warp.block().request().grid;
  return (index.x + std::uint64_t{grid.x} * (index.y + std::uint64_t{grid.y} * index.z)) % processor_count(warp, lane);
}

std::uint64_t nanoseconds(const Warp&, unsigned) {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(now).count());
}
std::uint64_t nanoseconds_high(const Warp& warp, unsigned lane) { return nanoseconds(warp, lane) >> 32; }

// A clock of about 1 GHz that runs on between blocks, as on hardware.
std::uint64_t clock_ticks(const Warp&, unsigned) {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(now).count());
}
std::uint64_t clock_high(const Warp& warp, unsigned lane) { return clock_ticks(warp, lane) >> 32; }

std::uint64_t shared_size(const Warp& warp, unsigned) { return warp.block().shared_size(); }
std::uint64_t dynamic_shared_size(const Warp& warp, unsigned) { return warp.block().request().shared_bytes; }

std::uint64_t reserved_shared_begin(const Warp& warp, unsigned) { return warp.block().reserved_shared_offset(); }
std::uint64_t reserved_shared_end(const Warp& warp, unsigned lane) {
  return reserved_shared_begin(warp, lane) + Block::reserved_shared_size;
}

std::uint64_t workspace_high(const Warp& warp, unsigned) { return warp.block().launch().cooperative_workspace >> 32; }
std::uint64_t workspace_low(const Warp& warp, unsigned) { return warp.block().launch().cooperative_workspace; }

std::uint64_t is_explicit_cluster(const Warp& warp, unsigned) { return warp.block().request().explicit_cluster; }
template <std::uint32_t Dim3::*axis>
std::uint64_t cluster_size(const Warp& warp, unsigned) {
  return warp.block().request().cluster.*axis;
}
template <std::uint32_t Dim3::*axis>
std::uint64_t cluster_index(const Warp& warp, unsigned lane) {
  return block_index<axis>(warp, lane) / cluster_size<axis>(warp, lane);
}
template <std::uint32_t Dim3::*axis>
std::uint64_t cluster_count(const Warp& warp, unsigned lane) {
  return grid_size<axis>(warp, lane) / cluster_size<axis>(warp, lane);
}
template <std::uint32_t Dim3::*axis>
std::uint64_t index_in_cluster(const Warp& warp, unsigned lane) {
  return block_index<axis>(warp, lane) % cluster_size<axis>(warp, lane);
}
std::uint64_t rank_in_cluster(const Warp& warp, unsigned) { return warp.block().cluster_rank(); }
std::uint64_t blocks_in_cluster(const Warp& warp, unsigned) { return warp.block().request().cluster.count(); }

constexpr SpecialRegister registers[] = {
    {"tid.x", 4, false, thread_index<0>},
    {"tid.y", 4, false, thread_index<1>},
    {"tid.z", 4, false, thread_index<2>},
    {"ntid.x", 4, true, block_size<&Dim3::x>},
    {"ntid.y", 4, true, block_size<&Dim3::y>},
    {"ntid.z", 4, true, block_size<&Dim3::z>},
    {"ctaid.x", 4, true, block_index<&Dim3::x>},
    {"ctaid.y", 4, true, block_index<&Dim3::y>},
    {"ctaid.z", 4, true, block_index<&Dim3::z>},
    {"nctaid.x", 4, true, grid_size<&Dim3::x>},
    {"nctaid.y", 4, true, grid_size<&Dim3::y>},
    {"nctaid.z", 4, true, grid_size<&Dim3::z>},
    {"laneid", 4, false, lane_number},
    {"warpid", 4, true, warp_number},
    {"nwarpid", 4, true, warp_count},
    {"lanemask_eq", 4, false, lane_equal},
    {"lanemask_lt", 4, false, lanes_below},
    {"lanemask_le", 4, false, lanes_to},
    {"lanemask_gt", 4, false, lanes_above},
    {"lanemask_ge", 4, false, lanes_from},
    {"smid", 4, true, processor},
    {"nsmid", 4, true, processor_count},
    {"gridid", 8, true, grid_number},
    {"clock", 4, true, clock_ticks},
    {"clock_hi", 4, true, clock_high},
    {"clock64", 8, true, clock_ticks},
    {"globaltimer", 8, true, nanoseconds},
    {"globaltimer_lo", 4, true, nanoseconds},
    {"globaltimer_hi", 4, true, nanoseconds_high},
    {"total_smem_size", 4, true, shared_size},
    {"aggr_smem_size", 4, true, shared_size},
    {"dynamic_smem_size", 4, true, dynamic_shared_size},
    {"reserved_smem_offset_begin", 4, true, reserved_shared_begin},
    {"reserved_smem_offset_end", 4, true, reserved_shared_end},
    {"reserved_smem_offset_cap", 4, true, reserved_shared_end},
    {"reserved_smem_offset_0", 4, true, reserved_shared_begin},
    {"reserved_smem_offset_1", 4, true, reserved_shared_begin},
    {"is_explicit_cluster", 0, true, is_explicit_cluster},
    {"clusterid.x", 4, true, cluster_index<&Dim3::x>},
    {"clusterid.y", 4, true, cluster_index<&Dim3::y>},
    {"clusterid.z", 4, true, cluster_index<&Dim3::z>},
    {"nclusterid.x", 4, true, cluster_count<&Dim3::x>},
    {"nclusterid.y", 4, true, cluster_count<&Dim3::y>},
    {"nclusterid.z", 4, true, cluster_count<&Dim3::z>},
    {"cluster_ctaid.x", 4, true, index_in_cluster<&Dim3::x>},
    {"cluster_ctaid.y", 4, true, index_in_cluster<&Dim3::y>},
    {"cluster_ctaid.z", 4, true, index_in_cluster<&Dim3::z>},
    {"cluster_nctaid.x", 4, true, cluster_size<&Dim3::x>},
    {"cluster_nctaid.y", 4, true, cluster_size<&Dim3::y>},
    {"cluster_nctaid.z", 4, true, cluster_size<&Dim3::z>},
    {"cluster_ctarank", 4, true, rank_in_cluster},
    {"cluster_nctarank", 4, true, blocks_in_cluster},
    {"current_graph_exec", 8, true, fixed_value<0>},
    {"envreg1", 4, true, workspace_high},
    {"envreg2", 4, true, workspace_low},
};

// Performance counters, and environment registers that no driver documents.
constexpr SpecialRegister zero_32 = {"", 4, true, fixed_value<0>}, zero_64 = {"", 8, true, fixed_value<0>};

// %tid of 32 bits, which nearly all kernels read.
void read_positions(const Step& step, Warp& warp, LaneMask active) {
  const std::uint32_t* const positions = warp.thread_positions(step.small[0]);
  assign_lanes(active, warp.out<std::uint32_t>(step.operand[0]), [=](unsigned lane) { return positions[lane]; });
}

template <class T>
void read(const Step& step, Warp& warp, LaneMask active, const SpecialRegister& source) {
  T* const out = warp.out<T>(step.operand[0]);
  if (source.same_in_warp) {
    const T value = static_cast<T>(source.value(warp, 0));
    assign_lanes(active, out, [=](unsigned) { return value; });
  } else {
    each_lane(active, [&](unsigned lane) { out[lane] = static_cast<T>(source.value(warp, lane)); });
  }
}

}  // namespace

const SpecialRegister* special_register(std::string_view name) {
  const auto found = std::find_if(std::begin(registers), std::end(registers),
                                  [=](const SpecialRegister& each) { return each.name == name; });
  if (found != std::end(registers)) return found;
  if (name.starts_with("envreg")) return &zero_32;
  if (name.starts_with("pm")) return name.ends_with("_64") ? &zero_64 : &zero_32;
  return nullptr;
}

namespace {

void read_any(const Step& step, Warp& warp, LaneMask active) {
  const SpecialRegister& source = *static_cast<const SpecialRegister*>(step.data);
  switch (step.small[0]) {
    case 0:
      return warp.set_mask(step.operand[0], active, source.value(warp, 0) != 0 ? all_lanes : 0);
    case 1:
      return read<std::uint8_t>(step, warp, active, source);
    case 2:
      return read<std::uint16_t>(step, warp, active, source);
    case 4:
      return read<std::uint32_t>(step, warp, active, source);
    default:
      return read<std::uint64_t>(step, warp, active, source);
  }
}

}  // namespace

void read_special(const SpecialRegister& source, unsigned size, Step& step) {
  step.run = for_processor<&read_any>();
  step.small[0] = static_cast<std::uint8_t>(size);
  step.data = &source;
  if (size != 4 || !source.name.starts_with("tid.")) return;
  step.run = for_processor<&read_positions>();
  step.small[0] = static_cast<std::uint8_t>(source.name.back() - 'x');
}

}  // namespace kiln::emulator
