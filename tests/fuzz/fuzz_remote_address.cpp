// Where remote caches are, as KILN_CACHE_REMOTE says it.
#include "cache/remote/remote_address.hpp"
#include "fuzz.hpp"

#include <kiln/error.hpp>

#include <optional>
#include <vector>

namespace fuzz_remote_address {

using namespace kiln;
using namespace kiln::fuzz;

namespace {

/// The password of the corpus. Of an address that is none an error shows the scheme alone.
constexpr std::string_view secret = "S3cr3tPassw0rd";

void check_message(std::string_view text, std::string_view message) {
  // What stands behind an address is shown.
  if (text.find_first_of(" \t\r\n") != std::string_view::npos || text.find("://") == std::string_view::npos) return;
  constexpr std::size_t piece = 8;
  const std::string_view front = text.substr(0, text.find(':'));
  const std::string_view scheme = front.substr(front.rfind('@') + 1);
  for (std::size_t at = 0; at + piece <= secret.size(); ++at) {
    const std::string_view part = secret.substr(at, piece);
    require(message.find(part) == std::string_view::npos || scheme.find(part) != std::string_view::npos,
            "no error shows a password");
  }
}

std::optional<std::vector<RemoteAddress>> remotes_of(const std::string& text) {
  try {
    return parse_remotes(text);
  } catch (const ArgumentError& error) {
    check_message(text, error.what());
    return std::nullopt;
  }
}

void check_remote(const RemoteAddress& remote) {
  if (remote.scheme == RemoteAddress::Scheme::redis_unix)
    require(!remote.path.empty(), "a socket has a path");
  else
    require(!remote.host.empty() && remote.port != 0, "a server has a host and a port");
  require(remote.connect_timeout.count() > 0 && remote.request_timeout.count() > 0, "each wait has a limit");
  require(remote.is_redis() || remote.path.empty() || (remote.path.front() == '/' && remote.path.back() != '/'),
          "a path begins with a slash and does not end with one");
  RemoteAddress known = remote;
  known.user = known.password = known.bearer_token_file = {};
  require(known.shown() == remote.shown(), "what is shown is not made of secrets");
}

}  // namespace

int run(const std::uint8_t* data, std::size_t size) {
  const std::string text(view_of(data, size));
  const auto remotes = remotes_of(text);
  if (!remotes) return 0;
  for (const RemoteAddress& remote : *remotes) check_remote(remote);
  require(remotes_of(" \t" + text + "\n") == remotes, "blanks around a text do not matter");
  auto more = remotes_of(text + " http://last/cache read-only");
  require(more && more->size() == remotes->size() + 1 && more->back().read_only, "another address can follow");
  more->pop_back();
  require(more == remotes, "an address does not depend on those behind it");
  return 0;
}

}  // namespace fuzz_remote_address
