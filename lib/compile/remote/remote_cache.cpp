#include "compile/remote/remote_cache.hpp"

#include "base/argument_error.hpp"
#include "base/environment.hpp"
#include "cache/location.hpp"
#include "cache/notes.hpp"
#include "cache/remote/remote_manifest.hpp"
#include "cache/warning.hpp"
#include "compile/code/code_sections.hpp"
#include "compile/compiler/inform.hpp"
#include "compile/remote/remote_calls.hpp"

#include <kiln/error.hpp>

#include <sys/random.h>

#include <algorithm>
#include <array>
#include <utility>

namespace kiln {

namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

/// Another machine's compile is waited for so long.
constexpr std::chrono::seconds longest_wait{60};

/// No address where none can be used: that is an error where the options name it, and warned of otherwise.
RemotePlace usable_remotes(const CacheOptions& options, const CacheFolder& own) {
  const bool by_options = !options.remote.empty();
  RemotePlace place;
  try {
    place = remote_place(options, own);
  } catch (const ArgumentError& error) {
    if (by_options) throw;
    warn_of_cache(std::string(error.what()) + ". No remote cache is used");
  } catch (const Error& error) {  // of the environment's keys
    warn_of_cache(std::string(error.what()) + ". No remote cache is used");
  }
  std::erase_if(place.addresses, [&](const RemoteAddress& address) {
    const char* const why = why_unusable(address, place);
    if (why == nullptr) return false;
    if (by_options)
      throw_argument_error("CacheOptions::remote: " + address.shown() + ": " + why, "public keys", "none");
    warn_of_cache("the remote cache " + address.shown() + " is not used: " + why);
    return true;
  });
  return place;
}

/// A text that nobody else has.
std::string new_owner() {
  std::array<char, 16> bytes = {};
  if (::getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size())) return {};
  return hex_text({bytes.data(), bytes.size()});
}

WantedEntry wanted_of(const CacheRequest& request) { return {request.key, request.may_include, request.roots()}; }

}  // namespace

RemoteCache::RemoteCache(RemotePlace place, CacheStore& own, bool may_compile)
    : calls_(std::move(place)), own_(own), may_compile_(may_compile) {}

std::unique_ptr<RemoteCache> RemoteCache::of(const CacheOptions& options, CacheStore& own) {
  if (options.remote.empty() && !environment_has("KILN_CACHE_REMOTE")) return nullptr;
  RemotePlace place = usable_remotes(options, own.folder());
  if (place.addresses.empty()) return nullptr;
  const bool may_compile = !options.require_hit && !cache_required();
  return std::unique_ptr<RemoteCache>(new RemoteCache(std::move(place), own, may_compile));
}

RemoteCache::~RemoteCache() {
  if (owner_.empty()) return;
  try {
    calls_.release({calls_.place(), claimed_, owner_});
  } catch (const std::exception&) {  // the claim ends by itself
  }
}

bool RemoteCache::fetch(const CacheRequest& request, const Stop& stop) {
  const auto until = Clock::now() + longest_wait;
  milliseconds waited{0};
  for (bool wait = false;; wait = false) {
    if (fetch_once(request, stop, wait)) {
      inform(request.name, "found in a remote cache");
      return true;
    }
    const auto start = Clock::now();
    const auto left = std::chrono::duration_cast<milliseconds>(until - start);
    if (!wait || left.count() <= 0) break;
    inform(request.name, "another machine compiles it: waiting for a remote cache");
    const RemoteName first{wanted_of(request).first(), request.key.name};
    const bool goes_on = calls_.wait({calls_.usable_place(), first, static_cast<std::uint64_t>(left.count())}, stop);
    waited += std::chrono::duration_cast<milliseconds>(Clock::now() - start);
    if (!goes_on) break;
  }
  // A server may say of each key that somebody compiles it.
  RemoteBudget::get().charge(waited);
  return false;
}

