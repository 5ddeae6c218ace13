#include <kiln/compile_all.hpp>

#include "compile/batch.hpp"
#include "toolkit/driver/driver.hpp"

#include <sched.h>

#include <algorithm>
#include <string>
#include <thread>

namespace kiln {

namespace {

/// The cores that this thread, and what it starts, may use.
unsigned usable_cores() {
  cpu_set_t cores;
  CPU_ZERO(&cores);
  if (::sched_getaffinity(0, sizeof cores, &cores) == 0) return static_cast<unsigned>(CPU_COUNT(&cores));
  return std::max(1U, std::thread::hardware_concurrency());  // more cores than the set can hold
}

}  // namespace

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
