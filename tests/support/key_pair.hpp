// Key files of a test's own.
#pragma once

#include "cache/signing/key_file.hpp"
#include "scratch_folder.hpp"

#include <filesystem>
#include <string>

namespace kiln::test {

struct KeyPair {
  std::string private_file;
  std::string public_file;
};

/// NAME.key and NAME.pub in that folder. Another seed is another key.
inline KeyPair write_key_pair(const std::filesystem::path& folder, const std::string& name, unsigned char seed) {
  Ed25519Key key;
  key.bytes.fill(seed);
  const KeyPair pair = {(folder / (name + ".key")).string(), (folder / (name + ".pub")).string()};
  write_file(pair.private_file, private_key_text(key));
  write_file(pair.public_file, public_key_text(ed25519_public_key(key)));
  using std::filesystem::perms;
  std::filesystem::permissions(pair.private_file, perms::owner_read | perms::owner_write);
  std::filesystem::permissions(pair.public_file, perms::owner_read | perms::owner_write | perms::others_read);
  return pair;
}

}  // namespace kiln::test
