#include "cache/dependencies.hpp"

#include "cache/device_numbers.hpp"

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <string_view>

namespace kiln {

namespace {

std::string_view without_slash(std::string_view root) {
  while (root.size() > 1 && root.back() == '/') root.remove_suffix(1);
  return root;
}

bool all_have_their_paths(const Roots& roots, const Dependencies& dependencies, std::string* moved = nullptr) {
  for (const AbsolutePathDependency& dependency : dependencies.absolute_paths) {
    const auto root = static_cast<std::size_t>(dependency.root);
    if (root < roots.paths.size() && roots.paths[root] == dependency.path) continue;
    if (moved != nullptr) *moved = dependency.path + "/";
    return false;
  }
  return true;
}

bool is_absent(int code) { return code == -ENOENT || code == -ENOTDIR; }

/// Why a compiler may take two for one file, which it reads once where it says #pragma once.
struct Twins {
  bool one_file = false;
  bool copies = false;  // GCC: of one content and, in seconds, one modification time
  friend bool operator==(const Twins&, const Twins&) = default;
};

Twins twins(const FileDependency& a, const FileDependency& b) {
  constexpr std::int64_t second = 1'000'000'000;
  return {a.status.inode == b.status.inode && a.status.device == b.status.device,
          a.status.size != 0 && a.digest == b.digest && a.status.mtime_ns / second == b.status.mtime_ns / second};
}

/// Whether what is looked at by its path alone is as it was. `path` is used again for each.
class Places {
 public:
  Places(FileObserver& observer, const Roots& roots, std::string& path)
      : observer_(observer), roots_(roots), path_(path) {}

  bool stand(const Dependencies& dependencies) {
    for (const RootedPath& absent : dependencies.absent)
      if (!roots_.lacks(absent.root) && !stands(absent)) return false;
    for (const ObstacleDependency& obstacle : dependencies.obstacles)
      if (!roots_.lacks(obstacle.path.root) && !stands(obstacle)) return false;
    return true;
  }

 private:
  bool stands(const RootedPath& absent) {
    FileStatus now;
    return absent.resolve(roots_, path_) && is_absent(observer_.status(path_, now));
  }
  bool stands(const ObstacleDependency& obstacle) {
    FileStatus now;
    if (!obstacle.path.resolve(roots_, path_)) return false;
    const int code = observer_.status(path_, now);
    if (obstacle.kind == ObstacleDependency::Kind::unreadable)
      return code != 0 ? !is_absent(code) : now.is_regular() && !observer_.is_readable(path_);
    if (code != 0 || now.is_regular()) return false;
    return now.is_directory() == (obstacle.kind == ObstacleDependency::Kind::folder);
  }

  FileObserver& observer_;
  const Roots& roots_;
  std::string& path_;
};

class Check {
 public:
  Check(FileObserver& observer, const Roots& roots, Dependencies& dependencies, const HeaderLoader& load_headers)
      : observer_(observer), roots_(roots), dependencies_(dependencies), load_headers_(load_headers) {}

  Freshness run() {
    if (!look()) return Freshness::changed;
    move_by_device();
    if (moved_files_.empty() && moved_folders_.empty()) return Freshness::unchanged;
    dependencies_.other_devices.clear();
    if (!compare_contents()) return Freshness::changed;
    return learned_ ? Freshness::refreshed : Freshness::confirmed;
  }
  bool run_without_reading() {
    const auto has_contents = [](const MovedFolder& moved) {
      const auto& headers = moved.folder->headers;
      return std::any_of(headers.begin(), headers.end(), [](const auto& header) { return header.digest != Digest{}; });
    };
    return dependencies_.headers_known && look() && devices_.unknown(dependencies_).empty() && moved_files_.empty() &&
           std::none_of(moved_folders_.begin(), moved_folders_.end(), has_contents) && compare_contents();
  }
  /// After `changed`: what did.
  const std::string& path() const noexcept { return path_; }

 private:
  /// The status calls. False where they alone show a change.
  bool look() {
    if (!all_have_their_paths(roots_, dependencies_, &path_)) return false;
    FileStatus now;
    for (FileDependency& file : dependencies_.files) {
      if (roots_.lacks(file.path.root)) continue;
      if (!status(file.path, now) || !now.is_regular() || now.size != file.status.size) return false;
      if (!file.times_tell || has_coarse_times(now) || !is_same(file.status, now)) moved_files_.push_back(&file);
    }
    for (FolderDependency& folder : dependencies_.folders) {
      if (roots_.lacks(folder.path.root)) continue;
      if (!status(folder.path, now) || !now.is_directory()) return false;
      if (!folder.times_tell || !is_same(folder.status, now)) moved_folders_.push_back({&folder, now});
    }
    return Places(observer_, roots_, path_).stand(dependencies_);
  }
  /// But for a device's other number, which is noted.
  bool is_same(const FileStatus& recorded, const FileStatus& now) {
    return same_but_for_device(recorded, now) && devices_.note(recorded.device, now.device);
  }

