#include "cache/dependencies.hpp"

#include "cache/device_numbers.hpp"

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <limits>
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

/// Why a compiler may treat two files as the same one, which it reads once if it has #pragma once.
struct SameFile {
  bool one_file = false;
  bool copies = false;  // GCC: of one content and, in seconds, one modification time
  friend bool operator==(const SameFile&, const SameFile&) = default;
};

SameFile compare_files(const FileDependency& a, const FileDependency& b) {
  constexpr std::int64_t second = 1'000'000'000;
  if (a.digest != b.digest) return {};  // whatever their states say, which may be those of another machine
  return {a.status.inode == b.status.inode && a.status.device == b.status.device,
          a.status.size != 0 && a.status.mtime_ns / second == b.status.mtime_ns / second};
}

/// Checks what needs no content: absent paths and non-regular files. `path` is a buffer for each.
class PathCheck {
 public:
  PathCheck(FileObserver& observer, const Roots& roots, std::string& path)
      : observer_(observer), roots_(roots), path_(path) {}

  bool is_unchanged(const Dependencies& dependencies) {
    for (const RootedPath& absent : dependencies.absent)
      if (!roots_.lacks(absent.root) && !is_unchanged(absent)) return false;
    for (const ObstacleDependency& obstacle : dependencies.obstacles)
      if (!roots_.lacks(obstacle.path.root) && !is_unchanged(obstacle)) return false;
    return true;
  }

 private:
  bool is_unchanged(const RootedPath& absent) {
    FileStatus now;
    return absent.resolve(roots_, path_) && is_absent(observer_.status(path_, now));
  }
  bool is_unchanged(const ObstacleDependency& obstacle) {
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
    if (!check_states()) return Freshness::changed;
    add_unknown_devices();
    if (moved_files_.empty() && moved_folders_.empty()) return Freshness::unchanged;
    dependencies_.other_devices.clear();
    if (!compare_contents()) return Freshness::changed;
    return is_worth_keeping_ ? Freshness::refreshed : Freshness::confirmed;
  }
  bool run_without_reading() {
    const auto has_contents = [](const MovedFolder& moved) {
      const auto& headers = moved.folder->headers;
      return std::any_of(headers.begin(), headers.end(), [](const auto& header) { return header.digest != Digest{}; });
    };
    return dependencies_.headers_known && check_states() && devices_.unknown(dependencies_).empty() &&
           moved_files_.empty() && std::none_of(moved_folders_.begin(), moved_folders_.end(), has_contents) &&
           compare_contents();
  }
  /// After `changed`: what changed.
  const std::string& path() const noexcept { return path_; }

 private:
  /// The status calls. False where they alone show a change.
  bool check_states() {
    if (!all_have_their_paths(roots_, dependencies_, &path_)) return false;
    FileStatus now;
    for (FileDependency& file : dependencies_.files) {
      if (roots_.lacks(file.path.root)) continue;
      if (!status(file.path, now) || !now.is_regular() || now.size != file.status.size) return false;
      if (!file.reliable_times || has_coarse_times(now) || !is_same(file.status, now))
        moved_files_.push_back({&file, now});
    }
    for (FolderDependency& folder : dependencies_.folders) {
      if (roots_.lacks(folder.path.root)) continue;
      if (!status(folder.path, now) || !now.is_directory()) return false;
      if (!folder.reliable_times || !is_same(folder.status, now)) moved_folders_.push_back({&folder, now});
    }
    met_ns_ = observer_.steady_ns();
    return PathCheck(observer_, roots_, path_).is_unchanged(dependencies_);
  }
  /// The same state, possibly with another number of the device, which is noted.
  bool is_same(const FileStatus& recorded, const FileStatus& now) {
    return same_but_for_device(recorded, now) && devices_.note(recorded.device, now.device);
  }

