// Why a cache folder is not used, in words.
#include "cache/cache_folder.hpp"

#include "base/environment.hpp"
#include "base/new_file.hpp"
#include "base/path_text.hpp"
#include "cache/warning.hpp"

#include <algorithm>
#include <cerrno>
#include <exception>
#include <filesystem>
#include <system_error>
#include <vector>

namespace kiln {

namespace {

std::string home_folder() {
  return absolute_folder(std::filesystem::path(environment("HOME").value_or("")).lexically_normal().string(), "");
}

std::string reason(int code) { return std::generic_category().message(-code); }

}  // namespace

// The folder's path has neither dots nor doubled slashes, HOME may have them.
bool CacheFolder::lacks_home() const {
  const std::string home = home_folder();
  FileStatus status;
  return is_absolute(home) && rest_below(root_, home) && files_.status(home, status) != 0;
}

std::string CacheFolder::fault() const {
  for (const std::string& folder : {root_, version_}) {
    std::string objection;
    const int code = trust_.check_folder(files_, folder, objection);
    if (!objection.empty()) return std::string(folder).append(" ").append(objection);
    if (is_writable() && (code == 0 || code == -ENOENT)) continue;
    if (code == -ENOENT)
      return folder == root_ ? root_ + " is not there" : root_ + " holds nothing that this version of Kiln reads";
    if (code != 0) return unreadable(folder, code);
  }
  if (is_writable() && lacks_home()) return "HOME, " + home_folder() + ", is not there, and Kiln does not make it";
  std::vector<std::string> names;
  const int code = files_.list(entries_dir(), names);
  if (code != 0 && code != -ENOENT) return unreadable(entries_dir(), code);
  return is_writable() ? unwritable() : std::string();
}

std::string CacheFolder::unreadable(const std::string& path, int code) const {
  const bool is_closed = code == -EACCES && !is_writable();
  return path + " cannot be read: " + reason(code) +
         (is_closed ? " (chmod -R go+rX " + root_ + " opens it to others)" : "");
}

std::string CacheFolder::unwritable() const {
  std::string folder = temporary_dir();
  for (FileStatus status; folder.size() > 1 && files_.status(folder, status) == -ENOENT;)
    folder.erase(std::max<std::size_t>(folder.rfind('/'), 1));
  NewFile probe(files_, folder);
  const int code = probe.write("Kiln");
  return code == 0 ? std::string() : "nothing can be written in " + folder + ": " + reason(code);
}

void CacheFolder::warn_of(const std::string& fault) const noexcept try {
  if (warned_.exchange(true)) return;
  if (is_for_pch_)
    warn_of_cache("the folder of precompiled headers is not used: " + fault +
                  ". Kiln goes on without them; KILN_PCH_DIR can name another one");
  else if (is_writable())
    warn_of_cache("the cache folder is not used: " + fault +
                  ". Kiln goes on without it; KILN_CACHE_DIR can name another one");
  else
    warn_of_cache("the read-only cache folder is not used: " + fault +
                  ". Kiln goes on without it; KILN_CACHE_READ_ONLY_DIRS or CacheOptions::read_only_dirs names it");
} catch (const std::exception&) {  // no memory for a warning
}

}  // namespace kiln
