#include "base/file_system.hpp"
#include "base/fork_safe_instance.hpp"
#include "base/fork_safe_mutex.hpp"
#include "compile/jobs/worker_compile.hpp"
#include "toolkit/locate/nvcc.hpp"

#include <kiln/compile.hpp>

#include <map>
#include <mutex>
#include <utility>

namespace kiln {

namespace {

struct NvccVersions {
  ForkSafeMutex mutex;
  std::map<std::pair<std::string, FileState>, NvccVersion> known;  // by path and state
};

}  // namespace

/// Asked once for each state of that file.
NvccVersion get_nvcc_version(const std::string& nvcc) {
  const std::string path = require_nvcc(nvcc);
  FileStatus status;
  FileSystem::real().status(path, status);
  const std::pair state(path, status.state());
  auto& memo = fork_safe_instance<NvccVersions>();
  {
    const std::lock_guard lock(memo.mutex);
    if (const auto found = memo.known.find(state); found != memo.known.end()) return found->second;
  }
  const NvccVersion version = nvcc_version_in_worker(path);
  const std::lock_guard lock(memo.mutex);
  memo.known[state] = version;
  return version;
}

}  // namespace kiln
