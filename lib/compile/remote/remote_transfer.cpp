#include "compile/remote/remote_transfer.hpp"

#include "cache/open_stores.hpp"
#include "cache/signing/public_keys.hpp"
#include "cache/signing/signing_key.hpp"
#include "compile/jobs/run_in_worker.hpp"
#include "compile/options/arch.hpp"
#include "compile/remote/remote_calls.hpp"

#include <kiln/cache.hpp>
#include <kiln/error.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kiln {

namespace {

/// For a person who waits, in place of what a compile may lose.
constexpr std::chrono::milliseconds transfer_patience{30'000};

EntrySelection selection_of(const TransferOptions& options) {
  EntrySelection selection{options.names, {}, std::nullopt};
  for (const std::string& arch : options.archs) selection.archs.push_back(asked_arch(arch).text());
  if (options.newer_than)
    selection.newer_than = static_cast<std::uint64_t>(std::max<std::int64_t>(options.newer_than->count(), 0));
  return selection;
}

RemotePlace place_of(const CacheFolder& folder, const TransferOptions& options) {
  CacheOptions caching;
  caching.remote = options.remote;
  caching.public_keys = options.public_keys;
  RemotePlace place = remote_place(caching, folder);
  if (place.addresses.empty()) throw Error(no_remote_named);
  return place;
}

/// That one, with patience once it has answered.
RemotePlace only_at(const RemotePlace& place, std::size_t index) {
  RemotePlace only = place;
  only.addresses = {place.addresses[index]};
  require_answer(only);
  RemoteAddress& address = only.addresses.front();
  address.connect_timeout = std::max(address.connect_timeout, transfer_patience);
  address.request_timeout = std::max(address.request_timeout, transfer_patience);
  return only;
}

const char* why_no_pull(const RemoteAddress& address) {
  if (address.is_redis()) return nullptr;
  return "an HTTP server does not list what it has, so that nothing can be pulled from it: programs take what they "
         "need from it by themselves, and kiln cache export and import move all entries";
}

void refuse_all_left_out(const std::vector<CacheTransfer>& all) {
  if (std::any_of(all.begin(), all.end(), [](const CacheTransfer& one) { return one.left_out.empty(); })) return;
  std::string text;
  for (const CacheTransfer& one : all)
    text += (text.empty() ? "the remote cache " : "; ") + one.address + ": " + one.left_out;
  throw Error(text);
}

template <class WhyNot, class Move>
std::vector<CacheTransfer> move_entries(CacheFolder& folder, const TransferOptions& options, WhyNot why_not,
                                        Move move) {
  folder.require_usable();
  const EntrySelection selection = selection_of(options);
  const RemotePlace place = place_of(folder, options);
  std::vector<CacheTransfer> all;
  for (const RemoteAddress& address : place.addresses) {
    CacheTransfer& one = all.emplace_back();
    one.address = address.shown();
    const char* const unusable = why_unusable(address, place);
    if (const char* const why = unusable != nullptr ? unusable : why_not(address, place)) one.left_out = why;
  }
  refuse_all_left_out(all);
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!all[i].left_out.empty()) continue;
    move(folder, only_at(place, i), selection, all[i]);
  }
  return all;
}

}  // namespace

std::vector<CacheTransfer> push_entries(CacheFolder& folder, const TransferOptions& options) {
  return move_entries(folder, options, why_no_put, push_to);
}

std::vector<CacheTransfer> pull_entries(CacheFolder& folder, const TransferOptions& options) {
  if (const int code = folder.prepare(); code != 0) throw_cache_error("make the cache folder", folder.root(), code);
  return move_entries(
      folder, options, [](const RemoteAddress& address, const RemotePlace&) { return why_no_pull(address); },
      pull_from);
}

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

RemoteCaches Cache::remotes(const std::string& remote) const {
  CacheOptions options;
  options.remote = remote;
  return report_remotes(options, open_store(directory_.string()).folder(), false);
}

std::vector<CacheTransfer> Cache::push(const TransferOptions& options) const {
  return push_entries(open_store(directory_.string()).folder(), options);
}

std::vector<CacheTransfer> Cache::pull(const TransferOptions& options) const {
  return pull_entries(open_store(directory_.string()).folder(), options);
}

}  // namespace kiln
