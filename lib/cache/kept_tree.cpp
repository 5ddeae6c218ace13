#include "cache/kept_tree.hpp"

#include "base/files.hpp"
#include "base/log.hpp"
#include "base/path_text.hpp"
#include "cache/compile_lock.hpp"
#include "cache/key_lock.hpp"
#include "cache/tree_list.hpp"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace kiln {

namespace {

constexpr std::string_view own_list = "contents";

/// Adds the files below `path`, which is below the tree by `prefix`. False where one cannot be read, or is no file.
bool read_files(FileSystem& files, const std::string& path, const std::string& prefix, TreeFiles& found) {
  std::vector<std::string> names;
  if (files.list(path, names) != 0) return false;
  for (const std::string& name : names) {
    if (prefix.empty() && name == own_list) continue;
    const std::string below = joined(path, name);
    FileStatus status;
    if (files.link_status(below, status) != 0) return false;
    if (status.is_directory()) {
      if (!read_files(files, below, prefix + name + "/", found)) return false;
      continue;
    }
    std::string text;
    if (!status.is_regular() || read_file(files, below, text) != 0) return false;
    found[prefix + name] = {text.size(), digest_of(text)};
  }
  return true;
}

std::uint64_t bytes_of(const TreeFiles& files) {
  std::uint64_t bytes = 0;
  for (const auto& [path, file] : files) bytes += file.size;
  return bytes;
}

std::optional<TreeFiles> read_list(FileSystem& files, const std::string& path, const Digest& key) {
  std::string bytes;
  if (read_file(files, path, bytes) != 0) return std::nullopt;
  const auto sections = decode_entry(EntryKind::tree, key, std::move(bytes));
  const auto list = sections ? sections->find("files") : std::nullopt;
  return list ? decode_tree_list(*list) : std::nullopt;
}

std::optional<Digest> key_named(const std::string& name) {
  constexpr std::size_t digits = 2 * sizeof(Digest);
  if (name.size() != digits || name.find_first_not_of("0123456789abcdef") != std::string::npos) return std::nullopt;
  return CacheFolder::key_of_path("/" + name.substr(0, 2) + "/" + name.substr(2));
}

/// A tree that is being made; removed with this object unless it was renamed.
class Aside {
 public:
  explicit Aside(CacheFolder& folder) : path_(temporary_name(folder.files(), folder.temporary_dir())) {
    made_ = folder.files().make_directory(path_, 0700) == 0;
  }
  ~Aside() {
    if (made_) remove_tree(path_);
  }
  Aside(const Aside&) = delete;
  Aside& operator=(const Aside&) = delete;

  bool is_made() const noexcept { return made_; }
  const std::string& path() const noexcept { return path_; }

 private:
  std::string path_;
  bool made_ = false;
};

}  // namespace

KeptTree::KeptTree(CacheFolder& folder, const Digest& key)
    : folder_(folder), key_(key), path_(folder.trees_dir() + "/" + key.hex()) {}

bool KeptTree::is_here() const {
  FileStatus status;
  return folder_.files().link_status(contents(), status) == 0 && status.is_regular() &&
         Trust().objection(folder_.files(), status).empty();
}

bool KeptTree::is_whole() const {
  const auto wanted = is_here() ? read_list(folder_.files(), contents(), key_) : std::nullopt;
  TreeFiles found;
  return wanted && read_files(folder_.files(), path_, {}, found) && found == *wanted;
}

void KeptTree::stamp() const {
  FileStatus status;
  if (folder_.files().link_status(contents(), status) == 0 && folder_.is_stale(status))
    folder_.files().touch(contents());
}

bool KeptTree::make(const Fill& fill, const Stop& stop) {
  const auto is_good = [this] { return is_here(); };
  return make_unless(
      is_good, [&] { return is_good() || stop.is_due(); }, fill, stop);
}

bool KeptTree::repair(const Fill& fill, const Stop& stop) {
  return make_unless([this] { return is_whole(); }, [&] { return stop.is_due(); }, fill, stop);
}

bool KeptTree::make_unless(const Check& is_good, const Check& is_done, const Fill& fill, const Stop& stop) {
  FileSystem& files = folder_.files();
  if (!folder_.is_writable() || folder_.prepare() != 0) return false;
  if (is_good()) return true;
  if (make_directories(files, folder_.temporary_dir()) != 0 || make_directories(files, folder_.trees_dir()) != 0)
    return false;
  KeyLock lock(files);
  const auto on_wait = [this] { log_message(LogLevel::info, "waiting for another process that makes " + path_); };
  // Without a lock each process makes one, and the first is used.
  lock.lock(folder_.lock_path(), key_, is_done, on_wait, CompileLock::default_timeout);
  if (is_good()) return true;
  return !stop.is_due() && make_aside(is_good, fill);
}

bool KeptTree::make_aside(const Check& is_good, const Fill& fill) {
  FileSystem& files = folder_.files();
  const Aside aside(folder_);
  TreeFiles found;
  if (!aside.is_made() || !fill(aside.path()) || !read_files(files, aside.path(), {}, found)) return false;
  Sections sections;
  sections.add("files", encode_tree_list(found));
  const std::string list = joined(aside.path(), std::string(own_list));
  if (publish_file(files, folder_.temporary_dir(), list, encode_entry(EntryKind::tree, key_, sections)) != 0)
    return false;
  if (is_good()) return true;
  remove();
  if (files.rename(aside.path(), path_) != 0) return is_good();
  folder_.count(Counter::trees_made);
  folder_.write_counts();
  remove_trees(folder_, 30 * day_ns);  // those of compilers that were replaced
  return true;
}

// Renamed first, so that it is never there in part.
bool KeptTree::remove() {
  const std::string away = temporary_name(folder_.files(), folder_.temporary_dir());
  return remove_tree(folder_.files().rename(path_, away) == 0 ? away : path_);
}

TreeSizes tree_sizes(CacheFolder& folder) {
  TreeSizes sizes;
  for_each_tree(folder, [&](const Digest& key) {
    const auto list = read_list(folder.files(), KeptTree(folder, key).path() + "/contents", key);
    if (!list) return;
    ++sizes.trees;
    sizes.bytes += bytes_of(*list);
  });
  return sizes;
}

int for_each_tree(CacheFolder& folder, const std::function<void(const Digest& key)>& visit) {
  std::vector<std::string> names;
  const int code = folder.files().list(folder.trees_dir(), names);
  if (code != 0) return code == -ENOENT ? 0 : code;
  std::sort(names.begin(), names.end());
  for (const std::string& name : names)
    if (const auto key = key_named(name)) visit(*key);
  return 0;
}

std::string remove_trees(CacheFolder& folder, std::int64_t unused_ns) {
  std::string left;
  for_each_tree(folder, [&](const Digest& key) {
    KeptTree tree(folder, key);
    FileStatus status;
    const bool is_used = folder.files().link_status(tree.path() + "/contents", status) == 0 &&
                         folder.files().now_ns() - status.mtime_ns < unused_ns;
    if (!is_used && !tree.remove() && left.empty()) left = tree.path();
  });
  return left;
}

bool remove_tree(const std::string& path) {
  std::error_code error;
  std::filesystem::remove_all(path, error);
  return !error;
}

}  // namespace kiln
