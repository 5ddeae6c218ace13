#include "cache/listing.hpp"
#include "cache/remote/remote_names.hpp"
#include "cache/signing/signed_value.hpp"
#include "compile/jobs/entry_selection.hpp"
#include "worker/remote/remote_connections.hpp"
#include "worker/remote/remote_fault.hpp"
#include "worker/remote/remote_jobs.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

namespace kiln {

namespace {

/// Of how many values something is asked at once.
constexpr std::size_t most_at_once = 1000;

struct ListedName {
  std::string text;
  RemoteName name;
};

class Listing {
 public:
  Listing(RemoteStore& store, const RemoteListJob& job)
      : store_(store), selection_(job.selection), address_(job.place.addresses.front()) {}

  RemoteListed run() {
    auto names = store_.list(deadline());
    if (!names) throw_remote_fault(address_, "it cannot list what it has");
    std::vector<ListedName> some;
    for (std::string& text : *names) {
      const auto entry = entry_of_remote_name(text);
      if (!entry) continue;
      some.push_back({std::move(text), {entry->kind, entry->key}});
      if (some.size() == most_at_once) take(std::exchange(some, {}));
    }
    take(std::move(some));
    return std::move(listed_);
  }

 private:
  RemoteStore::Clock::time_point deadline() const { return RemoteStore::Clock::now() + address_.request_timeout; }

  static std::vector<std::string> texts_of(const std::vector<ListedName>& names) {
    std::vector<std::string> texts;
    texts.reserve(names.size());
    for (const ListedName& one : names) texts.push_back(one.text);
    return texts;
  }

  void take(std::vector<ListedName> names) {
    // Asked for first: to be looked at is to be used.
    if (selection_.newer_than) drop_old(names);
    std::vector<ListedName> code;
    std::vector<ListedName> others;
    for (ListedName& one : names) (one.name.kind == EntryKind::code ? code : others).push_back(std::move(one));
    take_some(code, has_filter(selection_) ? value_front_size + entry_front_size : 0);
    take_some(others, 0);
  }

  /// A manifest is as old as what it leads to.
  void drop_old(std::vector<ListedName>& names) {
    const auto times = store_.idle_times(texts_of(names), deadline());
    std::vector<ListedName> young;
    for (std::size_t i = 0; i < names.size(); ++i) {
      const bool is_young = times[i] && static_cast<std::uint64_t>(times[i]->count()) <= *selection_.newer_than;
      if (is_young || names[i].name.kind == EntryKind::manifest) young.push_back(std::move(names[i]));
    }
    listed_.has_meant |= young.size() < names.size();
    names = std::move(young);
  }

  void take_some(const std::vector<ListedName>& names, std::size_t front_bytes) {
    const std::vector<RemoteFront> fronts = store_.fronts(texts_of(names), front_bytes, deadline());
    for (std::size_t i = 0; i < names.size(); ++i) {
      const RemoteFront& front = fronts[i];
      if (front.size == 0 || (front_bytes > 0 && !is_code_meant(names[i].name.key, front))) continue;
      if (front.size <= RemoteStore::most_bytes) {
        listed_.values.push_back({names[i].name, front.size});
      } else if (names[i].name.kind == EntryKind::code) {
        ++listed_.too_large;
      }
    }
  }

  bool is_code_meant(const Digest& key, const RemoteFront& front) {
    if (front.bytes.size() <= value_front_size) return false;
    CacheEntry entry;
    entry.bytes = front.size - value_front_size;
    const std::string_view bytes = std::string_view(front.bytes).substr(value_front_size, entry_front_size);
    if (!describe_entry(entry, key, bytes)) return false;
    const bool meant = is_meant(selection_, entry.name, entry.arch);
    if (!meant) add_other(listed_.others, entry.name, entry.arch);
    listed_.has_meant |= meant;
    return meant;
  }

  RemoteStore& store_;
  const EntrySelection& selection_;
  const RemoteAddress& address_;
  RemoteListed listed_;
};

}  // namespace

RemoteListed list_remote(const RemoteListJob& job) {
  RemoteListed listed;
  use_remote(job.place.addresses.front(), [&](RemoteStore& store) { listed = Listing(store, job).run(); });
  return listed;
}

}  // namespace kiln
