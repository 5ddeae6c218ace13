#include "worker/remote/remote_values.hpp"

#include "cache/signing/public_keys.hpp"
#include "cache/signing/signed_value.hpp"
#include "cache/signing/signing_key.hpp"

#include <algorithm>
#include <optional>
#include <vector>

namespace kiln {

struct RemoteValues::Keys {
  explicit Keys(const RemotePlace& place) : trusted(FileSystem::real(), place.public_keys) {
    if (!place.signing_key.empty()) own.emplace(FileSystem::real(), place.signing_key);
  }
  bool trusts(const KeyId& id) const {
    const std::vector<KeyId> ids = trusted.ids();
    return std::find(ids.begin(), ids.end(), id) != ids.end();
  }
  PublicKeys trusted;
  std::optional<SigningKey> own;
};

RemoteValues::RemoteValues(const RemotePlace& place) : keys_(std::make_unique<const Keys>(place)) {}

RemoteValues::~RemoteValues() = default;

std::optional<std::string> RemoteValues::open(const RemoteAddress& address, const RemoteName& name,
                                              std::string_view value) const {
  const PublicKeys* const keys = address.is_unsigned ? nullptr : &keys_->trusted;
  const auto content = open_value(value, keys, name.kind, name.key);
  return content ? std::optional<std::string>(*content) : std::nullopt;
}

std::string RemoteValues::why_refused(const RemoteAddress& address, EntryKind kind, std::string_view value) const {
  const auto signer = signer_of_value(value, kind);
  if (!signer || address.is_unsigned) return "damaged";
  if (*signer == KeyId()) return "not signed";
  const std::string id = hex_text(signer->view());
  if (!keys_->trusts(*signer)) return "signed by the key " + id + ", which is none of the public keys";
  return "damaged: the signature by the key " + id + " is not valid";
}

bool RemoteValues::is_outdated(const RemoteAddress& address, EntryKind kind, std::string_view front) const {
  const auto signer = signer_of_value(front, kind);
  if (!signer || address.is_unsigned) return !signer;
  return !keys_->trusts(*signer) && !(keys_->own && keys_->own->id() == *signer);
}

bool RemoteValues::can_seal(const RemoteAddress& address) const { return address.is_unsigned || keys_->own; }

std::string RemoteValues::seal(const RemoteName& name, std::string_view content) const {
  return sign_value(keys_->own ? &*keys_->own : nullptr, name.kind, name.key, content);
}

}  // namespace kiln
