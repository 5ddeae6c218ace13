// What a profile counts, for one instruction, one line or one launch.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

namespace kiln::emulator {

/// Accesses to a space by one kind of operation have five counters one after the other, in the order of AccessCounter;
/// the kinds of operation follow each other, in the order of Operation.
enum class Counter : std::uint8_t {
  inst_executed,
  thread_inst_executed,
  thread_inst_executed_true,
  branches,
  branches_divergent,
  global_load_requests,
  global_store_requests = global_load_requests + 5,
  global_atomic_requests = global_store_requests + 5,
  local_load_requests = global_atomic_requests + 5,
  local_store_requests = local_load_requests + 5,
  shared_load_requests = local_store_requests + 5,
  shared_store_requests = shared_load_requests + 5,
  shared_atomic_requests = shared_store_requests + 5,
  atomic_threads = shared_atomic_requests + 5,
  atomic_conflicts,
  atomic_most_on_one_address,  // a maximum, not a sum
  constant_requests,
  constant_addresses,
  barrier_arrivals,
  barrier_steps_waited,
  flops_fp16,
  flops_fp32,
  flops_fp64,
  flops_tensor,
  count
};
constexpr std::size_t counter_count = static_cast<std::size_t>(Counter::count);

enum class Operation : std::uint8_t { load, store, atomic };

enum class AccessCounter : std::uint8_t {
  requests,
  units,         // sectors, or wavefronts of shared memory
  ideal,         // as few units as the bytes need
  extra,         // distinct bytes, or bank conflicts of shared memory
  thread_bytes,  // each thread's, summed
};

constexpr Counter counter_of(Counter first, Operation operation, AccessCounter what) {
  return static_cast<Counter>(static_cast<unsigned>(first) + 5 * static_cast<unsigned>(operation) +
                              static_cast<unsigned>(what));
}

struct Counters {
  std::array<std::uint64_t, counter_count> values{};

  std::uint64_t& operator[](Counter which) { return values[static_cast<std::size_t>(which)]; }
  std::uint64_t operator[](Counter which) const { return values[static_cast<std::size_t>(which)]; }
  /// Sums, and the larger one of a maximum.
  void add(const Counters& other);
};

/// How reports call a counter.
struct CounterName {
  std::string key;
  std::string unit;
  std::string nsight;  // Nsight Compute's metric; empty where it has none
  std::string text;
};
const CounterName& name_of(Counter counter);

}  // namespace kiln::emulator
