#include <kiln/compile_all.hpp>

#include "base/usable_cores.hpp"
#include "compile/batch.hpp"
#include "toolkit/driver/driver.hpp"

#include <algorithm>
#include <string>

namespace kiln {

unsigned default_jobs() {
  constexpr unsigned most_by_default = 16;
  return std::min(usable_cores(), most_by_default);
}

std::vector<CompileResult> compile_all(const std::vector<CompileRequest>& requests,
                                       const CompileProgressHandler& progress, unsigned jobs) {
  // Asked here: the threads that compile have no current device.
  const auto arch = initialised_device_arch();
  const std::string device_arch = arch ? "sm_" + std::to_string(*arch) : std::string();
  Batch batch(requests, std::vector<std::string>(requests.size(), device_arch));
  batch.run(jobs != 0 ? jobs : default_jobs(), progress);
  return batch.take();
}

}  // namespace kiln
