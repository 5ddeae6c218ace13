#include "tune/kernel_target.hpp"

#include "base/digest.hpp"
#include "base/json_object.hpp"
#include "base/log.hpp"
#include "compile/record/record.hpp"
#include "module/load.hpp"
#include "toolkit/driver/driver.hpp"
#include "tune/parameter_effect.hpp"
#include "tune/tunable_request.hpp"
#include "tune/tunable_variants.hpp"

#include <kiln/context.hpp>
#include <kiln/module.hpp>

#include <chrono>
#include <string>
#include <thread>
#include <utility>

namespace kiln {

namespace {

using Clock = std::chrono::steady_clock;

std::string in_seconds(double seconds) { return std::to_string(seconds) + " s"; }

/// Whether nothing can be done with the context any more.
bool is_context_lost() {
  try {
    Event().record().synchronize();
    return false;
  } catch (const DriverError&) {
    return true;
  }
}

/// What a call of the driver said while a candidate ran.
[[noreturn]] void fail(const DriverError& error) {
  if (error.result() == CUDA_ERROR_LAUNCH_TIMEOUT) throw TuneFailure(TuneStatus::timed_out, error.what(), true);
  if (is_context_lost()) throw TuneFailure(TuneStatus::crashed, error.what(), true);
  throw TuneFailure(TuneStatus::launch_refused, error.what());
}

}  // namespace

LaunchClock::LaunchClock(CUstream stream, double limit_seconds, bool flush_l2)
    : stream_(stream), limit_seconds_(limit_seconds) {
  if (flush_l2) flush_.emplace();
}

void LaunchClock::put_in(const std::function<void()>& launch) try { launch(); } catch (const ArgumentError& error) {
  throw TuneFailure(TuneStatus::over_limits, error.what());
}

void LaunchClock::run(const std::function<void()>& launch) try {
  start_.record(stream_);
  put_in(launch);
  end_.record(stream_);
  wait_for_end();
} catch (const DriverError& error) {
  fail(error);
}

double LaunchClock::time(const std::function<void()>& launch) {
  if (!flush_) run(launch);
  try {
    if (flush_) flush_->put_into(stream_);
  } catch (const DriverError& error) {
    fail(error);
  }
  run(launch);
  return static_cast<double>(end_.time_since(start_)) / 1000;
}

/// Nothing stops a kernel, so one that is only slow is waited for a while longer.
void LaunchClock::wait_for_end() {
  const auto begin = Clock::now();
  const auto waited = [&] { return std::chrono::duration<double>(Clock::now() - begin).count(); };
  constexpr double spinning = 1e-3;
  while (!end_.query()) {
    if (waited() > 2 * limit_seconds_) {
      is_stuck_ = true;
      throw TuneFailure(TuneStatus::timed_out,
                        "a launch did not end in " + in_seconds(2 * limit_seconds_) + ", twice the limit", true);
    }
    if (waited() < spinning)
      std::this_thread::yield();
    else
      std::this_thread::sleep_for(std::chrono::microseconds(50));
  }
  const double seconds = static_cast<double>(end_.time_since(start_)) / 1000;
  if (seconds > limit_seconds_)
    throw TuneFailure(TuneStatus::timed_out,
                      "a launch took " + in_seconds(seconds) + ", and " + in_seconds(limit_seconds_) + " are allowed");
}

class KernelTarget::Variant : public TuneVariant {
 public:
  Variant(KernelTarget& target, const Configuration& configuration, CodeObject code, std::string name)
      : target_(target),
        config_(target.space_.launch_config(configuration)),
        code_(std::move(code)),
        name_(std::move(name)) {
    config_.stream = target_.stream_;
  }

  std::string program() const override {
    std::string text = code_identity(code_) + " " + name_;
    for (const std::uint32_t size :
         {config_.grid.x, config_.grid.y, config_.grid.z, config_.block.x, config_.block.y, config_.block.z})
      text += " " + std::to_string(size);
    return text + " " + std::to_string(config_.shared_size);
  }

  ~Variant() override {
    if (!target_.is_stuck()) target_.loaded_.erase(function_);
  }
  Variant(const Variant&) = delete;
  Variant& operator=(const Variant&) = delete;

