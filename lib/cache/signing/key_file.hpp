// Files of Ed25519 keys: PEM, as `openssl genpkey -algorithm ed25519` and `openssl pkey -pubout` write them.
#pragma once

#include "base/crypto_library.hpp"
#include "base/file_system.hpp"

#include <string>
#include <string_view>

namespace kiln {

// Both readers throw Error, which names the file and the way out, where it cannot be read, is a link, holds no such
// key, or belongs to neither the user nor root. The text of no key is ever in an error.

/// One that others may read is refused as well.
Ed25519Key read_private_key(FileSystem& files, const std::string& path);
/// One that others may write is refused as well.
Ed25519Key read_public_key(FileSystem& files, const std::string& path);

/// The texts of such files.
std::string private_key_text(const Ed25519Key& key);
std::string public_key_text(const Ed25519Key& key);

/// Why a file or folder of keys must not be used, as words to put after its path; empty where it may be.
std::string key_owner_objection(FileSystem& files, const FileStatus& status);

/// Overwrites what must not stay in memory.
void wipe(std::string& secret) noexcept;
void wipe(Ed25519Key& secret) noexcept;

}  // namespace kiln
