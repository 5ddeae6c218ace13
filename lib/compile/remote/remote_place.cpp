#include "compile/remote/remote_place.hpp"

#include "base/environment.hpp"
#include "cache/signing/public_keys.hpp"
#include "cache/signing/signing_key.hpp"

#include <filesystem>

namespace kiln {

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
