#include "cache/trust.hpp"

#include "base/argument_error.hpp"
#include "base/log.hpp"

#include <algorithm>
#include <atomic>
#include <charconv>
#include <optional>

#include <pwd.h>
#include <unistd.h>

namespace kiln {

namespace {

constexpr std::uint32_t root_user = 0;
constexpr std::uint32_t writable_by_others = 022;

std::optional<std::uint32_t> number_of(const std::string& owner) {
  std::uint32_t number = 0;
  const char* end = owner.data() + owner.size();
  const auto [stop, error] = std::from_chars(owner.data(), end, number);
  if (error != std::errc() || stop != end) return std::nullopt;
  return number;
}

std::optional<std::uint32_t> user_of(const std::string& name) {
  std::vector<char> buffer(4096);
  passwd entry = {};
  passwd* found = nullptr;
  int code;
  while ((code = ::getpwnam_r(name.c_str(), &entry, buffer.data(), buffer.size(), &found)) == ERANGE &&
         buffer.size() < (std::size_t{1} << 20))
    buffer.resize(2 * buffer.size());
  if (code != 0 || found == nullptr) return std::nullopt;
  return found->pw_uid;
}

std::optional<std::uint32_t> user_named(const std::string& owner) {
  const auto number = number_of(owner);
  return number ? number : user_of(owner);
}

std::string way_to_trust(std::uint32_t owner) {
  return " (KILN_CACHE_TRUSTED_OWNERS=" + std::to_string(owner) +
         " or CacheOptions::trusted_owners would trust that user; signed files are taken by KILN_CACHE_PUBLIC_KEYS)";
}

}  // namespace

std::string Trust::objection(FileSystem& files, const FileStatus& status) const {
  const bool own = status.owner == files.user();
  if (!own && !std::binary_search(owners.begin(), owners.end(), status.owner))
    return "belongs to user " + std::to_string(status.owner) + ", and this process runs as user " +
           std::to_string(files.user()) + (owners.empty() ? "" : way_to_trust(status.owner));
  if ((status.mode & writable_by_others) != 0) return "can be written by other users (chmod go-w would end that)";
  return {};
}

int Trust::check_folder(FileSystem& files, const std::string& path, std::string& objection) const {
  FileStatus status;
  const int code = files.link_status(path, status);
  if (code != 0) return code;
  if (status.is_link()) {
    objection = "is a symbolic link, which can be led elsewhere (name the folder itself)";
  } else if (!status.is_directory()) {
    objection = "is no folder";
  } else if (keys == nullptr) {
    objection = this->objection(files, status);
  }
  return 0;
}

Trust trust_of(const std::vector<std::string>& owners, const std::vector<std::string>& environments) {
  Trust trust;
  trust.owners.push_back(root_user);
  for (const std::string& owner : owners) {
    const auto user = user_named(owner);
    if (!user)
      throw_argument_error("no user \"" + owner + "\" on this system to trust the cache of: give a user name or number",
                           "a user", owner);
    trust.owners.push_back(*user);
  }
  for (const std::string& owner : environments) {
    static std::atomic<bool> warned{false};
    if (const auto user = user_named(owner))
      trust.owners.push_back(*user);
    else if (!warned.exchange(true))
      log_message(LogLevel::warn, "KILN_CACHE_TRUSTED_OWNERS: \"" + owner +
                                      "\" is left out: no user of that name on this system (a number would do)");
  }
  std::sort(trust.owners.begin(), trust.owners.end());
  trust.owners.erase(std::unique(trust.owners.begin(), trust.owners.end()), trust.owners.end());
  return trust;
}

}  // namespace kiln
