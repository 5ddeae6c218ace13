// The key that this process signs with.
#pragma once

#include "cache/signing/key_id.hpp"

#include "base/file_system.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace kiln {

/// An Ed25519 private key; its bytes are wiped at its end. Thread-safe, also in a child of fork.
class SigningKey {
 public:
  /// From a PEM file that only its user can read (key_file.hpp). Throws Error, which names the file.
  SigningKey(FileSystem& files, const std::string& path);
  ~SigningKey();
  SigningKey(const SigningKey&) = delete;
  SigningKey& operator=(const SigningKey&) = delete;

  Ed25519Signature sign(std::string_view message) const { return ed25519_sign(key_, message); }
  const KeyId& id() const noexcept { return id_; }

 private:
  Ed25519Key key_;
  KeyId id_;
};

/// KILN_CACHE_SIGNING_KEY; nothing where it is unset. Throws Error for a path that does not begin at the root, as what
/// it means would depend on the working folder.
std::optional<std::string> signing_key_path();

/// The key of that file, else of KILN_CACHE_SIGNING_KEY. Throws Error where neither is given, and as the constructor.
SigningKey signing_key_of(const std::filesystem::path& given);

}  // namespace kiln
