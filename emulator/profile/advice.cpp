#include "emulator/profile/advice.hpp"

#include <algorithm>
#include <bit>
#include <cstdio>
#include <string_view>
#include <unordered_map>

namespace kiln::emulator {
namespace {

using Severity = Advice::Severity;

std::string ratio_text(std::uint64_t part, std::uint64_t whole) {
  char text[32];
  const double quotient = static_cast<double>(part) / static_cast<double>(std::max<std::uint64_t>(whole, 1));
  std::snprintf(text, sizeof(text), "%.1f", quotient);
  std::string made = text;
  if (const std::size_t point = made.find_first_of(".,"); point != made.npos) made[point] = '.';
  return made.ends_with(".0") ? made.substr(0, made.size() - 2) : made;
}

std::string place_text(const InstructionCounts& row) {
  if (row.places.empty()) return "PTX line " + std::to_string(row.ptx_line);
  return "line " + std::to_string(row.places.front().line);
}

std::string plural(std::uint64_t count, const std::string& word) {
  return std::to_string(count) + " " + word + (count == 1 ? "" : "s");
}

// "; consecutive threads are 128 bytes apart"
std::string distance_text(const InstructionCounts& row) {
  if (!row.worst) return {};
  const auto stride = stride_of(*row.worst);
  if (!stride) return "; the addresses of consecutive threads are scattered";
  return "; consecutive threads are " + plural(static_cast<std::uint64_t>(*stride < 0 ? -*stride : *stride), "byte") +
         " apart";
}

// How the elements of wmma's fragments lie in the lanes is the emulator's choice, and so is what each lane accesses.
bool has_own_layout(const InstructionCounts& row) {
  const std::size_t opcode = row.text.starts_with('@') ? row.text.find(' ') + 1 : 0;
  return std::string_view(row.text).substr(opcode).starts_with("wmma.");
}

class Adviser {
 public:
  explicit Adviser(const LaunchEntry& entry) : entry_(entry) {}

  std::vector<Advice> all() {
    partial_warps();
    for (const auto& [name, instructions] : entry_.functions)
      for (const auto& [number, row] : instructions) about(row);
    std::stable_sort(found_.begin(), found_.end(), [](const Advice& a, const Advice& b) {
      return a.severity != b.severity ? a.severity < b.severity : a.weight > b.weight;
    });
    return std::move(found_);
  }

 private:
  void about(const InstructionCounts& row) {
    if (!has_own_layout(row)) {
      for (const Operation operation : {Operation::load, Operation::store}) global(row, operation);
      for (const Operation operation : {Operation::load, Operation::store}) banks(row, operation);
    }
    local(row);
    divergence(row);
    atomics(row);
    constants(row);
    barriers(row);
  }

  void add(const char* rule, Severity severity, const InstructionCounts& row, std::uint64_t weight,
           const std::string& text) {
    const std::string whole = place_text(row) + ": " + text;
    // The copies of an unrolled loop's instruction share one row.
    const auto [known, is_new] = numbers_.try_emplace(whole, found_.size());
    if (is_new)
      found_.push_back({rule, severity, &row, whole, weight});
    else
      found_[known->second].weight += weight;
  }

  void global(const InstructionCounts& row, Operation operation) {
    const auto counter = [&](AccessCounter what) {
      return row.counters[counter_of(Counter::global_load_requests, operation, what)];
    };
    const std::uint64_t requests = counter(AccessCounter::requests), sectors = counter(AccessCounter::units);
    const std::uint64_t ideal = counter(AccessCounter::ideal);
    if (sectors <= ideal) return;
    const std::string counts = ratio_text(sectors, requests) + " sectors a request";
    if (sectors >= 2 * ideal)
      return add("uncoalesced_global", sectors >= 4 * ideal ? Severity::high : Severity::medium, row, sectors - ideal,
                 counts + ", where " + ratio_text(ideal, requests) + " would do" + distance_text(row));
    const auto stride = row.worst ? stride_of(*row.worst) : std::nullopt;
    if (!stride || *stride != static_cast<std::int64_t>(row.worst->size)) return;
    const std::uint64_t behind = row.worst->at[first_lane(row.worst->lanes)] % 32;
    if (behind != 0)
      add("misaligned_global", Severity::low, row, sectors - ideal,
          counts + ", where " + ratio_text(ideal, requests) + " would do: a warp's first address is " +
              plural(behind, "byte") + " behind the beginning of a sector");
  }

