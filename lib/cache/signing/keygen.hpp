// New pairs of keys.
#pragma once

#include "cache/signing/key_id.hpp"

#include "base/file_system.hpp"

#include <string>

namespace kiln {

struct KeyFiles {
  std::string private_file;  // NAME.key, of mode 0600
  std::string public_file;   // NAME.pub
  KeyId id;
};

/// Makes the files of a new Ed25519 key. Throws Error, and leaves neither behind, where one is there already or cannot
/// be written.
KeyFiles make_key_files(FileSystem& files, const std::string& name);

}  // namespace kiln
