#include "compile/jobs/bundled_headers.hpp"

#include "base/log.hpp"
#include "compile/jobs/job_library.hpp"
#include "compile/jobs/run_in_worker.hpp"
#include "compile/request/bundled_headers.hpp"

#include <string>
#include <vector>

namespace kiln {

namespace {

/// False where no process can be started, or NVRTC cannot do it.
bool unpack_in_worker(const Request& request, const std::string& folder) try {
  const JobHead head = job_head<UnpackHeadersJob>(nvrtc_for_job(request.compiler.identity));
  run_job(head, UnpackHeadersJob{folder}, {request.job.name, "NVRTC", request.job.stop});
  return true;
} catch (const CompileStopped&) {
  throw;
} catch (const Error& error) {
  log_message(LogLevel::info, error.what());
  return false;
}

}  // namespace

void unpack_bundled_headers(Request& request, CacheFolder* cache) {
  if (cache == nullptr || !request.compiler.uses_bundled_headers()) return;
  KeptTree tree = bundled_headers_in(*cache, request.compiler);
  const auto unpack = [&request](const std::string& folder) { return unpack_in_worker(request, folder); };
  if (needs_bundled_headers(request) && tree.make(unpack, request.job.stop)) use_bundled_headers(request, tree.path());
  if (!request.search.toolkit.empty()) tree.stamp();
}

bool have_repaired_headers(Request& request, CacheFolder* cache) {
  if (cache == nullptr || !request.compiler.uses_bundled_headers() || request.search.toolkit.empty()) return false;
  KeptTree tree = bundled_headers_in(*cache, request.compiler);
  if (tree.is_whole()) return false;
  log_message(LogLevel::warn, "the headers of NVRTC in " + tree.path() + " were damaged, and are unpacked again");
  return tree.repair([&request](const std::string& folder) { return unpack_in_worker(request, folder); },
                     request.job.stop);
}

}  // namespace kiln
