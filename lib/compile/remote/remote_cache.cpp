#include "compile/remote/remote_cache.hpp"

#include "base/argument_error.hpp"
#include "base/environment.hpp"
#include "cache/remote/remote_manifest.hpp"
#include "cache/signing/public_keys.hpp"
#include "cache/signing/signing_key.hpp"
#include "cache/warning.hpp"
#include "compile/compiler/inform.hpp"
#include "compile/remote/remote_adoption.hpp"

#include <kiln/error.hpp>

#include <sys/random.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <utility>

namespace kiln {

namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

/// Another machine's compile is waited for so long.
constexpr std::chrono::seconds longest_wait{60};

/// False where the environment names keys that cannot be meant, which is warned of.
bool take_keys_of_environment(RemotePlace& place) try {
  place.public_keys = public_key_paths();
  place.signing_key = signing_key_path().value_or("");
  return true;
} catch (const Error& error) {
  warn_of_cache(std::string(error.what()) + ". No remote cache is used");
  return false;
}

const char* why_unusable(const RemoteAddress& address, const RemotePlace& place) {
  return address.is_unsigned || !place.public_keys.empty()
             ? nullptr
             : "compiled code is executed, so it is taken only with a valid signature, and there is no public key: "
               "KILN_CACHE_PUBLIC_KEYS names files or folders of them (kiln cache keygen makes a pair), or @unsigned "
               "behind the address says that everybody who can write there is trusted";
}

void add_addresses(RemotePlace& place, std::vector<RemoteAddress> addresses, bool by_options) {
  for (RemoteAddress& address : addresses) {
    if (const char* const why = why_unusable(address, place)) {
      if (by_options)
        throw_argument_error("CacheOptions::remote: " + address.shown() + ": " + why, "public keys", "none");
      warn_of_cache("the remote cache " + address.shown() + " is not used: " + why);
      continue;
    }
    place.addresses.push_back(std::move(address));
  }
}

void add_addresses_of_environment(RemotePlace& place) {
  const auto text = environment("KILN_CACHE_REMOTE");
  if (!text) return;
  try {
    add_addresses(place, parse_remotes(*text), false);
  } catch (const ArgumentError& error) {
    warn_of_cache(std::string(error.what()) + ". No remote cache is used");
  }
}

/// A text that nobody else has.
std::string new_owner() {
  std::array<char, 16> bytes = {};
  if (::getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size())) return {};
  return hex_text({bytes.data(), bytes.size()});
}

WantedEntry wanted_of(const CacheRequest& request) { return {request.key, request.may_include, request.roots()}; }

}  // namespace

RemoteCache::RemoteCache(RemotePlace place, CacheStore& own) : calls_(std::move(place)), own_(own) {}

std::unique_ptr<RemoteCache> RemoteCache::of(const CacheOptions& options, CacheStore& own) {
  if (options.remote.empty() && !environment_has("KILN_CACHE_REMOTE")) return nullptr;
  RemotePlace place;
  if (!take_keys_of_environment(place)) return nullptr;
  for (const auto& path : options.public_keys) place.public_keys.push_back(std::filesystem::absolute(path).string());
  place.counters = own.folder().remotes_dir();
  if (!options.remote.empty()) {
    add_addresses(place, parse_remotes(options.remote), true);
  } else {
    add_addresses_of_environment(place);
  }
  if (place.addresses.empty()) return nullptr;
  return std::unique_ptr<RemoteCache>(new RemoteCache(std::move(place), own));
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
  for (bool wait = false;; wait = false) {
    if (fetch_once(request, stop, wait)) {
      inform(request.name, "found in a remote cache");
      return true;
    }
    const auto left = std::chrono::duration_cast<milliseconds>(until - Clock::now());
    if (!wait || left.count() <= 0) return false;
    inform(request.name, "another machine compiles it: waiting for a remote cache");
    const RemoteName first{wanted_of(request).first(), request.key.name};
    if (!calls_.wait({calls_.usable_place(), first, static_cast<std::uint64_t>(left.count())}, stop)) return false;
  }
}

bool RemoteCache::fetch_once(const CacheRequest& request, const Stop& stop, bool& wait) {
  const WantedEntry wanted = wanted_of(request);
  const Digest& name = request.key.name;
  const RemoteName first{wanted.first(), name};
  RemoteFound found = get_or_claim({first, {EntryKind::note, name}}, first, stop, wait);
  if (!found.values[1].empty() && adopt_note(own_, wanted, std::move(found.values[1]))) return true;
  if (found.values[0].empty()) return false;
  if (!wanted.may_include) return adopt_code(own_, wanted, name, {}, std::move(found.values[0]));
  const auto variant = variant_here(own_, wanted, std::move(found.values[0]));
  const std::vector<RemoteName> names(variant ? 1 : 0, {EntryKind::code, variant ? variant->key : Digest()});
  RemoteFound code = get_or_claim(names, first, stop, wait);
  return variant && adopt_code(own_, wanted, variant->key, variant->dependencies, std::move(code.values[0]));
}

RemoteFound RemoteCache::get_or_claim(std::vector<RemoteName> names, const RemoteName& claim, const Stop& stop,
                                      bool& wait) {
  // Of what is claimed already no second claim is made.
  const std::string owner = owner_.empty() ? new_owner() : std::string();
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

}  // namespace kiln
