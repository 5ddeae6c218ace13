#include "compile/remote/remote_calls.hpp"

#include "base/environment.hpp"
#include "cache/remote/remote_counters.hpp"
#include "cache/signing/public_keys.hpp"
#include "cache/signing/signing_key.hpp"
#include "cache/warning.hpp"
#include "compile/compiler/inform.hpp"

#include <kiln/error.hpp>

#include <algorithm>
#include <filesystem>
#include <mutex>
#include <utility>

namespace kiln {

namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

/// What a worker may take beyond what it was allowed, before it is ended.
constexpr milliseconds grace{200};

/// A deadline beside the user's own.
Stop limited(const Stop& stop, milliseconds time) {
  Stop both = stop;
  const auto until = Stop::Clock::now() + time + grace;
  both.deadline = both.deadline ? std::min(*both.deadline, until) : until;
  return both;
}

/// Why a job was not done.
struct NotDone {
  std::string text;
  bool is_unusable = false;  // by the worker's own answer: a remote's faults are no errors of the job
};

/// Nothing where no worker can do it in time. Throws CompileStopped where the user's own stop is due.
template <class Job>
std::optional<typename Job::Answer> ask(const Job& job, milliseconds time, const Stop& stop, NotDone& fault) {
  try {
    return run_job(job, {"remote cache", "a remote cache", limited(stop, time)});
  } catch (const CompileStopped&) {
    if (stop.is_due()) throw;
    fault.text = "no answer within " + std::to_string(time.count()) + " ms";
  } catch (const WorkerLost& error) {
    fault.text = error.what();
  } catch (const WorkerError& error) {
    fault.text = error.what();
  } catch (const Error& error) {
    fault = {error.what(), true};
  }
  return std::nullopt;
}

void note_faults(const RemotePlace& place, const std::optional<RemoteFound>& found, const NotDone& fault) {
  RemoteBudget& budget = RemoteBudget::get();
  if (!found) {  // a worker counts what it finds out itself
    for (const RemoteAddress& address : place.addresses) {
      RemoteCounters(FileSystem::real(), place.counters, address.shown()).add(Counter::corrupt);
      if (fault.is_unusable)
        budget.note_unusable(address.shown(), fault.text);
      else
        budget.note_fault(address.shown(), fault.text);
    }
    return;
  }
  for (const RemoteFound::Fault& one : found->faults) {
    const std::string remote = place.addresses.at(one.address).shown();
    budget.note_fault(remote, without_address(one.text, remote));
  }
}

}  // namespace

RemoteFound RemoteCalls::get(RemoteGetJob job, const Stop& stop) const {
  RemoteFound nothing;
  nothing.values.resize(job.names.size());
  job.place = usable_place();
  const milliseconds time = budget();
  if (job.place.addresses.empty() || time.count() == 0) return nothing;
  job.milliseconds = static_cast<std::uint64_t>(time.count());
  if (!can_put(job.place)) job.claim_owner.clear();
  const auto start = Clock::now();
  NotDone fault;
  auto found = ask(job, time, stop, fault);
  if (found && found->values.size() != job.names.size()) found.reset();
  note_faults(job.place, found, fault);
  const bool is_gain = found && std::any_of(found->values.begin(), found->values.end(),
                                            [](const std::string& value) { return !value.empty(); });
  const bool is_fault = !found || !found->faults.empty();
  const milliseconds taken = std::chrono::ceil<milliseconds>(Clock::now() - start);
  if (is_fault)
    RemoteBudget::get().charge(taken);
  else if (!is_gain)
    RemoteBudget::get().charge_miss(taken);
  return found ? *std::move(found) : nothing;
}

template <class Job>
bool RemoteCalls::run(const Job& job, milliseconds time, const Stop& stop) const {
  NotDone fault;
  if (ask(job, time, stop, fault)) return true;
  inform("remote cache", fault.text);
  return false;
}

template bool RemoteCalls::run(const RemotePutJob&, milliseconds, const Stop&) const;
template bool RemoteCalls::run(const RemoteWaitJob&, milliseconds, const Stop&) const;
template bool RemoteCalls::run(const RemoteReleaseJob&, milliseconds, const Stop&) const;

