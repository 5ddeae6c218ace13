// The keys whose signatures are believed.
#pragma once

#include "cache/signing/key_id.hpp"

#include "base/file_system.hpp"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace kiln {

/// Ed25519 public keys. A value that does not change: thread-safe, also in a child of fork.
class PublicKeys {
 public:
  PublicKeys() = default;
  /// From PEM files, and of folders from all their files *.pub. Throws Error, which names the file or folder, for any
  /// that is not there, cannot be read, holds no such key, or that others than the user and root own or may write; and
  /// for a folder without keys, because no key at all could be taken for no demand of any.
  PublicKeys(FileSystem& files, const std::vector<std::string>& paths);

  bool empty() const noexcept { return keys_.empty(); }
  std::vector<KeyId> ids() const;
  /// Whether one of these keys, of that id, signed that very message. Says nothing of why not.
  bool verify(std::string_view message, const Ed25519Signature& signature, const KeyId& id) const;

 private:
  void add_file(FileSystem& files, const std::string& path);
  void add_folder(FileSystem& files, const std::string& path);

  struct Key {
    KeyId id;
    Ed25519Key key;
  };
  std::vector<Key> keys_;
};

/// Those of the paths, read once a process and never destroyed. Throws as the constructor does, each time. Thread-safe.
const PublicKeys& kept_public_keys(const std::vector<std::string>& paths);

/// Those of KILN_CACHE_PUBLIC_KEYS, and of a program's own paths, for look-ups; null where there are none. What is
/// wrong with the program's own is an Error; with the variable's it is warned of, and the variable is left out, because
/// no look-up fails for it.
const PublicKeys* trusted_public_keys(const std::vector<std::filesystem::path>& given);

/// The files and folders of KILN_CACHE_PUBLIC_KEYS, which colons separate; none where it is unset. Throws Error for one
/// whose path does not begin at the root, and where it is set and has none.
std::vector<std::string> public_key_paths();

}  // namespace kiln
