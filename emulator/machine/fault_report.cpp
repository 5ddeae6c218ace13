#include "emulator/machine/fault_report.hpp"

#include "emulator/machine/code_place.hpp"
#include "emulator/machine/executed_steps.hpp"
#include "emulator/machine/grid_tree.hpp"
#include "toolkit/names/kernel_name.hpp"

#include <bit>
#include <map>
#include <string_view>

namespace kiln::emulator {
namespace {

std::string kernel_and_block(const Block& block) {
  return "kernel " + demangle(block.request().kernel->name) + ", block " + block.index().text();
}

std::string place_lines(const Code& code, std::uint32_t step, const char* indent) {
  const std::uint32_t instruction = code.steps[step].instruction;
  std::string lines = ptx_place(code, instruction);
  for (const std::string& each : source_places(code, instruction)) lines += "\n" + std::string(indent) + each;
  return lines;
}

std::string callers(const Frame& frame) {
  constexpr unsigned most = 8;
  std::string lines;
  const Frame* callee = &frame;
  for (unsigned i = 0; callee->caller != nullptr; ++i, callee = callee->caller) {
    if (i == most) return lines + "\n  called by " + std::to_string(callee->depth) + " more";
    lines += "\n  called from " + place_lines(*callee->caller->code, callee->call_step, "    ");
  }
  return lines;
}

struct Threads {
  unsigned count = 0;
  Dim3 first;
};

// The places of the block's threads; threads at the same place are listed together.
std::string places(const Block& block) {
  std::map<std::pair<const Code*, std::uint32_t>, std::map<bool, Threads>> found;
  for (const auto& warp : block.warps()) {
    for (const Warp::Place& place : warp->places()) {
      Threads& threads = found[{place.code, place.step}][place.waiting];
      if (threads.count == 0) threads.first = block.thread(*warp, first_lane(place.lanes));
      threads.count += static_cast<unsigned>(std::popcount(place.lanes));
    }
  }
  std::string lines;
  for (const auto& [place, states] : found) {
    for (const auto& [waits, threads] : states) {
      lines += "\n  " + std::to_string(threads.count) +
               (threads.count == 1 ? " thread, " : " threads, the first of them ") + threads.first.text() +
               (threads.count == 1 ? (waits ? ", waits" : ", is") : (waits ? ", wait" : ", are")) + " at " +
               place_lines(*place.first, place.second, "    ");
    }
  }
  return lines;
}

// Those of each block that has not exited.
std::string places(const Cluster& cluster) {
  if (cluster.blocks().size() == 1) return places(*cluster.blocks().front());
  std::string lines;
  for (const auto& block : cluster.blocks())
    lines += "\n in block " + block->index().text() + ", rank " + std::to_string(block->cluster_rank()) +
             " of its cluster:" + (block->has_exited() ? "\n  it has exited" : places(*block));
  return lines;
}

// Empty where the host launched it.
std::string launch_of(const Grid* grid) {
  return grid == nullptr || grid->task == nullptr ? std::string() : launched_by(grid->task->of, grid->task->origin);
}

// The line of the CUDA source that a report has below a place, where `newline` is; empty where it has none.
std::string_view source_line_at(std::string_view report, std::size_t newline) {
  constexpr std::string_view indent = "\n    ";
  if (newline == report.npos || report.compare(newline, indent.size(), indent) != 0) return {};
  const std::size_t begin = newline + indent.size();
  return report.substr(begin, report.find('\n', begin) - begin);
}

}  // namespace

std::string launched_by(const Grid& grid, const ThreadPlace& thread) {
  constexpr unsigned most = 8;
  std::string lines;
  const Grid* launcher = &grid;
  const ThreadPlace* place = &thread;
  for (unsigned i = 0;; ++i) {
    if (i == most) return lines + "\n  launched by " + std::to_string(launcher->depth + 1) + " more";
    lines += "\n  launched by kernel " + demangle(launcher->request.kernel->name) + ", block " + place->block.text() +
             ", thread " + place->thread.text() + "\n  at " + place_lines(*place->code, place->step, "    ");
    if (launcher->task == nullptr) return lines;
    place = &launcher->task->origin;
    launcher = &launcher->task->of;
  }
}

std::string fault_report(const Block& block, const Fault& fault) {
  const Warp& warp = block.running();
  const Group& group = warp.current();
  std::string report =
      kernel_and_block(block) + ", thread " + block.thread(warp, fault.lane).text() + ": " + fault.text;
  const std::string launch = launch_of(block.launch().grid);
  if (group.frame == nullptr || group.pc == 0) return report + launch;
  return report + "\n  at " + place_lines(*group.frame->code, group.pc - 1, "    ") + callers(*group.frame) + launch;
}

std::string short_report(const std::string& report) {
  const std::size_t end = report.find('\n');
  std::string line = report.substr(0, end);
  // A text that ends with a place, as that of a race: the other access's.
  if (const std::string_view other = source_line_at(report, end); !other.empty()) line += ' ' + std::string(other);
  const std::size_t place = report.find("\n  at ");
  if (place == report.npos || place > report.find("\n  launched by ")) return line;
  const std::string_view own = source_line_at(report, report.find('\n', place + 1));
  if (own.empty()) return line;
  return line + (line.back() == ';' ? " " : "; ") + "the thread is at " + std::string(own);
}

std::string deadlock_report(const Cluster& cluster) {
  const bool alone = cluster.blocks().size() == 1;
  const std::string whose = alone ? "its threads wait" : "the threads of its cluster wait";
  const Block& first = *cluster.blocks().front();
  return kernel_and_block(first) + ": a deadlock, " + whose + " for each other and none can go on" + places(cluster) +
         launch_of(first.launch().grid);
}

std::string time_limit_report(const Cluster& cluster, const ExecutedSteps& last, std::uint64_t begun,
                              std::uint64_t all) {
  const Block& block = cluster.running();
  const std::string executed = last.most_executed();
  return kernel_and_block(block) + ": the launch runs longer than KILN_EMULATOR_TIME_LIMIT allows; " +
         std::to_string(begun) + " of " + std::to_string(all) + " blocks have begun" + places(cluster) +
         (executed.empty() ? executed : "\n  what they executed last, by how often:" + executed) +
         launch_of(block.launch().grid);
}

std::string time_limit_report(const Grid& grid) {
  return "kernel " + demangle(grid.request.kernel->name) +
         ": the launch that it belongs to runs longer than KILN_EMULATOR_TIME_LIMIT allows; none of its blocks has "
         "begun" +
         launch_of(&grid);
}

}  // namespace kiln::emulator