  /// Where devices have numbers that are not recorded, contents are compared.
  void add_unknown_devices() {
    const DeviceNumbers unknown = devices_.unknown(dependencies_);
    is_worth_keeping_ |= !unknown.empty();
    std::vector<FileDependency*> files;
    std::vector<FolderDependency*> folders;
    const auto is_on_unknown_device = [&](const auto& dependency) {
      return !roots_.lacks(dependency.path.root) &&
             std::find(unknown.begin(), unknown.end(), dependency.status.device) != unknown.end();
    };
    for (FileDependency& file : dependencies_.files) {
      const auto is_file = [&file](const MovedFile& moved) { return moved.file == &file; };
      if (is_on_unknown_device(file) && std::none_of(moved_files_.begin(), moved_files_.end(), is_file))
        files.push_back(&file);
    }
    for (FolderDependency& folder : dependencies_.folders) {
      const auto is_folder = [&folder](const MovedFolder& moved) { return moved.folder == &folder; };
      if (is_on_unknown_device(folder) && std::none_of(moved_folders_.begin(), moved_folders_.end(), is_folder))
        folders.push_back(&folder);
    }
    devices_.apply(dependencies_);
    for (FileDependency* file : files) moved_files_.push_back({file, file->status});
    for (FolderDependency* folder : folders) moved_folders_.push_back({folder, folder->status});
  }

  bool status(const RootedPath& path, FileStatus& now) {
    return path.resolve(roots_, path_) && observer_.status(path_, now) == 0;
  }

  bool compare_contents() {
    const std::vector<FileDependency> before =
        moved_files_.empty() ? std::vector<FileDependency>() : dependencies_.files;
    for (const auto& [file, met] : moved_files_) {
      if (!file->path.resolve(roots_, path_)) return false;
      const bool was_reliable = file->reliable_times;
      const bool is_old = observer_.has_reliable_times(path_, met) && was_met_long_ago(file->status, met, was_reliable);
      FileStatus now;
      Digest digest;
      bool is_fresh = false;
      if (observer_.digest(path_, now, digest, &is_fresh) != 0 || digest != file->digest) return false;
      file->reliable_times = is_old && same_state(met, now) && (is_fresh || was_reliable);
      is_worth_keeping_ |= !same_state(now, file->status) || (file->reliable_times && !was_reliable);
      file->status = now;
    }
    if (!keeps_same_files(before)) return false;
    if (moved_folders_.empty()) return true;
    if (!dependencies_.headers_known && !(load_headers_ && load_headers_(dependencies_))) {
      moved_folders_.front().folder->path.resolve(roots_, path_);
      return false;
    }
    return std::all_of(moved_folders_.begin(), moved_folders_.end(),
                       [this](MovedFolder& moved) { return same_headers(*moved.folder, moved.now); });
  }

  /// Whether a state was first seen at least a tick ago: by this check, or when it was recorded.
  bool was_met_long_ago(const FileStatus& recorded, const FileStatus& now, bool is_reliable) {
    const std::int64_t tick = longest_tick_ns(now);
    if (same_but_for_device(recorded, now) && (is_reliable || observer_.age_of_record() >= tick)) return true;
    return observer_.steady_ns() - met_ns_ >= tick;
  }

  /// Whether the files that a compiler treats as the same one are still the same pairs.
  bool keeps_same_files(const std::vector<FileDependency>& before) {
    const std::vector<FileDependency>& files = dependencies_.files;
    for (const auto& [moved, met] : moved_files_) {
      const auto at = static_cast<std::size_t>(moved - files.data());
      for (std::size_t i = 0; i < before.size(); ++i)
        if (compare_files(before[at], before[i]) != compare_files(files[at], files[i])) {
          moved->path.resolve(roots_, path_);
          return false;
        }
    }
    return true;
  }

  bool same_headers(FolderDependency& folder, FileStatus now) {  // `now` is from before the headers were read
    const std::string base = folder.path.resolve(roots_);
    const bool was_reliable = folder.reliable_times;
    const bool is_package = std::any_of(folder.headers.begin(), folder.headers.end(),
                                        [](const auto& header) { return header.digest != Digest{}; });
    bool is_reliable =
        (is_package || observer_.has_reliable_times(base, now)) && was_met_long_ago(folder.status, now, was_reliable);
    for (const FolderDependency::Header& header : folder.headers) {
      path_ = base + "/" + header.name;
      bool is_fresh = true;
      // Where a link that leads to nothing has the name, the folder will not show that there is a file behind it.
      const bool is_name = header.digest == Digest{};
      if (!(is_name ? observer_.lacks_name(path_) : same_header(header.digest, now, is_fresh))) return false;
      is_reliable &= is_fresh || was_reliable;
    }
    folder.reliable_times = is_reliable;
    // Where only names are checked in the same folder, its new state is not worth storing: checking costs little, and
    // the folder may change all the time.
    const bool is_another = now.device != folder.status.device || now.inode != folder.status.inode;
    is_worth_keeping_ |=
        (is_package || is_another) && (!same_state(now, folder.status) || (folder.reliable_times && !was_reliable));
    folder.status = now;
    return true;
  }