  void load() override {
    try {
      function_ = std::make_shared<const Function>(Module(code_).get_function(name_));
      target_.loaded_.insert(function_);
    } catch (const DriverError& error) {
      throw TuneFailure(TuneStatus::launch_refused, error.what());
    } catch (const Error& error) {
      throw TuneFailure(TuneStatus::not_compiled, error.what());
    }
    try {
      check_limits_of(*function_, config_, target_.device_.ordinal);
    } catch (const ArgumentError& error) {
      throw TuneFailure(TuneStatus::over_limits, error.what());
    }
  }

  void run() {
    target_.outputs(*function_).restore();
    target_.clock_.run(launch());
  }

  void verify() override {
    run();
    if (target_.options_.reference) {
      if (!target_.options_.reference())
        throw TuneFailure(TuneStatus::wrong_result, "the reference says that its result is wrong");
      return;
    }
    if (const auto difference = target_.outputs(*function_).difference(target_.options_.tolerance))
      throw TuneFailure(TuneStatus::wrong_result, "its result is not the default configuration's: " + *difference);
  }

  double time() override {
    target_.outputs(*function_).restore();
    return target_.clock_.time(launch());
  }

  const Function& function() const { return *function_; }

 private:
  std::function<void()> launch() const {
    return [this] { target_.arguments_.launch(*function_, config_); };
  }

  KernelTarget& target_;
  LaunchConfig config_;
  const CodeObject code_;
  const std::string name_;
  std::shared_ptr<const Function> function_;
};

KernelTarget::KernelTarget(const TunableDefinition& definition, const TunableSpace& space, const TunedDevice& device,
                           const ProblemSize& problem, const TuneArguments& arguments, const TuneOptions& options)
    : definition_(definition),
      space_(space),
      device_(device),
      problem_(problem),
      arguments_(arguments),
      options_(options),
      clock_(stream_, options.launch_seconds, options.flush_l2) {
  synchronize();  // what other streams put into the arguments
}

KernelTarget::~KernelTarget() {
  if (!outputs_) return;
  try {
    outputs_->restore();
    stream_.synchronize();
  } catch (const std::exception&) {  // the device is lost
  }
}

std::unique_ptr<TuneVariant> KernelTarget::compile(const Configuration& configuration, const CancelToken& cancel) {
  TunableRequest request = request_of(definition_, space_.space().values(configuration));
  request.options.cancel = cancel;
  CodeObject code = compile_for_device(definition_.source, request.options, device_.ordinal);
  return std::make_unique<Variant>(*this, configuration, std::move(code), std::move(request.function));
}

void KernelTarget::make_reference(TuneVariant& variant) {
  auto& own = static_cast<Variant&>(variant);  // NOLINT(cppcoreguidelines-pro-type-static-cast-downcast): compile()'s
  own.run();
  if (!outputs(own.function()).make_reference())
    log_message(LogLevel::warn,
                "TunableKernel " + definition_.key +
                    ": the default configuration's launch changed nothing of what it may write, so that "
                    "a candidate which writes nothing passes for right: fill the outputs with other "
                    "values before, or choose another default");
}

TuneOutputs& KernelTarget::outputs(const Function& function) {
  if (!outputs_) outputs_.emplace(arguments_.memory(), function.parameters(), stream_);
  return *outputs_;
}

double KernelTarget::now() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

std::string KernelTarget::identity() const {
  std::vector<std::string> problem;
  for (std::size_t i = 0; i < problem_.dimensions(); ++i) problem.push_back(std::to_string(problem_[i]));
  const SizeTexts block = definition_.block_texts(), grid = definition_.grid_texts();
  const auto list = [](const SizeTexts& texts) { return std::vector<std::string>(texts.begin(), texts.end()); };
  std::vector<std::string> sizes;
  for (const detail::TunedMemory& one : arguments_.memory()) sizes.push_back(std::to_string(one.bytes));
  std::vector<std::string> defaults;
  for (const auto& [name, value] : space_.space().values(space_.default_configuration()))
    defaults.push_back(name + "=" + value.text());
  return JsonObject()
      .add("key", definition_.key)
      .add("kernel", definition_.name)
      .add("request", digest_of(source_request(definition_.source, definition_.options)).hex())
      .add("default", defaults)
      .add_json("argument_bytes", json_array(sizes))
      .add("reference", options_.reference ? "own " + options_.reference_key : "default")
      .add_json("tolerance", TuneValue(options_.tolerance).json())
      .add("block", list(block))
      .add("grid", list(grid))
      .add("shared", definition_.shared)
      .add("device", device_.name)
      .add("driver", device_.driver)
      .add_json("problem", json_array(problem))
      .add("flush_l2", options_.flush_l2)
      .text();
}

}  // namespace kiln
