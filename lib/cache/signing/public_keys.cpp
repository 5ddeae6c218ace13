#include "cache/signing/public_keys.hpp"

#include "base/environment.hpp"
#include "base/fork_safe_instance.hpp"
#include "base/fork_safe_mutex.hpp"
#include "base/text_parts.hpp"
#include "cache/signing/key_file.hpp"
#include "cache/warning.hpp"

#include <kiln/error.hpp>

#include <algorithm>
#include <map>
#include <memory>
#include <mutex>
#include <system_error>

namespace kiln {

namespace {

struct KeptKeys {
  ForkSafeMutex mutex;
  std::map<std::vector<std::string>, std::unique_ptr<const PublicKeys>> sets;
};

[[noreturn]] void refuse_key_path(const std::string& path, const std::string& fault) {
  throw Error("the public keys " + path + " " + fault);
}

}  // namespace

PublicKeys::PublicKeys(FileSystem& files, const std::vector<std::string>& paths) {
  for (const std::string& path : paths) {
    FileStatus status;
    const int code = files.link_status(path, status);
    if (code != 0) refuse_key_path(path, "cannot be read: " + std::generic_category().message(-code));
    if (status.is_directory()) {
      add_folder(files, path);
    } else {
      add_file(files, path);
    }
  }
}

void PublicKeys::add_file(FileSystem& files, const std::string& path) {
  const Ed25519Key key = read_public_key(files, path);
  keys_.push_back({key_id(key), key});
}

void PublicKeys::add_folder(FileSystem& files, const std::string& path) {
  FileStatus status;
  std::vector<std::string> names;
  int code = files.link_status(path, status);
  if (code == 0) code = files.list(path, names);
  if (code != 0) refuse_key_path(path, "cannot be read: " + std::generic_category().message(-code));
  if (const std::string objection = key_owner_objection(files, status); !objection.empty())
    refuse_key_path(path, objection);
  if ((status.mode & 022U) != 0) refuse_key_path(path, "can be written by other users: chmod go-w " + path);
  std::erase_if(names, [](const std::string& name) { return name.front() == '.' || !name.ends_with(".pub"); });
  if (names.empty()) refuse_key_path(path, "are none: the folder has no file *.pub (kiln cache keygen makes one)");
  std::sort(names.begin(), names.end());
  for (const std::string& name : names) add_file(files, std::string(path).append("/").append(name));
}

std::vector<KeyId> PublicKeys::ids() const {
  std::vector<KeyId> all;
  all.reserve(keys_.size());
  for (const Key& key : keys_) all.push_back(key.id);
  return all;
}

bool PublicKeys::verify(std::string_view message, const Ed25519Signature& signature, const KeyId& id) const {
  return std::any_of(keys_.begin(), keys_.end(),
                     [&](const Key& known) { return known.id == id && ed25519_verify(known.key, message, signature); });
}

const PublicKeys& kept_public_keys(const std::vector<std::string>& paths) {
  auto& kept = fork_safe_instance<KeptKeys>();
  {
    const std::lock_guard<ForkSafeMutex> lock(kept.mutex);
    const auto found = kept.sets.find(paths);
    if (found != kept.sets.end()) return *found->second;
  }
  auto made = std::make_unique<const PublicKeys>(FileSystem::real(), paths);
  const std::lock_guard<ForkSafeMutex> lock(kept.mutex);
  return *kept.sets.emplace(paths, std::move(made)).first->second;
}

const PublicKeys* trusted_public_keys(const std::vector<std::filesystem::path>& given) {
  std::vector<std::string> paths;
  try {
    paths = public_key_paths();
    if (given.empty()) return paths.empty() ? nullptr : &kept_public_keys(paths);
    (void)kept_public_keys(paths);
  } catch (const Error& error) {
    warn_of_cache(std::string(error.what()) +
                  ". KILN_CACHE_PUBLIC_KEYS is left out: what only its keys have signed is not used");
    paths.clear();
  }
  for (const auto& path : given) paths.push_back(std::filesystem::absolute(path).string());
  return paths.empty() ? nullptr : &kept_public_keys(paths);
}

std::vector<std::string> public_key_paths() {
  const auto text = environment("KILN_CACHE_PUBLIC_KEYS");
  if (!text) return {};
  std::vector<std::string> paths = split(*text, ':');
  if (paths.empty()) throw Error("KILN_CACHE_PUBLIC_KEYS is set and names no file or folder");
  for (const std::string& path : paths)
    if (path.front() != '/') throw Error("KILN_CACHE_PUBLIC_KEYS: \"" + path + "\" is no path from the root on");
  return paths;
}

}  // namespace kiln