/// Without those that failed a short time ago.
RemotePlace RemoteCalls::usable_place() const {
  RemotePlace place = place_;
  std::erase_if(place.addresses,
                [](const RemoteAddress& address) { return RemoteBudget::get().is_paused(address.shown()); });
  return place;
}

bool RemoteCalls::can_put(const RemotePlace& place) const {
  return std::any_of(place.addresses.begin(), place.addresses.end(),
                     [&place](const RemoteAddress& address) { return why_no_put(address, place) == nullptr; });
}

/// What a call may take.
milliseconds RemoteCalls::budget() const {
  milliseconds longest{0};
  for (const RemoteAddress& address : place_.addresses) longest = std::max(longest, address.request_timeout);
  return std::min(longest, RemoteBudget::get().left());
}

RemoteBudget& RemoteBudget::get() {
  static auto* const budget = new RemoteBudget;  // never destroyed: a thread may compile while the process ends
  return *budget;
}

void RemoteBudget::allow(std::chrono::milliseconds all) {
  const std::lock_guard<ForkSafeMutex> lock(mutex_);
  all_ = all;
  lost_ = std::chrono::milliseconds(0);
  paused_until_.clear();
}

std::chrono::milliseconds RemoteBudget::left() const {
  const std::lock_guard<ForkSafeMutex> lock(mutex_);
  return std::max(all_ - lost_, std::chrono::milliseconds(0));
}

void RemoteBudget::charge(std::chrono::milliseconds time) {
  const std::lock_guard<ForkSafeMutex> lock(mutex_);
  lost_ += std::max(time, std::chrono::milliseconds(0));
}

void RemoteBudget::charge_miss(std::chrono::milliseconds time) {
  const std::lock_guard<ForkSafeMutex> lock(mutex_);
  lost_ += std::max(time - (had_miss_ ? free_miss : free_first_miss), std::chrono::milliseconds(0));
  had_miss_ = true;
}

bool RemoteBudget::is_paused(const std::string& remote) const {
  const std::lock_guard<ForkSafeMutex> lock(mutex_);
  const auto known = paused_until_.find(remote);
  return known != paused_until_.end() && Clock::now() < known->second;
}

void RemoteBudget::pause_remote(const std::string& remote) {
  const std::lock_guard<ForkSafeMutex> lock(mutex_);
  paused_until_[remote] = Clock::now() + pause;
}

void RemoteBudget::note_unusable(const std::string& remote, const std::string& why) {
  pause_remote(remote);
  warn_of_cache("the remote cache " + remote + " is not used: " + why);
}

void RemoteBudget::note_fault(const std::string& remote, const std::string& fault) {
  pause_remote(remote);
  warn_of_cache("the remote cache " + remote + " is not used for " + std::to_string(pause.count()) + " s: " + fault +
                ". Kiln goes on without it; KILN_CACHE_REMOTE names it, and `kiln cache stats` counts its faults");
}

RemotePlace remote_place(const CacheOptions& options, const CacheFolder& own) {
  RemotePlace place;
  place.public_keys = public_key_paths();
  for (const auto& path : options.public_keys) place.public_keys.push_back(std::filesystem::absolute(path).string());
  place.signing_key = signing_key_path().value_or("");
  place.counters = own.remotes_dir();
  place.addresses =
      parse_remotes(options.remote.empty() ? environment("KILN_CACHE_REMOTE").value_or("") : options.remote);
  return place;
}

std::string without_address(const std::string& fault, const std::string& shown) {
  const std::string beginning = "the remote cache " + shown + ": ";
  return fault.starts_with(beginning) ? fault.substr(beginning.size()) : fault;
}

const char* why_unusable(const RemoteAddress& address, const RemotePlace& place) noexcept {
  return address.is_unsigned || !place.public_keys.empty()
             ? nullptr
             : "compiled code is executed, so it is taken only with a valid signature, and there is no public key: "
               "KILN_CACHE_PUBLIC_KEYS names files or folders of them (kiln cache keygen makes a pair), or @unsigned "
               "behind the address says that everybody who can write there is trusted";
}

const char* why_no_put(const RemoteAddress& address, const RemotePlace& place) noexcept {
  if (address.read_only) return "read-only stands behind its address";
  if (address.is_unsigned || !place.signing_key.empty()) return nullptr;
  return "there is no key to sign with: KILN_CACHE_SIGNING_KEY names one (kiln cache keygen makes a pair)";
}

}  // namespace kiln