  bool same_header(const Digest& expected, const FileStatus& folder, bool& is_fresh) {
    Digest digest;
    return observer_.digest_in_package(path_, folder, digest, &is_fresh) == 0 && digest == expected;
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
  struct MovedFile {
    FileDependency* file;
    FileStatus now;
  };
  std::int64_t met_ns_ = 0;
  std::vector<MovedFile> moved_files_;
  std::vector<MovedFolder> moved_folders_;
  bool is_worth_keeping_ = false;
  std::string path_;  // one buffer for all, which saves allocations
};

/// Only status calls. `is_same` compares a recorded state with one of now.
template <class IsSame>
bool has_same_states(FileObserver& observer, const Roots& roots, const Dependencies& dependencies,
                     const IsSame& is_same) {
  if (!all_have_their_paths(roots, dependencies)) return false;
  std::string path;
  FileStatus now;
  const auto is_unchanged = [&](const auto& dependency) {
    return roots.lacks(dependency.path.root) ||
           (dependency.path.resolve(roots, path) && observer.status(path, now) == 0 && is_same(dependency.status, now));
  };
  return std::all_of(dependencies.files.begin(), dependencies.files.end(), is_unchanged) &&
         std::all_of(dependencies.folders.begin(), dependencies.folders.end(), is_unchanged) &&
         PathCheck(observer, roots, path).is_unchanged(dependencies);
}

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

void distrust_states(Dependencies& dependencies) {
  // None was changed before there were clocks.
  const auto alter = [](FileStatus& status) { status.ctime_ns = std::numeric_limits<std::int64_t>::min(); };
  for (FileDependency& file : dependencies.files) alter(file.status);
  for (FolderDependency& folder : dependencies.folders) alter(folder.status);
  dependencies.other_devices.clear();
}

Freshness check_dependencies(FileObserver& observer, const Roots& roots, Dependencies& dependencies, std::string* what,
                             const HeaderLoader& load_headers) {
  Check check(observer, roots, dependencies, load_headers);
  const Freshness freshness = check.run();
  if (freshness == Freshness::changed && what != nullptr) *what = check.path();
  return freshness;
}

bool has_only_folder_changes(FileSystem& files, const Roots& roots, Dependencies& dependencies) {
  FileObserver observer(files, false);
  return Check(observer, roots, dependencies, {}).run_without_reading();
}

bool are_reliable(const Dependencies& dependencies) {
  const auto is_reliable = [](const auto& dependency) { return dependency.reliable_times; };
  const auto is_coarse = [](const FileDependency& file) { return has_coarse_times(file.status); };
  return std::all_of(dependencies.files.begin(), dependencies.files.end(), is_reliable) &&
         std::all_of(dependencies.folders.begin(), dependencies.folders.end(), is_reliable) &&
         std::none_of(dependencies.files.begin(), dependencies.files.end(), is_coarse);
}

std::int64_t longest_tick_ns(const Dependencies& dependencies) {
  std::int64_t longest = 0;
  for (const FileDependency& file : dependencies.files) longest = std::max(longest, longest_tick_ns(file.status));
  for (const FolderDependency& folder : dependencies.folders)
    longest = std::max(longest, longest_tick_ns(folder.status));
  return longest;
}

bool unchanged(FileObserver& observer, const Roots& roots, Dependencies& dependencies) {
  DeviceMap devices;
  const auto is_same = [&devices](const FileStatus& before, const FileStatus& now) {
    return same_but_for_device(now, before) && devices.note(before.device, now.device);
  };
  if (!are_reliable(dependencies) || !has_same_states(observer, roots, dependencies, is_same) ||
      !devices.unknown(dependencies).empty())
    return false;
  devices.apply(dependencies);
  return true;
}

bool unchanged(FileSystem& files, const Roots& roots, const Dependencies& dependencies) {
  FileObserver observer(files, false);
  return has_same_states(observer, roots, dependencies, same_state);
}

}  // namespace kiln
