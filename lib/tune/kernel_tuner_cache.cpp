#include <kiln/kernel_tuner_cache.hpp>

#include "base/passkey.hpp"
#include "base/utc_time.hpp"
#include "memory/context.hpp"
#include "tune/kernel_tuner_text.hpp"
#include "tune/tunable.hpp"

namespace kiln {

std::string kernel_tuner_cache(const TunableKernel& kernel, const ProblemSize& problem, const TuneResult& result) {
  const TunedDevice& device = tuned_devices().at(static_cast<std::size_t>(current_device()));
  return kernel_tuner_text({kernel.impl(passkey).use(), device.name, problem, utc_now()}, result);
}

}  // namespace kiln
