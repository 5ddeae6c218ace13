#include "worker/remote/remote_jobs.hpp"

#include "base/log.hpp"
#include "cache/remote/remote_counters.hpp"
#include "cache/remote/remote_manifest.hpp"
#include "cache/remote/remote_names.hpp"
#include "worker/background/background_process.hpp"
#include "worker/remote/remote_claims.hpp"
#include "worker/remote/remote_connections.hpp"
#include "worker/remote/remote_values.hpp"

#include <sys/wait.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

namespace kiln {

namespace {

using Clock = RemoteStore::Clock;

/// A put that takes longer is given up.
constexpr unsigned longest_put = 30;  // seconds

Clock::time_point deadline_of(const RemoteAddress& address) { return Clock::now() + address.request_timeout; }

bool may_put(const RemoteAddress& address, const RemoteValues& values) {
  return !address.read_only && values.can_seal(address);
}

/// One remote after the other, until all values are found.
class Get {
 public:
  explicit Get(const RemoteGetJob& job)
      : job_(job), values_(job.place), deadline_(Clock::now() + std::chrono::milliseconds(job.milliseconds)) {
    found_.values.resize(job.names.size());
  }

  RemoteFound run() {
    for (std::size_t i = 0; i < job_.place.addresses.size() && !missing().empty(); ++i)
      at(i, [&](RemoteStore& store, RemoteCounters& counters) { take(store, i, counters); });
    const bool is_missing = found_.values.empty() || found_.values.front().empty();
    if (!job_.claim_owner.empty() && is_missing) claim();
    return std::move(found_);
  }

 private:
  template <class Use>
  bool at(std::size_t index, const Use& use) {
    const RemoteAddress& address = job_.place.addresses[index];
    RemoteCounters counters(FileSystem::real(), job_.place.counters, address.shown());
    try {
      use_remote(address, [&](RemoteStore& store) { use(store, counters); });
      return true;
    } catch (const RemoteFault& fault) {
      counters.add(Counter::corrupt);
      found_.faults.push_back({index, fault.what()});
      return false;
    }
  }
  std::vector<std::size_t> missing() const {
    std::vector<std::size_t> all;
    for (std::size_t i = 0; i < found_.values.size(); ++i)
      if (found_.values[i].empty()) all.push_back(i);
    return all;
  }
  void take(RemoteStore& store, std::size_t index, RemoteCounters& counters) {
    const std::vector<std::size_t> wanted = missing();
    std::vector<std::string> names;
    names.reserve(wanted.size());
    for (const std::size_t i : wanted) names.push_back(remote_name(job_.names[i].kind, job_.names[i].key));
    const auto values = store.get(names, std::min(deadline_, deadline_of(job_.place.addresses[index])));
    for (std::size_t i = 0; i < wanted.size(); ++i) take(values[i], wanted[i], index, counters);
  }
  void take(const std::optional<std::string>& value, std::size_t which, std::size_t index, RemoteCounters& counters) {
    const RemoteName& name = job_.names[which];
    auto content = value ? values_.open(job_.place.addresses[index], name, *value) : std::nullopt;
    const Counter what = content ? Counter::hits : value ? Counter::refused : Counter::misses;
    const bool is_counted = content || (!found_.is_claimed && name.kind != EntryKind::note);
    if (is_counted) counters.add(what);
    if (what == Counter::refused) refuse(job_.place.addresses[index], name, *value);
    if (content) found_.values[which] = *std::move(content);
  }

  void refuse(const RemoteAddress& address, const RemoteName& name, const std::string& value) {
    found_.refused.push_back(values_.why_refused(address, name.kind, value));
    log_message(LogLevel::info, "the remote cache " + address.shown() + ": the value " +
                                    remote_name(name.kind, name.key) + " is refused: " + found_.refused.back());
  }

  /// At the first remote that has claims, and where this process can upload its code.
  void claim() {
    const auto has_failed = [&](std::size_t index) {
      return std::any_of(found_.faults.begin(), found_.faults.end(),
                         [index](const RemoteFound::Fault& fault) { return fault.address == index; });
    };
    for (std::size_t i = 0; i < job_.place.addresses.size(); ++i) {
      const RemoteAddress& address = job_.place.addresses[i];
      if (!address.is_redis() || has_failed(i) || !may_put(address, values_)) continue;
      at(i, [&](RemoteStore& store, RemoteCounters& counters) { claim(store, i, counters); });
      return;
    }
  }
  void claim(RemoteStore& store, std::size_t index, RemoteCounters& counters) {
    const RemoteAddress& address = job_.place.addresses[index];
    const std::string name = remote_name(job_.claim.kind, job_.claim.key);
    const auto claimed = store.claim(name, job_.claim_owner, std::min(deadline_, deadline_of(address)));
    // Then nobody has one there, and existing values are read.
    if (claimed == RemoteStore::Claimed::refused) return;
    if (claimed == RemoteStore::Claimed::of_other) {
      found_.is_claimed_by_other = true;
      counters.add(Counter::waits);
      return;
    }
    found_.is_claimed = true;
    keep_claim(address, name, job_.claim_owner);
    // Another machine may have uploaded it, and released its claim, since the look-up.
    if (!missing().empty()) take(store, index, counters);
  }

