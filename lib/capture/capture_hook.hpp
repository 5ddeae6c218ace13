// CaptureHook: around a kernel's launches, writes those that are to be captured.
#pragma once

#include "base/digest.hpp"
#include "base/file_system.hpp"
#include "base/fork_safe_mutex.hpp"
#include "capture/captured_kernel.hpp"
#include "launch/kernel.hpp"

#include <atomic>
#include <memory>
#include <mutex>
#include <set>
#include <string>

namespace kiln {

/// Each problem size is captured once, by the first process that is done with it. What goes wrong with a capture is a
/// warning, and the launch is made all the same. Thread-safe.
class CaptureHook : public LaunchHook {
 public:
  explicit CaptureHook(CapturedKernel kernel, FileSystem& files = FileSystem::real());

  /// From now on launches go through that hook too, which binds texture references: they are not captured. To be
  /// called once.
  void set_inner(std::shared_ptr<LaunchHook> inner);

  void launch(const HookedLaunch& launch, const std::function<void()>& submit) override;

 private:
  void pass_on(const HookedLaunch& launch, const std::function<void()>& submit) const;
  void capture(const HookedLaunch& launch, const std::string& name, const std::function<void()>& submit);
  /// The folder's name; empty where there is nothing to capture.
  std::string name_of_new(const HookedLaunch& launch);
  std::string name_of(const LaunchConfig& config) const;
  void warn_once(const std::string& reason, const std::string& kind);

  const CapturedKernel kernel_;
  FileSystem& files_;
  const std::string identity_;  // a digest
  std::atomic<LaunchHook*> inner_{nullptr};
  std::shared_ptr<LaunchHook> inner_owner_;
  ForkSafeMutex mutex_;  // of the two below
  std::set<std::string> known_;
  std::set<std::string> warned_;
};

/// The hook of a kernel that KILN_CAPTURE names; null for every other one, and within a CapturePause.
std::shared_ptr<CaptureHook> capture_hook(const KernelInfo& kernel, const CodeObject& code,
                                          const ModuleVariables& variables);

}  // namespace kiln
