#include "cache/dependencies.hpp"

#include <cerrno>
#include <cstddef>
#include <string_view>

namespace kiln {

namespace {

std::string_view without_slash(std::string_view root) {
  while (root.size() > 1 && root.back() == '/') root.remove_suffix(1);
  return root;
}

bool all_in_place(const Roots& roots, const Dependencies& dependencies, std::string* moved = nullptr) {
  for (const PlaceDependency& place : dependencies.places) {
    const auto root = static_cast<std::size_t>(place.root);
    if (root < roots.paths.size() && roots.paths[root] == place.path) continue;
    if (moved != nullptr) *moved = place.path + "/";
    return false;
  }
  return true;
}

bool is_absent(int code) { return code == -ENOENT || code == -ENOTDIR; }

class Check {
 public:
  Check(FileObserver& observer, const Roots& roots, Dependencies& dependencies, const HeaderLoader& load_headers)
      : observer_(observer), roots_(roots), dependencies_(dependencies), load_headers_(load_headers) {}

  Freshness run() {
    if (!look()) return Freshness::changed;
    if (moved_files_.empty() && moved_folders_.empty()) return Freshness::unchanged;
    return compare_contents() ? Freshness::refreshed : Freshness::changed;
  }
  /// After `changed`: what did.
  const std::string& path() const noexcept { return path_; }

 private:
  /// The status calls. False where they alone show a change.
  bool look() {
    if (!all_in_place(roots_, dependencies_, &path_)) return false;
    FileStatus now;
    for (FileDependency& file : dependencies_.files) {
      if (roots_.lacks(file.path.root)) continue;
      if (!status(file.path, now) || !now.is_regular() || now.size != file.status.size) return false;
      if (!same_state(now, file.status) || has_coarse_times(now)) moved_files_.push_back(&file);
    }
    for (FolderDependency& folder : dependencies_.folders) {
      if (roots_.lacks(folder.path.root)) continue;
      if (!status(folder.path, now) || !now.is_directory()) return false;
      if (!same_state(now, folder.status)) moved_folders_.push_back({&folder, now});
    }
    for (const RootedPath& absent : dependencies_.absent) {
      if (roots_.lacks(absent.root)) continue;
      if (!absent.resolve(roots_, path_) || !is_absent(observer_.status(path_, now))) return false;
    }
    return true;
  }

  bool status(const RootedPath& path, FileStatus& now) {
    return path.resolve(roots_, path_) && observer_.status(path_, now) == 0;
  }

  bool compare_contents() {
    for (FileDependency* file : moved_files_) {
      if (!file->path.resolve(roots_, path_) || !same_content(file->digest, file->status)) return false;
    }
    if (moved_folders_.empty()) return true;
    if (!dependencies_.headers_known && !(load_headers_ && load_headers_(dependencies_))) {
      moved_folders_.front().folder->path.resolve(roots_, path_);
      return false;
    }
    for (MovedFolder& moved : moved_folders_) {
      if (!same_headers(*moved.folder)) return false;
      observer_.distrust_if_young(moved.now);
      moved.folder->status = moved.now;  // of before the headers were read
    }
    return true;
  }

  bool same_headers(const FolderDependency& folder) {
    const std::string base = folder.path.resolve(roots_);
    FileStatus ignored;
    for (const FolderDependency::Header& header : folder.headers) {
      path_ = base + "/" + header.name;
      const bool same = header.digest == Digest{} ? is_absent(observer_.status(path_, ignored))
                                                  : same_content(header.digest, ignored);
      if (!same) return false;
    }
    return true;
  }

  /// Whether path_ holds what it held. `state` receives the one of today.
  bool same_content(const Digest& expected, FileStatus& state) {
    Digest digest;
    FileStatus now;
    if (observer_.digest(path_, now, digest) != 0 || digest != expected) return false;
    state = now;
    return true;
  }

  struct MovedFolder {
    FolderDependency* folder;
    FileStatus now;
  };
  FileObserver& observer_;
  const Roots& roots_;
  Dependencies& dependencies_;
  const HeaderLoader& load_headers_;
  std::vector<FileDependency*> moved_files_;
  std::vector<MovedFolder> moved_folders_;
  std::string path_;  // used again for each, to spare the allocations
};

}  // namespace

bool RootedPath::resolve(const Roots& roots, std::string& resolved) const {
  resolved.clear();
  if (root >= 0) {
    if (static_cast<std::size_t>(root) >= roots.paths.size()) return false;
    resolved = without_slash(roots.paths[static_cast<std::size_t>(root)]);
    if (!path.empty()) resolved += '/';
  }
  resolved += path;
  return true;
}

std::string RootedPath::resolve(const Roots& roots) const {
  std::string resolved;
  resolve(roots, resolved);
  return resolved;
}

RootedPath RootedPath::relate(const std::string& absolute, const Roots& roots) {
  RootedPath best{-1, absolute};
  std::size_t best_length = 0;
  for (std::size_t i = 0; i < roots.paths.size(); ++i) {
    const std::string_view root = without_slash(roots.paths[i]);
    if (root.size() < 2 || root.size() <= best_length || absolute.compare(0, root.size(), root) != 0) continue;
    const bool is_root = absolute.size() == root.size();
    if (!is_root && absolute[root.size()] != '/') continue;
    best = {static_cast<int>(i), is_root ? "" : absolute.substr(root.size() + 1)};
    best_length = root.size();
  }
  return best;
}

Freshness check_dependencies(FileObserver& observer, const Roots& roots, Dependencies& dependencies, std::string* what,
                             const HeaderLoader& load_headers) {
  Check check(observer, roots, dependencies, load_headers);
  const Freshness freshness = check.run();
  if (freshness == Freshness::changed && what != nullptr) *what = check.path();
  return freshness;
}

Freshness check_dependencies(FileSystem& files, const Roots& roots, Dependencies& dependencies, std::string* what) {
  FileObserver observer(files, false);
  return check_dependencies(observer, roots, dependencies, what, {});
}

namespace {

bool stands_still(FileObserver& observer, const Roots& roots, const Dependencies& dependencies, bool coarse_tells) {
  if (!all_in_place(roots, dependencies)) return false;
  std::string path;
  FileStatus now;
  const auto stands = [&](const RootedPath& where, const FileStatus& before) {
    return roots.lacks(where.root) ||
           (where.resolve(roots, path) && observer.status(path, now) == 0 && same_state(now, before));
  };
  for (const FileDependency& file : dependencies.files)
    if (!stands(file.path, file.status) || (!coarse_tells && has_coarse_times(file.status))) return false;
  for (const FolderDependency& folder : dependencies.folders)
    if (!stands(folder.path, folder.status)) return false;
  for (const RootedPath& absent : dependencies.absent)
    if (!roots.lacks(absent.root) && (!absent.resolve(roots, path) || !is_absent(observer.status(path, now))))
      return false;
  return true;
}

}  // namespace

bool unchanged(FileObserver& observer, const Roots& roots, const Dependencies& dependencies) {
  return stands_still(observer, roots, dependencies, false);
}

bool unchanged(FileSystem& files, const Roots& roots, const Dependencies& dependencies) {
  FileObserver observer(files, false);
  return stands_still(observer, roots, dependencies, true);
}

}  // namespace kiln
