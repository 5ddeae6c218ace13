#include "worker/remote/remote_connections.hpp"
#include "worker/remote/remote_fault.hpp"
#include "worker/remote/remote_jobs.hpp"

#include <chrono>
#include <cstdint>
#include <string>

namespace kiln {

namespace {

void report(RemoteStore& store, const RemoteReportJob& job, const RemoteAddress& address, RemoteReportAnswer& answer) {
  // A server that is silent has the time that a compile would give it; the patience is for one that answers.
  store.get({"trial"}, RemoteStore::Clock::now() + (job.in_brief ? address.connect_timeout : address.request_timeout));
  if (job.in_brief) return;
  const RemoteReport found = store.report(RemoteStore::Clock::now() + std::chrono::milliseconds(job.milliseconds));
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
