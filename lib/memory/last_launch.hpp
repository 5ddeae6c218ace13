// Which kernel was launched last, so that the error of a kernel that went astray, which the driver tells at whatever
// call comes later and without a name, can say where to look.
#pragma once

#include <atomic>
#include <string>

namespace kiln {

/// What note_launch() writes.
struct LastLaunch {
  std::atomic<const std::string*> kernel{nullptr};
  std::atomic<bool> others{false};  // launched before it
};
extern LastLaunch last_launch;

/// After a launch that the driver took. The string is the kernel's own, and stays where it is until forget_launch().
/// Costs a load and a compare where the same kernel was launched before.
inline void note_launch(const std::string& kernel) noexcept {
  const std::string* const former = last_launch.kernel.load(std::memory_order_relaxed);
  if (former == &kernel) return;
  if (former != nullptr) last_launch.others.store(true, std::memory_order_relaxed);
  last_launch.kernel.store(&kernel, std::memory_order_relaxed);
}

/// Before a kernel's name goes away: keeps a copy, if the kernel was the last.
void forget_launch(const std::string& kernel) noexcept;

/// "the kernel launched last in this process was scale"; empty where none was.
std::string describe_last_launch();

}  // namespace kiln
