#include "worker/remote/remote_fault.hpp"

#include <algorithm>

namespace kiln {

namespace {

/// How much of the secret stands at this place of the text, whichever part of it.
std::size_t secret_part(std::string_view text, std::string_view secret) {
  // Shorter parts are in any text.
  std::size_t size = std::min<std::size_t>(secret.size(), 4);
  if (size == 0 || text.size() < size || secret.find(text.substr(0, size)) == std::string_view::npos) return 0;
  while (size < text.size() && secret.find(text.substr(0, size + 1)) != std::string_view::npos) ++size;
  return size;
}

}  // namespace

void throw_remote_fault(const RemoteAddress& address, const std::string& fault) {
  throw RemoteFault("the remote cache " + address.shown() + ": " + fault);
}

std::string server_words(const RemoteAddress& address, std::string_view words) {
  constexpr std::size_t most = 200;
  std::string shown;
  while (!words.empty() && shown.size() < most) {
    const std::size_t secret = secret_part(words, address.password);
    const bool is_printable = words.front() >= ' ' && words.front() <= '~';
    shown += secret > 0 ? std::string("***") : std::string(1, is_printable ? words.front() : '?');
    words.remove_prefix(std::max<std::size_t>(secret, 1));
  }
  return words.empty() ? shown : shown + "...";
}

}  // namespace kiln
