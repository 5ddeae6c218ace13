#include "emulator/ptx/special_names.hpp"

#include "emulator/ptx/cursor.hpp"

#include <array>

namespace kiln::emulator::ptx {

namespace {

constexpr std::array<std::string_view, 37> names = {
    "tid",
    "ntid",
    "ctaid",
    "nctaid",
    "laneid",
    "warpid",
    "nwarpid",
    "smid",
    "nsmid",
    "gridid",
    "is_explicit_cluster",
    "clusterid",
    "nclusterid",
    "cluster_ctaid",
    "cluster_nctaid",
    "cluster_ctarank",
    "cluster_nctarank",
    "lanemask_eq",
    "lanemask_le",
    "lanemask_lt",
    "lanemask_ge",
    "lanemask_gt",
    "clock",
    "clock_hi",
    "clock64",
    "globaltimer",
    "globaltimer_lo",
    "globaltimer_hi",
    "total_smem_size",
    "aggr_smem_size",
    "dynamic_smem_size",
    "reserved_smem_offset_begin",
    "reserved_smem_offset_end",
    "reserved_smem_offset_cap",
    "reserved_smem_offset_0",
    "reserved_smem_offset_1",
    "current_graph_exec",
};

// %envreg0 to %envreg31, %pm0 to %pm7 and %pm0_64 to %pm7_64.
bool is_numbered(std::string_view name, std::string_view prefix) {
  if (name.substr(0, prefix.size()) != prefix) return false;
  name.remove_prefix(prefix.size());
  if (name.size() == 4 && prefix == "pm" && name.substr(1) == "_64") name.remove_suffix(3);
  return !name.empty() && name.size() <= 2 && is_digit(name[0]) && is_digit(name.back());
}

}  // namespace

bool is_special_name(std::string_view name) {
  if (name.empty() || name[0] != '%') return false;
  name.remove_prefix(1);
  for (const std::string_view each : names)
    if (each == name) return true;
  return is_numbered(name, "envreg") || is_numbered(name, "pm");
}

}  // namespace kiln::emulator::ptx
