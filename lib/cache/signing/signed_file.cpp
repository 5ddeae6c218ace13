#include "cache/signing/signed_file.hpp"

#include "cache/byte_io.hpp"
#include "cache/signing/signed_message.hpp"

#include <algorithm>
#include <utility>

namespace kiln {

namespace {

constexpr std::size_t signature_size = sizeof(KeyId) + sizeof(Ed25519Signature);

std::string file_message(EntryKind kind, const Digest& name, std::string_view content) {
  return signed_message(SignedAs::file, kind, name, content.size(), digest_of(content));
}

/// What stands before the signature's bytes in its section.
std::string signature_front() {
  std::string front;
  append_integer(front, static_cast<std::uint32_t>(signature_label.size()));
  append_integer(front, std::uint64_t{signature_size});
  return front.append(signature_label);
}

}  // namespace

Sections with_signature(const SigningKey& key, EntryKind kind, const Digest& name, const Sections& sections) {
  Sections all;
  for (const auto& [label, content] : sections.all())
    if (label != signature_label) all.add(label, content);
  const std::string file = encode_entry(kind, name, all);
  const Ed25519Signature signature = key.sign(file_message(kind, name, entry_payload(file)));
  all.add(signature_label, std::string(key.id().view()).append(signature.view()));
  return all;
}

bool is_signed_entry(const PublicKeys& keys, EntryKind kind, const Digest& name, std::string_view file,
                     SignatureObjection* objection) {
  const auto refuse = [&](std::string text, bool is_by_known_key = false) {
    if (objection != nullptr) *objection = {std::move(text), is_by_known_key};
    return false;
  };
  const std::string_view payload = entry_payload(file);
  const std::string front = signature_front();
  if (is_bare(kind) || payload.size() < front.size() + signature_size) return refuse("is not signed");
  const std::string_view content = payload.substr(0, payload.size() - front.size() - signature_size);
  ByteReader reader(payload.substr(content.size()));
  if (reader.bytes(front.size()) != front) return refuse("is not signed");
  const KeyId id = crypto_bytes<KeyId>(reader);
  const auto signature = crypto_bytes<Ed25519Signature>(reader);
  if (keys.verify(file_message(kind, name, content), signature, id)) return true;
  const auto ids = keys.ids();
  if (std::find(ids.begin(), ids.end(), id) == ids.end())
    return refuse("is signed by the key " + hex_text(id.view()) + ", which KILN_CACHE_PUBLIC_KEYS does not name");
  return refuse("is not what the key " + hex_text(id.view()) + " signed: it is damaged, or somebody changed it", true);
}

}  // namespace kiln
