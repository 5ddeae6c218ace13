// The commands of signatures: keys, and signed cache folders.
#include "cache/signing/keygen.hpp"
#include "commands.hpp"
#include "entry_count.hpp"

#include "base/digest.hpp"
#include "base/file_system.hpp"

#include <kiln/cache.hpp>

#include <cstdio>
#include <filesystem>
#include <string>

namespace kiln::tool {

namespace {

std::string absolute_path(const std::string& path) {
  return std::filesystem::absolute(path).lexically_normal().string();
}

}  // namespace

int cache_keygen_command(const std::string& name) {
  const KeyFiles made = make_key_files(FileSystem::real(), name);
  std::printf(
      "%s: the private key; who can read it decides what code runs where the public one is trusted\n"
      "%s: the public key, of id %s\n\n"
      "To sign:                    export KILN_CACHE_SIGNING_KEY=%s\n"
      "To take what was signed:    export KILN_CACHE_PUBLIC_KEYS=%s\n"
      "(on other machines, the path of a copy of that file, or of a folder of such files)\n",
      made.private_file.c_str(), made.public_file.c_str(), hex_text(made.id.view()).c_str(),
      absolute_path(made.private_file).c_str(), absolute_path(made.public_file).c_str());
  return success;
}

int cache_sign_command(const std::string& key) {
  const Cache cache;
  const std::string signed_entries = entry_count(cache.sign(key));
  std::printf("signed %s in %s\n", signed_entries.c_str(), cache.directory().c_str());
  return success;
}

}  // namespace kiln::tool
