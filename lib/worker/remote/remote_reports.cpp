#include "worker/remote/remote_connections.hpp"
#include "worker/remote/remote_fault.hpp"
#include "worker/remote/remote_jobs.hpp"

#include <chrono>
#include <cstdint>
#include <string>

namespace kiln {

namespace {

void report(RemoteStore& store, const RemoteReportJob& job, const RemoteAddress& address, RemoteReportAnswer& answer) {
  const auto now = RemoteStore::Clock::now();
  if (job.in_brief) {
    store.get({"trial"}, now + address.connect_timeout);
    return;
  }
  const RemoteReport found = store.report(now + std::chrono::milliseconds(job.milliseconds));
  answer.server = found.server;
  answer.latency = static_cast<std::uint64_t>(found.latency.count());
  answer.write_fault = found.write_fault;
  answer.values = found.values;
  if (found.ahead_by) answer.ahead_by = found.ahead_by->count();
}

}  // namespace

RemoteReports report_of_remotes(const RemoteReportJob& job) {
  RemoteReports reports;
  for (const RemoteAddress& address : job.place.addresses) {
    RemoteReportAnswer& answer = reports.all.emplace_back();
    answer.fault =
        fault_in([&] { use_remote(address, [&](RemoteStore& store) { report(store, job, address, answer); }); });
  }
  return reports;
}

}  // namespace kiln
