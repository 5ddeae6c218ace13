#include "capture/capture_hook.hpp"

#include "base/file_size_limit.hpp"
#include "base/log.hpp"
#include "base/path_text.hpp"
#include "capture/capture_pause.hpp"
#include "capture/launch_capture.hpp"
#include "capture/not_captured.hpp"
#include "launch/launch_limits.hpp"
#include "memory/context.hpp"
#include "memory/relaxed_capture.hpp"
#include "memory/stream_context.hpp"

#include <exception>
#include <utility>

namespace kiln {

namespace {

std::string size_text_of(const ProblemSize& problem) {
  std::string text = std::to_string(problem[0]);
  for (std::size_t i = 1; i < problem.dimensions(); ++i) text += "x" + std::to_string(problem[i]);
  return text;
}

std::string launch_size_text(const LaunchConfig& config) {
  std::string text = text_of(config.grid) + "-" + text_of(config.block);
  if (config.shared_size != 0) text += "-" + std::to_string(config.shared_size);
  if (config.attributes.cluster != Dim3{}) text += "-cluster" + text_of(config.attributes.cluster);
  if (config.attributes.cooperative) text += "-cooperative";
  return text;
}

}  // namespace

CaptureHook::CaptureHook(CapturedKernel kernel, FileSystem& files)
    : kernel_(std::move(kernel)), files_(files), identity_(digest_of(kernel_.identity()).hex()) {}

void CaptureHook::set_inner(std::shared_ptr<LaunchHook> inner) {
  inner_owner_ = std::move(inner);
  inner_.store(inner_owner_.get(), std::memory_order_release);
}

void CaptureHook::warn_once(const std::string& reason, const std::string& kind) {
  {
    const std::lock_guard lock(mutex_);
    if (!warned_.insert(kind).second) return;
  }
  log_message(LogLevel::warn,
              "KILN_CAPTURE: a launch of kernel " + kernel_.display_name() + " is not captured: " + reason);
}

std::string CaptureHook::name_of(const LaunchConfig& config) const {
  const std::string problem = kernel_.tuning ? size_text_of(kernel_.tuning->problem) : launch_size_text(config);
  constexpr std::size_t digits = 8;
  return kernel_.short_name() + "-" + problem + "-" + digest_of(identity_ + problem).hex().substr(0, digits);
}

std::string CaptureHook::name_of_new(const HookedLaunch& launch) {
  std::string name = name_of(launch.config);
  {
    const std::lock_guard lock(mutex_);
    if (known_.count(name) != 0) return {};
  }
  if (inner_.load(std::memory_order_acquire) != nullptr || !launch.config.texrefs.empty())
    throw NotCaptured("its module has texture or surface references, whose memory a capture cannot find");
  if (!launch.config.attributes.raw.empty())
    throw NotCaptured("it has launch attributes that Kiln knows nothing of (LaunchAttributes::raw)");
  if (capture_status(launch.config.stream).value_or(CU_STREAM_CAPTURE_STATUS_ACTIVE) != CU_STREAM_CAPTURE_STATUS_NONE)
    throw NotCaptured("its stream is being captured into a graph, and nothing runs yet");
  const std::lock_guard lock(mutex_);
  return known_.insert(name).second ? name : std::string();
}

void CaptureHook::pass_on(const HookedLaunch& launch, const std::function<void()>& submit) const {
  if (LaunchHook* const inner = inner_.load(std::memory_order_acquire)) return inner->launch(launch, submit);
  submit();
}

void CaptureHook::launch(const HookedLaunch& launch, const std::function<void()>& submit) {
  std::string name;
  try {
    name = name_of_new(launch);
  } catch (const NotCaptured& fault) {
    warn_once(fault.reason(), fault.kind());
  }
  if (name.empty()) return pass_on(launch, submit);
  capture(launch, name, submit);
}

void CaptureHook::capture(const HookedLaunch& launch, const std::string& name, const std::function<void()>& submit) {
  std::optional<LaunchCapture> capture;
  const ContextGuard guard(stream_context(launch.config.stream));
  const auto attempt = [&](const auto& step) {
    const RelaxedCapture relaxed;  // another thread's stream may be being captured
    const FileSizeGuard limit;
    try {
      step();
    } catch (const NotCaptured& fault) {
      warn_once(fault.reason(), fault.kind());
      capture.reset();
    } catch (const std::exception& error) {
      warn_once(error.what(), error.what());
      capture.reset();
    }
  };
  attempt([&] {
    FileStatus status;
    if (files_.status(joined(kernel_.rule.dir, name), status) != 0) capture.emplace(kernel_, launch, files_);
  });
  submit();
  if (!capture) return;
  attempt([&] {
    if (capture->finish(name))
      log_message(LogLevel::info,
                  "a launch of kernel " + kernel_.display_name() + " is captured in " + joined(kernel_.rule.dir, name));
    capture.reset();
  });
}

std::shared_ptr<CaptureHook> capture_hook(const KernelInfo& kernel, const CodeObject& code,
                                          const ModuleVariables& variables) {
  if (CapturePause::is_on() || !are_captured()) return nullptr;
  std::optional<CaptureRule> rule = capture_rule(capture_names(kernel));
  if (!rule) return nullptr;
  return std::make_shared<CaptureHook>(CapturedKernel{*std::move(rule), kernel, code, variables});
}

}  // namespace kiln
