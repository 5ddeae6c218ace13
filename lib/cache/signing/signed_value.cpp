#include "cache/signing/signed_value.hpp"

#include "cache/byte_io.hpp"
#include "cache/signing/signed_message.hpp"

namespace kiln {

namespace {

constexpr std::string_view value_magic = "kilnsign";
constexpr std::uint32_t value_version = 2;

std::string value_message(EntryKind kind, const Digest& name, std::string_view payload) {
  return signed_message(SignedAs::value, kind, name, payload.size(), digest_of(payload));
}

std::optional<KeyId> read_signer(ByteReader& reader, EntryKind kind) {
  if (reader.bytes(value_magic.size()) != value_magic || reader.integer<std::uint32_t>() != value_version ||
      reader.integer<std::uint8_t>() != static_cast<std::uint8_t>(kind))
    return std::nullopt;
  const auto id = crypto_bytes<KeyId>(reader);
  return reader.failed() ? std::nullopt : std::optional(id);
}

}  // namespace

std::string sign_value(const SigningKey* key, EntryKind kind, const Digest& name, std::string_view payload) {
  KeyId id;
  Ed25519Signature signature;
  if (key != nullptr) {
    id = key->id();
    signature = key->sign(value_message(kind, name, payload));
  }
  std::string value(value_magic);
  append_integer(value, value_version);
  append_integer(value, static_cast<std::uint8_t>(kind));
  return value.append(id.view()).append(signature.view()).append(payload);
}

std::optional<KeyId> signer_of_value(std::string_view front, EntryKind kind) {
  ByteReader reader(front);
  return read_signer(reader, kind);
}

std::optional<std::string_view> open_value(std::string_view value, const PublicKeys* keys, EntryKind kind,
                                           const Digest& name) {
  ByteReader reader(value);
  const auto id = read_signer(reader, kind);
  if (!id) return std::nullopt;
  const auto signature = crypto_bytes<Ed25519Signature>(reader);
  if (reader.failed()) return std::nullopt;
  const std::string_view payload = reader.bytes(reader.left());
  const bool good = keys == nullptr || keys->verify(value_message(kind, name, payload), signature, *id);
  return good ? std::optional(payload) : std::nullopt;
}

}  // namespace kiln
