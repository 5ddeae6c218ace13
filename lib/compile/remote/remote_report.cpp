#include "compile/remote/remote_report.hpp"

#include "cache/signing/public_keys.hpp"
#include "cache/signing/signing_key.hpp"
#include "compile/jobs/run_in_worker.hpp"
#include "compile/remote/remote_place.hpp"

#include <algorithm>
#include <chrono>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kiln {

namespace {

/// For a remote whose values are counted one by one.
constexpr std::chrono::milliseconds report_patience{30'000};

std::vector<RemoteReportAnswer> ask_all(const RemotePlace& place, bool in_brief) {
  if (place.addresses.empty()) return {};
  const RemoteReportJob job{place, in_brief, static_cast<std::uint64_t>(report_patience.count())};
  auto reports = run_job(job, {"remote caches", "a remote cache"});
  reports.all.resize(place.addresses.size());
  return std::move(reports.all);
}

void take(RemoteCacheReport& report, const RemoteReportAnswer& answer) {
  report.fault = without_address(answer.fault, report.address);
  if (!report.fault.empty()) return;
  report.server = answer.server;
  report.latency = std::chrono::microseconds(answer.latency);
  report.values = answer.values;
  if (answer.ahead_by) report.ahead_by = std::chrono::seconds(*answer.ahead_by);
  if (report.why_no_put.empty()) report.why_no_put = without_address(answer.write_fault, report.address);
}

std::vector<std::string> ids_of_public_keys(const RemotePlace& place) {
  if (place.public_keys.empty()) return {};
  std::vector<std::string> ids;
  for (const KeyId& id : kept_public_keys(place.public_keys).ids()) ids.push_back(hex_text(id.view()));
  return ids;
}

}  // namespace

void require_answer(const RemotePlace& place) {
  RemotePlace asked = place;
  // In brief that is all that it may take.
  for (RemoteAddress& address : asked.addresses)
    address.connect_timeout = std::max(address.connect_timeout, address.request_timeout);
  const std::string fault = ask_all(asked, true).front().fault;
  if (!fault.empty()) throw Error(fault);
}

RemoteCaches report_remotes(const CacheOptions& options, const CacheFolder& own, bool in_brief) {
  const RemotePlace place = remote_place(options, own);
  RemoteCaches caches;
  caches.public_keys = ids_of_public_keys(place);
  if (!place.signing_key.empty())
    caches.signing_key = hex_text(SigningKey(FileSystem::real(), place.signing_key).id().view());
  RemotePlace usable = place;
  std::erase_if(usable.addresses, [&](const RemoteAddress& address) { return why_unusable(address, place); });
  const std::vector<RemoteReportAnswer> answers = ask_all(usable, in_brief);
  std::size_t next = 0;
  for (const RemoteAddress& address : place.addresses) {
    RemoteCacheReport& report = caches.remotes.emplace_back();
    report.address = address.shown();
    if (const char* const why = why_no_put(address, place)) report.why_no_put = why;
    if (const char* const why = why_unusable(address, place)) {
      report.fault = why;
    } else {
      take(report, answers[next++]);
    }
  }
  return caches;
}

}  // namespace kiln
