// The commands of signatures: keys, and signed cache folders.
#include "cache/signing/keygen.hpp"
#include "commands.hpp"
#include "entry_count.hpp"
#include "output_file.hpp"

#include "base/digest.hpp"
#include "base/file_system.hpp"

#include <kiln/cache.hpp>

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
  print(made.private_file +
        ": the private key; who can read it decides what code runs where the public one is trusted\n" +
        made.public_file + ": the public key, of id " + hex_text(made.id.view()) +
        "\n\nTo sign:                    export KILN_CACHE_SIGNING_KEY=" + absolute_path(made.private_file) +
        "\nTo take what was signed:    export KILN_CACHE_PUBLIC_KEYS=" + absolute_path(made.public_file) +
        "\n(on other machines, the path of a copy of that file, or of a folder of such files)\n");
  return success;
}

int cache_sign_command(const std::string& key) {
  const Cache cache;
  const std::string signed_entries = entry_count(cache.sign(key));
  print("signed " + signed_entries + " in " + cache.directory().string() + "\n");
  return success;
}

}  // namespace kiln::tool
