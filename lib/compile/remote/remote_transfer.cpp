#include "compile/remote/remote_transfer.hpp"

#include "compile/options/arch.hpp"
#include "compile/remote/remote_place.hpp"
#include "compile/remote/remote_report.hpp"

#include <kiln/error.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <string>
#include <utility>

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

}  // namespace kiln
