// Files of Ed25519 keys, in PEM.
#include "cache/signing/key_file.hpp"
#include "fuzz.hpp"
#include "memory_file.hpp"

#include <kiln/error.hpp>

#include <functional>
#include <optional>
#include <string>

namespace fuzz_key_file {

using namespace kiln;
using namespace kiln::fuzz;

namespace {

/// Of the key that the corpus has: what is not the same for every key.
std::string secret_text() {
  Ed25519Key key;
  for (std::size_t i = 0; i < key.bytes.size(); ++i) key.bytes[i] = static_cast<std::uint8_t>(37 * i + 11);
  const std::string text = private_key_text(key);
  return text.substr(text.find('\n') + 23, 40);
}

void check_message(std::string_view message) {
  check_said(message);
  static const std::string secret = secret_text();
  constexpr std::size_t piece = 12;
  for (std::size_t at = 0; at + piece <= secret.size(); ++at)
    require(message.find(secret.substr(at, piece)) == std::string_view::npos, "no error shows a key");
}

using Reader = std::function<Ed25519Key(FileSystem&, const std::string&)>;

std::optional<Ed25519Key> key_of(std::string_view text, const Reader& read) {
  MemoryFile file(text);
  try {
    return read(file, "key");
  } catch (const Error& error) {
    check_message(error.what());
    return std::nullopt;
  }
}

void check_key(std::string_view text, const Reader& read, std::string (*write)(const Ed25519Key&)) {
  const auto key = key_of(text, read);
  if (!key) return;
  const std::string written = write(*key);
  const auto again = key_of(written, read);
  require(again && again->bytes == key->bytes, "a key that was read can be written and read");
  require(!key_of(std::string(text) + "\n" + written, read), "a file with two keys is refused");
}

}  // namespace

int run(const std::uint8_t* data, std::size_t size) {
  check_key(view_of(data, size), read_public_key, public_key_text);
  check_key(view_of(data, size), read_private_key, private_key_text);
  return 0;
}

}  // namespace fuzz_key_file