  /// Where devices have numbers that they had nowhere before, contents decide.
  void move_by_device() {
    const DeviceNumbers unknown = devices_.unknown(dependencies_);
    learned_ |= !unknown.empty();
    std::vector<FolderDependency*> folders;
    const auto is_elsewhere = [&](const auto& dependency) {
      return !roots_.lacks(dependency.path.root) &&
             std::find(unknown.begin(), unknown.end(), dependency.status.device) != unknown.end();
    };
    for (FileDependency& file : dependencies_.files)
      if (is_elsewhere(file) && std::find(moved_files_.begin(), moved_files_.end(), &file) == moved_files_.end())
        moved_files_.push_back(&file);
    for (FolderDependency& folder : dependencies_.folders) {
      const auto is_folder = [&folder](const MovedFolder& moved) { return moved.folder == &folder; };
      if (is_elsewhere(folder) && std::none_of(moved_folders_.begin(), moved_folders_.end(), is_folder))
        folders.push_back(&folder);
    }
    devices_.apply(dependencies_);
    for (FolderDependency* folder : folders) moved_folders_.push_back({folder, folder->status});
  }

  bool status(const RootedPath& path, FileStatus& now) {
    return path.resolve(roots_, path_) && observer_.status(path_, now) == 0;
  }

  bool compare_contents() {
    const std::vector<FileDependency> before =
        moved_files_.empty() ? std::vector<FileDependency>() : dependencies_.files;
    for (FileDependency* file : moved_files_) {
      FileStatus now;
      if (!file->path.resolve(roots_, path_) || !same_content(file->digest, now)) return false;
      learned_ |= !same_state(now, file->status);
      file->status = now;
      file->times_tell = observer_.times_tell(path_, now);
    }
    if (!same_twins(before)) return false;
    if (moved_folders_.empty()) return true;
    if (!dependencies_.headers_known && !(load_headers_ && load_headers_(dependencies_))) {
      moved_folders_.front().folder->path.resolve(roots_, path_);
      return false;
    }
    return std::all_of(moved_folders_.begin(), moved_folders_.end(),
                       [this](MovedFolder& moved) { return same_headers(*moved.folder, moved.now); });
  }

  /// Whether the files that are taken for each other are those of before.
  bool same_twins(const std::vector<FileDependency>& before) {
    const std::vector<FileDependency>& files = dependencies_.files;
    for (const FileDependency* moved : moved_files_) {
      const auto at = static_cast<std::size_t>(moved - files.data());
      for (std::size_t i = 0; i < before.size(); ++i)
        if (twins(before[at], before[i]) != twins(files[at], files[i])) {
          moved->path.resolve(roots_, path_);
          return false;
        }
    }
    return true;
  }

  bool same_headers(FolderDependency& folder, FileStatus now) {  // `now` is of before the headers were read
    const std::string base = folder.path.resolve(roots_);
    FileStatus ignored;
    bool read = false;
    for (const FolderDependency::Header& header : folder.headers) {
      path_ = base + "/" + header.name;
      const bool is_name = header.digest == Digest{};
      read |= !is_name;
      if (!(is_name ? is_absent(observer_.status(path_, ignored)) : same_content(header.digest, ignored))) return false;
    }
    observer_.distrust_if_young(now);
    // Names are looked for again in no time, where it is still the same folder: it may change at each moment.
    const bool is_another = now.device != folder.status.device || now.inode != folder.status.inode;
    learned_ |= (read || is_another) && !same_state(now, folder.status);
    folder.times_tell = read || observer_.times_tell(base, now);
    folder.status = now;
    return true;
  }

  /// Whether path_ holds what it held. `state` receives the one of today.
  bool same_content(const Digest& expected, FileStatus& state) {
    Digest digest;
    return observer_.digest(path_, state, digest) == 0 && digest == expected;
  }

  struct MovedFolder {
    FolderDependency* folder;
    FileStatus now;
  };
  FileObserver& observer_;
  const Roots& roots_;
  Dependencies& dependencies_;
  const HeaderLoader& load_headers_;
  DeviceMap devices_;
  std::vector<FileDependency*> moved_files_;
  std::vector<MovedFolder> moved_folders_;
  bool learned_ = false;
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

bool names_stand(FileSystem& files, const Roots& roots, Dependencies& dependencies) {
  FileObserver observer(files, false);
  return Check(observer, roots, dependencies, {}).run_without_reading();
}

bool unchanged(FileObserver& observer, const Roots& roots, Dependencies& dependencies) {
  if (!all_have_their_paths(roots, dependencies)) return false;
  std::string path;
  FileStatus now;
  DeviceMap devices;
  const auto stands = [&](const RootedPath& where, const FileStatus& before) {
    return roots.lacks(where.root) || (where.resolve(roots, path) && observer.status(path, now) == 0 &&
                                       same_but_for_device(now, before) && devices.note(before.device, now.device));
  };
  for (const FileDependency& file : dependencies.files)
    if (!file.times_tell || has_coarse_times(file.status) || !stands(file.path, file.status)) return false;
  for (const FolderDependency& folder : dependencies.folders)
    if (!folder.times_tell || !stands(folder.path, folder.status)) return false;
  if (!Places(observer, roots, path).stand(dependencies) || !devices.unknown(dependencies).empty()) return false;
  devices.apply(dependencies);
  return true;
}

bool unchanged(FileSystem& files, const Roots& roots, const Dependencies& dependencies) {
  if (!all_have_their_paths(roots, dependencies)) return false;
  FileObserver observer(files, false);
  std::string path;
  FileStatus now;
  const auto stands = [&](const RootedPath& where, const FileStatus& before) {
    return roots.lacks(where.root) ||
           (where.resolve(roots, path) && files.status(path, now) == 0 && same_state(now, before));
  };
  for (const FileDependency& file : dependencies.files)
    if (!stands(file.path, file.status)) return false;
  for (const FolderDependency& folder : dependencies.folders)
    if (!stands(folder.path, folder.status)) return false;
  return Places(observer, roots, path).stand(dependencies);
}

}  // namespace kiln
