#include "cache/signing/signed_message.hpp"

namespace kiln {

std::string signed_message(SignedAs purpose, EntryKind kind, const Digest& name, std::uint64_t size,
                           const Digest& content) {
  std::string message = "kiln signed content 2\n";
  append_integer(message, static_cast<std::uint8_t>(purpose));
  append_integer(message, static_cast<std::uint8_t>(kind));
  message.append(name.view());
  append_integer(message, size);
  return message.append(content.view());
}

}  // namespace kiln