  const RemoteGetJob& job_;
  const RemoteValues values_;
  const Clock::time_point deadline_;
  RemoteFound found_;
};

/// With the variants that are there, read, merged and written back: of two who do it at once one loses its variant,
/// which is a miss.
std::string merged(RemoteStore& store, const RemoteAddress& address, const RemoteValues& values, const RemoteName& name,
                   const RemotePutJob& job) {
  const auto there = store.get({remote_name(name.kind, name.key)}, deadline_of(address)).front();
  auto content = there ? values.open(address, name, *there) : std::nullopt;
  const auto older = content ? RemoteManifest::decode(name.key, *std::move(content)) : std::nullopt;
  return older ? older->with_newer(job.manifest) : job.manifest;
}

void put_at(RemoteStore& store, const RemoteAddress& address, const RemoteValues& values, const RemotePutJob& job,
            RemoteCounters& counters) {
  std::vector<std::pair<std::string, std::string>> all;
  const auto add = [&](const RemoteName& name, const std::string& content) {
    all.emplace_back(remote_name(name.kind, name.key), values.seal(name, content));
  };
  add(job.name, job.entry);
  // After what it leads to.
  if (!job.manifest.empty()) {
    const RemoteName manifest{EntryKind::manifest, CacheKey{job.request}.name};
    add(manifest, merged(store, address, values, manifest, job));
  }
  const bool fits = std::all_of(all.begin(), all.end(),
                                [](const auto& value) { return value.second.size() <= RemoteStore::most_bytes; });
  if (fits) store.put(all, deadline_of(address));
  counters.add(fits ? Counter::stores : Counter::store_failures);
}

/// At each remote of the place; a fault at one is not a fault at another.
template <class Use>
void at_each(const RemotePlace& place, const Use& use) {
  for (const RemoteAddress& address : place.addresses) {
    RemoteCounters counters(FileSystem::real(), place.counters, address.shown());
    try {
      use_remote(address, [&](RemoteStore& store) { use(store, address, counters); });
    } catch (const RemoteFault&) {
      counters.add(Counter::store_failures);
    }
  }
}

RemoteName claimed_name(const RemotePutJob& job) {
  return job.manifest.empty() ? job.name : RemoteName{EntryKind::manifest, CacheKey{job.request}.name};
}

void release(const RemotePlace& place, const RemoteName& name, const std::string& owner) {
  if (owner.empty()) return;
  for (const RemoteAddress& address : place.addresses) {
    if (!address.is_redis() || address.read_only) continue;
    try {
      use_remote(address, [&](RemoteStore& store) {
        store.release(remote_name(name.kind, name.key), owner, deadline_of(address));
      });
    } catch (const RemoteFault&) {  // it expires
    }
  }
}

/// Takes the ends of earlier ones.
void reap(std::vector<pid_t>& processes) {
  std::erase_if(processes, [](pid_t process) { return ::waitpid(process, nullptr, WNOHANG) != 0; });
}

}  // namespace

RemoteFound get_from_remotes(const RemoteGetJob& job) { return Get(job).run(); }

std::string put_at_remotes(const RemotePutJob& job) {
  static std::vector<pid_t> putters;
  reap(putters);
  drop_claim(job.claim_owner);
  std::unique_lock<std::mutex> closed = close_remotes();
  const pid_t putter = start_in_background("kiln-put", longest_put, [&job, &closed] {
    closed.unlock();
    const RemoteValues values(job.place);
    at_each(job.place, [&](RemoteStore& store, const RemoteAddress& address, RemoteCounters& counters) {
      if (may_put(address, values)) put_at(store, address, values, job, counters);
    });
    release(job.place, claimed_name(job), job.claim_owner);
  });
  if (putter > 0) putters.push_back(putter);
  return {};
}

std::string wait_for_remote_claim(const RemoteWaitJob& job) {
  const auto until = Clock::now() + std::chrono::milliseconds(job.milliseconds);
  for (const RemoteAddress& address : job.place.addresses) {
    if (!address.is_redis() || address.read_only) continue;
    use_remote(address,
               [&](RemoteStore& store) { store.wait_for_claim(remote_name(job.name.kind, job.name.key), until); });
    break;
  }
  return {};
}

std::string release_remote_claim(const RemoteReleaseJob& job) {
  drop_claim(job.claim_owner);
  release(job.place, job.name, job.claim_owner);
  return {};
}

}  // namespace kiln
