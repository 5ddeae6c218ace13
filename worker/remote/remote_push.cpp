#include "cache/remote/remote_counters.hpp"
#include "cache/remote/remote_manifest.hpp"
#include "cache/remote/remote_names.hpp"
#include "cache/signing/signed_value.hpp"
#include "worker/remote/remote_connections.hpp"
#include "worker/remote/remote_jobs.hpp"
#include "worker/remote/remote_values.hpp"

#include <cstddef>
#include <iterator>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace kiln {

namespace {

/// Three requests for all groups: which entries exist, which manifests, and the upload.
class Push {
 public:
  Push(RemoteStore& store, const RemotePushJob& job, const RemoteValues& values)
      : store_(store), job_(job), values_(values), address_(job.place.addresses.front()) {}

  RemotePushed run() {
    look();
    std::vector<std::pair<std::string, std::string>> manifests;
    for (std::size_t i = 0; i < job_.groups.size(); ++i)
      if (is_group_new(i)) add(manifests, manifest_name(job_.groups[i]), merged(i));
    // Each after what it leads to.
    std::move(manifests.begin(), manifests.end(), std::back_inserter(values_to_put_));
    if (!values_to_put_.empty()) store_.put(values_to_put_, deadline());
    return pushed_;
  }

 private:
  using Group = RemotePushJob::Group;

  RemoteStore::Clock::time_point deadline() const { return RemoteStore::Clock::now() + address_.request_timeout; }

  static RemoteName manifest_name(const Group& group) { return {EntryKind::manifest, CacheKey{group.request}.name}; }

  void look() {
    std::vector<std::string> names;
    std::vector<std::string> manifests;
    for (const Group& group : job_.groups) {
      for (const auto& [name, entry] : group.entries) names.push_back(remote_name(name.kind, name.key));
      if (!group.manifest.empty()) manifests.push_back(remote_name(EntryKind::manifest, manifest_name(group).key));
    }
    fronts_ = store_.fronts(names, value_front_size, deadline());
    auto there = store_.get(manifests, deadline());
    std::size_t next = 0;
    for (const Group& group : job_.groups) {
      std::optional<RemoteManifest>& known = known_.emplace_back();
      if (group.manifest.empty()) continue;
      const RemoteName name = manifest_name(group);
      const std::optional<std::string>& value = there[next++];
      auto content = value ? values_.open(address_, name, *value) : std::nullopt;
      if (content) known = RemoteManifest::decode(name.key, *std::move(content));
    }
  }

  /// Adds the group's entries that are not there; whether the manifest that is there lacks any of them.
  bool is_group_new(std::size_t index) {
    const Group& group = job_.groups[index];
    bool lacks_any = false;
    for (const auto& [name, entry] : group.entries) {
      const bool is_missing = values_.is_outdated(address_, name.kind, fronts_[next_front_++].bytes);
      const bool is_unknown = !group.manifest.empty() && !(known_[index] && known_[index]->has(name.key));
      if (is_missing) add(values_to_put_, name, entry);
      lacks_any |= is_unknown;
      if (name.kind == EntryKind::code) ++(is_missing || is_unknown ? pushed_.pushed : pushed_.already_there);
    }
    return lacks_any;
  }

  std::string merged(std::size_t index) const {
    const std::string& own = job_.groups[index].manifest;
    std::string both = known_[index] ? known_[index]->with_newer(own) : own;
    return both.size() + value_front_size <= RemoteStore::most_bytes ? both : own;
  }

  void add(std::vector<std::pair<std::string, std::string>>& all, const RemoteName& name, const std::string& content) {
    all.emplace_back(remote_name(name.kind, name.key), values_.seal(name, content));
  }

  RemoteStore& store_;
  const RemotePushJob& job_;
  const RemoteValues& values_;
  const RemoteAddress& address_;
  std::vector<RemoteFront> fronts_;                   // of all groups' entries
  std::vector<std::optional<RemoteManifest>> known_;  // by group
  std::size_t next_front_ = 0;
  std::vector<std::pair<std::string, std::string>> values_to_put_;
  RemotePushed pushed_;
};

}  // namespace

RemotePushed push_to_remote(const RemotePushJob& job) {
  const RemoteAddress& address = job.place.addresses.front();
  const RemoteValues values(job.place);
  RemoteCounters counters(FileSystem::real(), job.place.counters, address.shown());
  RemotePushed pushed;
  try {
    use_remote(address, [&](RemoteStore& store) { pushed = Push(store, job, values).run(); });
  } catch (const RemoteFault&) {
    counters.add(Counter::store_failures);
    throw;
  }
  counters.add(Counter::stores, pushed.pushed);
  return pushed;
}

}  // namespace kiln