bool RemoteCache::fetch_once(const CacheRequest& request, const Stop& stop, bool& wait) {
  const WantedEntry wanted = wanted_of(request);
  const Digest& name = request.key.name;
  const RemoteName first{wanted.first(), name};
  RemoteFound found = get_or_claim({first, {EntryKind::note, name}}, first, stop, wait);
  if (!found.values[1].empty() && adopt_note(own_, wanted, std::move(found.values[1]))) return true;
  if (found.values[0].empty()) return false;
  if (!wanted.may_include) return adopt_code(own_, wanted, name, {}, std::move(found.values[0]));
  auto variant = variant_here(own_, wanted, std::move(found.values[0]));
  if (!variant) {
    if (!get_or_claim({}, first, stop, wait).is_claimed) return false;
    // Another machine may have put the variant, and given its claim up, since the manifest was read.
    found = get_or_claim({first}, first, stop, wait);
    if (!found.values[0].empty()) variant = variant_here(own_, wanted, std::move(found.values[0]));
    if (!variant) return false;
  }
  RemoteFound code = get_or_claim({{EntryKind::code, variant->key}}, first, stop, wait);
  return adopt_code(own_, wanted, variant->key, variant->dependencies, std::move(code.values[0]));
}

RemoteFound RemoteCache::get_or_claim(std::vector<RemoteName> names, const RemoteName& claim, const Stop& stop,
                                      bool& wait) {
  // Of what is claimed already no second claim is made, and who may not compile has no use for one.
  const std::string owner = may_compile_ && owner_.empty() ? new_owner() : std::string();
  RemoteFound found = calls_.get({{}, std::move(names), 0, owner, claim}, stop);
  wait = found.is_claimed_by_other;
  if (found.is_claimed) {
    claimed_ = claim;
    owner_ = owner;
  }
  return found;
}

void RemoteCache::put(const CacheRequest& request, const Digest& key, const Dependencies& dependencies,
                      const Sections& sections) {
  Sections entry = sections;
  std::string manifest;
  if (request.may_include) {
    RemoteManifest of_this(request.key);
    of_this.add(key, dependencies);
    manifest = of_this.encode();
  } else {
    entry.add(request_label, request.key.request);
  }
  put(request, {EntryKind::code, key}, encode_entry(EntryKind::code, key, entry), std::move(manifest));
}

void RemoteCache::put_note(const CacheRequest& request, const Sections& sections) {
  Sections note = sections;
  note.add(request_label, request.key.request);
  put(request, {EntryKind::note, request.key.name}, encode_entry(EntryKind::note, request.key.name, note), {});
}

void RemoteCache::put(const CacheRequest& request, RemoteName name, std::string entry, std::string manifest) {
  RemotePutJob job{calls_.usable_place(), request.key.request,      std::move(manifest), name,
                   std::move(entry),      std::exchange(owner_, {})};
  if (calls_.can_put(job.place)) calls_.put(job);
}

namespace {

/// Without the request, which the cache adds itself.
Sections without_request(const Sections& sections) {
  Sections others;
  for (const auto& [label, content] : sections.all())
    if (label != request_label) others.add(label, content);
  return others;
}

}  // namespace

std::optional<RemoteManifest::Variant> variant_here(CacheStore& own, const WantedEntry& wanted, std::string file) {
  const auto manifest = RemoteManifest::decode(wanted.key, std::move(file));
  return manifest ? manifest->find(own.folder().files(), wanted.roots) : std::nullopt;
}

bool adopt_code(CacheStore& own, const WantedEntry& wanted, const Digest& key, const Dependencies& dependencies,
                std::string file) {
  const auto sections = decode_entry(EntryKind::code, key, std::move(file));
  if (!sections) return false;
  if (!wanted.may_include && sections->find(request_label) != wanted.key.request) return false;
  if (wanted.may_include && code_key(wanted.key.request, dependencies) != key) return false;
  const Sections code = without_request(*sections);
  if (from_sections(code) == nullptr) return false;
  bool stored = false;
  own.put(wanted.key, wanted.may_include, dependencies, code, &stored);
  return stored;
}

bool adopt_note(CacheStore& own, const WantedEntry& wanted, std::string file) {
  const auto sections = decode_entry(EntryKind::note, wanted.key.name, std::move(file));
  if (!sections || sections->find(request_label) != wanted.key.request) return false;
  put_note(own.folder(), wanted.key, without_request(*sections));
  return true;
}

}  // namespace kiln
