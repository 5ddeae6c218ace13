#include "emulator/core/settings.hpp"
#include "emulator/machine/block.hpp"
#include "emulator/machine/grid_tree.hpp"
#include "emulator/machine/launch_profile.hpp"
#include "emulator/machine/memory_checks.hpp"

#include <cstdio>
#include <mutex>

namespace kiln::emulator {
namespace {

using Clock = std::chrono::steady_clock;

Clock::time_point deadline_of_settings() {
  constexpr double longest_limit = 1e9;  // larger ones overflow the clock's numbers
  const double limit = Settings::get().time_limit;
  if (limit <= 0 || limit > longest_limit) return Clock::time_point::max();
  return Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(limit));
}

}  // namespace

struct LaunchState::Output {
  std::mutex mutex;
  std::string text;

  ~Output() {
    if (!text.empty()) write();
  }
  void write() {
    std::fwrite(text.data(), 1, text.size(), stdout);
    std::fflush(stdout);
    text.clear();
  }
};

LaunchState::LaunchState(const LaunchRequest& of)
    : request(&of), deadline(deadline_of_settings()), output(std::make_shared<Output>()), races(make_grid_races()) {}

LaunchState::LaunchState(const LaunchRequest& of, const LaunchState& root, Grid& in_tree)
    : request(&of), grid(&in_tree), deadline(root.deadline), output(root.output), races(make_grid_races()) {}

LaunchState::~LaunchState() = default;

void LaunchState::print(const std::string& text) {
  constexpr std::size_t kept_back = 64 * 1024;
  const std::lock_guard lock(output->mutex);
  output->text += text;
  if (output->text.size() >= kept_back) output->write();
}

Grid& grid_of(LaunchState& launch) {
  if (Grid* const known = launch.grid.load(std::memory_order_acquire)) return *known;
  const std::lock_guard lock(launch.mutex_);
  if (launch.own_tree_ == nullptr) {
    launch.own_tree_ = std::make_shared<GridTree>(launch);
    launch.grid.store(&launch.own_tree_->root(), std::memory_order_release);
  }
  return launch.own_tree_->root();
}

}  // namespace kiln::emulator
