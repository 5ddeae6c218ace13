#include "emulator/profile/counters.hpp"

#include "base/fork_safe_instance.hpp"

#include <algorithm>
#include <vector>

namespace kiln::emulator {
namespace {

using CounterNames = std::vector<CounterName>;

constexpr const char* requests_text = "instructions of a warp that access this memory";
constexpr const char* thread_bytes_text = "bytes that threads ask for, each thread counted";

// Of global and local memory. `suffix` is Nsight Compute's word for the operation.
void add_sectors(CounterNames& names, const std::string& space, const std::string& operation,
                 const std::string& suffix) {
  const std::string key = space + "_" + operation + "_";
  const std::string metric = "_pipe_lsu_mem_" + space + "_op_" + suffix + ".sum";
  names.push_back({key + "requests", "requests", "l1tex__t_requests" + metric, requests_text});
  names.push_back(
      {key + "sectors", "sectors", "l1tex__t_sectors" + metric, "sectors of 32 bytes that the requests touch"});
  names.push_back({key + "sectors_ideal", "sectors",
                   space == "global" ? "memory_l2_theoretical_sectors_global_ideal" : "",
                   "as many sectors as the bytes of the lanes would fill side by side, at most as many as there are"});
  names.push_back({key + "bytes", "bytes", "", "distinct bytes of each request"});
  names.push_back({key + "thread_bytes", "bytes", "", thread_bytes_text});
}

void add_banks(CounterNames& names, const std::string& operation, const std::string& suffix) {
  const std::string key = "shared_" + operation + "_";
  names.push_back({key + "requests", "requests", "smsp__inst_executed_op_shared_" + suffix + ".sum", requests_text});
  names.push_back({key + "wavefronts", "wavefronts", "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_" + suffix + ".sum",
                   "passes through the banks of shared memory"});
  names.push_back(
      {key + "wavefronts_ideal", "wavefronts", "memory_l1_wavefronts_shared_ideal", "the passes without conflicts"});
  names.push_back({key + "bank_conflicts", "conflicts",
                   "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_" + suffix + ".sum",
                   "passes more than ideal, because lanes want different words of one bank"});
  names.push_back({key + "thread_bytes", "bytes", "", thread_bytes_text});
}

CounterNames made_names() {
  CounterNames names{
      {"inst_executed", "warp instructions", "inst_executed",
       "times that a warp, or a diverged part of it, executed the instruction (PTX here, SASS in Nsight Compute)"},
      {"thread_inst_executed", "thread instructions", "thread_inst_executed", "the lanes that were there, summed"},
      {"thread_inst_executed_true", "thread instructions", "thread_inst_executed_true",
       "of them: those whose predicate held"},
      {"branches", "warp instructions", "smsp__sass_branch_targets", "branches that may go more than one way"},
      {"branches_divergent", "warp instructions", "smsp__sass_branch_targets_threads_divergent.sum",
       "of them: those where the lanes of a warp went different ways"}};
  add_sectors(names, "global", "load", "ld");
  add_sectors(names, "global", "store", "st");
  add_sectors(names, "global", "atomic", "atom");
  add_sectors(names, "local", "load", "ld");
  add_sectors(names, "local", "store", "st");
  add_banks(names, "load", "ld");
  add_banks(names, "store", "st");
  add_banks(names, "atomic", "atom");
  names.push_back({"atomic_threads", "thread operations", "", "atomic operations of single threads"});
  names.push_back({"atomic_conflicts", "thread operations", "",
                   "of them: those on an address that an earlier lane of the request has, done one after the other"});
  names.push_back({"atomic_most_on_one_address", "lanes", "", "the most lanes of one request on one address"});
  names.push_back({"constant_requests", "requests", "", "loads of constant memory"});
  names.push_back({"constant_addresses", "addresses", "", "distinct addresses of each request: one is ideal"});
  names.push_back({"barrier_arrivals", "warps", "", "times that a warp, or a part of it, waited at a barrier"});
  names.push_back({"barrier_steps_waited", "instructions", "",
                   "instructions of the last warp that a warp waited for, summed over the warps"});
  for (const std::string type : {"fp16", "fp32", "fp64"})
    names.push_back({"flops_" + type, "operations", "", "additions, products and the like; fma is two"});
  names.push_back({"flops_tensor", "operations", "", "2 * m * n * k of each product of matrices"});
  return names;
}

// Never destroyed: reports are written at exit.
struct KeptNames {
  const CounterNames names = made_names();
};

}  // namespace

void Counters::add(const Counters& other) {
  constexpr auto most = static_cast<std::size_t>(Counter::atomic_most_on_one_address);
  for (std::size_t i = 0; i < counter_count; ++i)
    values[i] = i == most ? std::max(values[i], other.values[i]) : values[i] + other.values[i];
}

const CounterName& name_of(Counter counter) {
  return fork_safe_instance<KeptNames>().names.at(static_cast<std::size_t>(counter));
}

}  // namespace kiln::emulator
