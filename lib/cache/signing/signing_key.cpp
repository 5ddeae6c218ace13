#include "cache/signing/signing_key.hpp"

#include "base/environment.hpp"
#include "cache/signing/key_file.hpp"

#include <kiln/error.hpp>

namespace kiln {

SigningKey::SigningKey(FileSystem& files, const std::string& path)
    : key_(read_private_key(files, path)), id_(key_id(ed25519_public_key(key_))) {}

SigningKey::~SigningKey() { wipe(key_); }

std::optional<std::string> signing_key_path() {
  std::optional<std::string> path = environment("KILN_CACHE_SIGNING_KEY");
  if (path && path->front() != '/')
    throw Error("KILN_CACHE_SIGNING_KEY: \"" + *path + "\" is no path from the root on");
  return path;
}

SigningKey signing_key_of(const std::filesystem::path& given) {
  if (!given.empty()) return {FileSystem::real(), given.string()};
  if (const auto path = signing_key_path()) return {FileSystem::real(), *path};
  throw Error("no key to sign with: name its file, or set KILN_CACHE_SIGNING_KEY (kiln cache keygen NAME makes one)");
}

}  // namespace kiln
