#include <kiln/tune.hpp>

#include "base/passkey.hpp"
#include "capture/capture_pause.hpp"
#include "memory/context.hpp"
#include "tune/engine.hpp"
#include "tune/kernel_target.hpp"
#include "tune/tunable.hpp"

#include <memory>

namespace kiln {

TuneResult tune(const TunableKernel& kernel, const ProblemSize& problem, const TuneArguments& arguments,
                const TuneOptions& options) {
  TunableKernel::Impl& impl = kernel.impl(passkey);
  const TunableDefinition& definition = impl.use();
  const CapturePause no_candidates;
  const TunedDevice& device = tuned_devices().at(static_cast<std::size_t>(current_device()));
  const TunableSpace space(definition, device.attributes, problem);
  const ValidConfigurations valid(space.space());
  auto target = std::make_unique<KernelTarget>(definition, space, device, problem, arguments, options);
  TuneResult result;
  try {
    result = run_tuning(*target, valid, options);
  } catch (const DeviceLostError&) {
    if (target->is_stuck()) (void)target.release();
    throw;
  }
  if (result.best) impl.keep_best(device, problem, *result.best, options);
  return result;
}

}  // namespace kiln
