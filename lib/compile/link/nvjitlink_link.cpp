#include "compile/nvjitlink/link_outcome.hpp"

#include "base/fork_safe_instance.hpp"
#include "base/fork_safe_mutex.hpp"
#include "compile/jobs/job_library.hpp"
#include "compile/jobs/run_in_worker.hpp"
#include "compile/options/link_options.hpp"
#include "toolkit/libraries/nvjitlink_library.hpp"

#include <map>
#include <mutex>
#include <optional>
#include <utility>

namespace kiln {

namespace {

constexpr const char* nvjitlink_name = "nvJitLink";

struct NvJitLinkVersions {
  ForkSafeMutex mutex;
  std::map<std::string, Version> known;  // by identity
};

Version ask_version(const JobLibrary& library) {
  try {
    return run_job(job_head<NvJitLinkVersionJob>(library), NvJitLinkVersionJob{},
                   {"the version of nvJitLink", nvjitlink_name});
  } catch (const WorkerLost& lost) {
    throw ToolkitError("the compiler library " + library.path + " cannot be opened: " + lost.what(), {library.path});
  }
}

LinkOutcome crash_of(const LinkOrder& order, const WorkerLost& lost) {
  LinkOutcome outcome;
  outcome.linker = nvjitlink_name;
  outcome.options = nvjitlink_options(*order.options, order.arch, order.lto);
  outcome.failure = std::string("nvJitLink crashed, twice: ") + lost.what();
  outcome.error_log = lost.error_output();
  return outcome;
}

}  // namespace

LinkOutcome link_by_nvjitlink(const LinkOrder& order) {
  const JobHead head = job_head<LinkTask>(nvjitlink_for_job());
  try {
    auto result = run_job(head, LinkTask{order, *order.options}, {order.name, nvjitlink_name});
    if (result.failed_input > order.inputs.size()) result.failed_input = 0;
    if (result.failed_input != 0) result.outcome.failed_input = order.inputs[result.failed_input - 1].get();
    return std::move(result.outcome);
  } catch (const WorkerLost& lost) {
    return crash_of(order, lost);
  }
}

Version version_of_nvjitlink() {
  const JobLibrary library = nvjitlink_for_job();
  auto& memo = fork_safe_instance<NvJitLinkVersions>();
  {
    const std::lock_guard lock(memo.mutex);
    if (const auto found = memo.known.find(library.identity); found != memo.known.end()) return found->second;
  }
  const Version version = ask_version(library);
  const std::lock_guard lock(memo.mutex);
  return memo.known[library.identity] = version;
}

}  // namespace kiln
