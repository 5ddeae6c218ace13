#include <kiln/tune.hpp>

#include "base/argument_error.hpp"
#include "base/log.hpp"
#include "base/passkey.hpp"
#include "capture/capture_pause.hpp"
#include "memory/context.hpp"
#include "tune/engine.hpp"
#include "tune/kernel_target.hpp"
#include "tune/parameter_effect.hpp"
#include "tune/tunable.hpp"

#include <memory>

namespace kiln {

TuneResult tune(const TunableKernel& kernel, const ProblemSize& problem, const TuneArguments& arguments,
                const TuneOptions& options) {
  TunableKernel::Impl& impl = kernel.impl(passkey);
  const TunableDefinition& definition = impl.use();
  if (problem.is_empty()) refuse("kiln::tune: the problem's sizes", "numbers above 0", "a 0, for which nothing is run");
  const CapturePause no_candidates;
  const TunedDevice& device = tuned_devices().at(static_cast<std::size_t>(current_device()));
  const TunableSpace space(definition, device.attributes, problem);
  const ValidConfigurations valid(space.space());
  if (!valid.fault().empty() && valid.count() != 0)
    log_message(LogLevel::warn,
                "TunableKernel " + kernel.name() +
                    ": configurations are left out whose size or restriction has no value: " + valid.fault());
  refuse_unused_parameters(definition, space, static_cast<bool>(options.objective), options.cancel);
  auto target = std::make_unique<KernelTarget>(definition, space, device, problem, arguments, options);
  TuneResult result;
  try {
    result = run_tuning(*target, valid, options);
  } catch (const DeviceLostError&) {
    if (target->is_stuck()) (void)target.release();
    throw;
  }
  if (result.all_alike)
    log_message(LogLevel::warn, "TunableKernel " + definition.key +
                                    ": all configurations that were tried are the same code, launched alike: there was "
                                    "nothing to compare, and wisdom keeps none of them");
  if (result.best) impl.keep_best(device, problem, *result.best, options, !result.all_alike);
  return result;
}

}  // namespace kiln