  void banks(const InstructionCounts& row, Operation operation) {
    const auto counter = [&](AccessCounter what) {
      return row.counters[counter_of(Counter::shared_load_requests, operation, what)];
    };
    const std::uint64_t conflicts = counter(AccessCounter::extra), ideal = counter(AccessCounter::ideal);
    if (conflicts == 0) return;
    const std::uint64_t wavefronts = counter(AccessCounter::units);
    const Severity severity = wavefronts >= 4 * ideal   ? Severity::high
                              : wavefronts >= 2 * ideal ? Severity::medium
                                                        : Severity::low;
    const std::string each = ratio_text(conflicts, counter(AccessCounter::requests));
    std::string text = each + (each == "1" ? " bank conflict" : " bank conflicts") + " a request, so " +
                       ratio_text(wavefronts, ideal) + " passes instead of one" + distance_text(row);
    const auto stride = row.worst ? stride_of(*row.worst) : std::nullopt;
    if (stride && *stride % 128 == 0 && *stride != 0)
      text += ", all in the same bank: a row that is 4 bytes longer puts them in different ones";
    add("shared_bank_conflicts", severity, row, conflicts, text);
  }

  void local(const InstructionCounts& row) {
    const std::uint64_t bytes =
        row.counters[counter_of(Counter::local_load_requests, Operation::load, AccessCounter::thread_bytes)] +
        row.counters[counter_of(Counter::local_load_requests, Operation::store, AccessCounter::thread_bytes)];
    if (bytes != 0)
      add("local_memory", Severity::medium, row, bytes,
          "the access is to local memory, which is in device memory: a variable whose address is taken, or an array "
          "that is indexed by something else than a constant");
  }

  void divergence(const InstructionCounts& row) {
    const std::uint64_t all = row.counters[Counter::branches], apart = row.counters[Counter::branches_divergent];
    if (apart == 0 || row.shape == BranchShape::guard) return;
    // Where one way is empty nothing runs after the other: lanes are idle, in a few warps where elements end.
    if (row.shape == BranchShape::if_then && 2 * apart < all) return;
    add("divergent_branch", 2 * apart >= all ? Severity::medium : Severity::low, row, apart,
        std::to_string(apart) + " of " + std::to_string(all) +
            " times the lanes of a warp go different ways: these run one after the other");
  }

  void atomics(const InstructionCounts& row) {
    const std::uint64_t threads = row.counters[Counter::atomic_threads];
    const std::uint64_t conflicts = row.counters[Counter::atomic_conflicts];
    if (2 * conflicts < threads || conflicts == 0) return;
    const bool is_bad = 4 * conflicts >= 3 * threads;
    add("atomic_conflicts", is_bad ? Severity::high : Severity::medium, row, conflicts,
        "up to " + std::to_string(row.counters[Counter::atomic_most_on_one_address]) +
            " lanes of a warp update the same address at once, one after the other");
  }

  void constants(const InstructionCounts& row) {
    const std::uint64_t requests = row.counters[Counter::constant_requests];
    const std::uint64_t addresses = row.counters[Counter::constant_addresses];
    if (addresses < 2 * requests || requests == 0) return;
    add("constant_divergence", Severity::medium, row, addresses - requests,
        ratio_text(addresses, requests) +
            " different addresses of constant memory a request, read one after the other: one for all lanes is fast");
  }

  void barriers(const InstructionCounts& row) {
    const std::uint64_t arrivals = row.counters[Counter::barrier_arrivals];
    const std::uint64_t waited = row.counters[Counter::barrier_steps_waited];
    constexpr std::uint64_t much = 100;  // instructions a warp
    if (arrivals == 0 || waited < much * arrivals) return;
    add("barrier_wait", Severity::low, row, waited,
        "a warp waits here for " + ratio_text(waited, arrivals) +
            " instructions of others on average: the work is not evenly distributed");
  }

  void partial_warps() {
    const std::uint64_t threads = entry_.block.count();
    const std::uint64_t rest = threads % warp_size;
    if (rest == 0) return;
    const std::uint64_t warps = threads / warp_size + 1;
    found_.push_back({"partial_warps",
                      4 * rest < std::uint64_t{3} * warp_size && warps <= 4 ? Severity::medium : Severity::low, nullptr,
                      "a block of " + plural(threads, "thread") + " takes " + plural(warps, "warp") +
                          " of 32 threads, of which the last has " + std::to_string(rest),
                      warp_size - rest});
  }

  const LaunchEntry& entry_;
  std::vector<Advice> found_;
  std::unordered_map<std::string, std::size_t> numbers_;  // in found_, by the text
};

}  // namespace

std::optional<std::int64_t> stride_of(const AccessSample& sample) {
  std::optional<std::int64_t> stride;
  const LaneMask pairs = sample.lanes & (sample.lanes << 1);
  const LaneMask differ = lanes_where(pairs, [&](unsigned lane) {
    const auto now = static_cast<std::int64_t>(sample.at[lane] - sample.at[lane - 1]);
    if (!stride) stride = now;
    return *stride != now;
  });
  return differ == 0 ? stride : std::nullopt;
}

std::vector<Advice> advice_for(const LaunchEntry& entry) { return Adviser(entry).all(); }

}  // namespace kiln::emulator
