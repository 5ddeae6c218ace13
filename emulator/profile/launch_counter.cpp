// Counts of the threads that run a launch's blocks, put together at its end.
#include "emulator/core/settings.hpp"
#include "emulator/machine/launch_profile.hpp"
#include "emulator/profile/block_counter.hpp"
#include "emulator/profile/profile_store.hpp"
#include "emulator/profile/reports.hpp"

#include <mutex>
#include <thread>
#include <utility>

namespace kiln::emulator {
namespace {

class LaunchCounter final : public LaunchProfile {
 public:
  LaunchCounter(LaunchEntry& entry, bool takes_samples) : entry_(entry), takes_samples_(takes_samples) {}

  std::unique_ptr<BlockProfile> of_block(const Block& block) override {
    return std::make_unique<BlockCounter>(block, counts_of_thread());
  }

  void end(bool failed) override {
    ProfileStore::get().end(entry_, cores_, failed);
    // A program that does not expect the failure may abort, and leave no report at its end.
    if (failed) write_profile_report();
  }

 private:
  CoreCounts& counts_of_thread() {
    const std::lock_guard lock(mutex_);
    CoreCounts*& known = by_thread_[std::this_thread::get_id()];
    if (known == nullptr) {
      known = cores_.emplace_back(std::make_unique<CoreCounts>()).get();
      known->takes_samples = takes_samples_;
    }
    return *known;
  }

  LaunchEntry& entry_;
  const bool takes_samples_;
  std::mutex mutex_;
  std::map<std::thread::id, CoreCounts*> by_thread_;
  std::vector<std::unique_ptr<CoreCounts>> cores_;
};

}  // namespace

std::unique_ptr<LaunchProfile> LaunchProfile::make_if_enabled(const LaunchRequest& request) {
  if (Settings::get().profile.empty()) return nullptr;
  write_profile_report_at_exit();
  bool is_sampled = false;
  LaunchEntry* const entry = ProfileStore::get().begin(request, is_sampled);
  if (entry == nullptr) return nullptr;
  return std::make_unique<LaunchCounter>(*entry, is_sampled);
}

}  // namespace kiln::emulator
