// What a worker does with remote caches. Each function is the answer to its job.
#pragma once

#include "compile/jobs/worker_job.hpp"

#include <string>

namespace kiln {

RemoteFound get_from_remotes(const RemoteGetJob& job);
/// Returns before it is done: a process in the background does it.
std::string put_at_remotes(const RemotePutJob& job);
std::string wait_for_remote_claim(const RemoteWaitJob& job);
std::string release_remote_claim(const RemoteReleaseJob& job);
RemoteReports report_of_remotes(const RemoteReportJob& job);
/// These throw RemoteFault.
RemoteListed list_remote(const RemoteListJob& job);
RemotePushed push_to_remote(const RemotePushJob& job);

}  // namespace kiln
